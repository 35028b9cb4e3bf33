package io.sdds.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator and its checkers find nodes that are known to be bad. */
@Order(1)
class PlantedBugsSimTest {
    private static final int SEEDS_MAX = 2000;

    /** Beyond, it is said which seed should be tried first; and a bug must have changed something before. */
    private static final int SEEDS_FEW = 20;

    static List<Planted> bugs() {
        return Planted.all();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    @Execution(ExecutionMode.CONCURRENT)
    void isCaught(Planted bug) {
        long seed = bug.firstCatch(SEEDS_MAX, SEEDS_FEW);
        if (seed > bug.firstSeed() + SEEDS_FEW) {
            System.out.println(bug + " was caught by seed " + seed + ", not by " + bug.firstSeed());
        }
    }

    @Test
    void aBugThatChangesNothingIsNone() {
        Planted same = new Probe(cluster -> cluster.simulation()
                .network()
                .filter((from, to, frame, index, length) -> SimNetwork.Fate.replacedBy(
                        Unpooled.copiedBuffer(frame.slice(index, length))))); // the same bytes
        assertThat(same.verdict(same.firstSeed())).isEqualTo(Planted.Verdict.UNTOUCHED);
        assertThatThrownBy(() -> same.firstCatch(SEEDS_MAX, 1))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("PROBE changed nothing with the seeds 1 to 2");
    }

    @Test
    void aRunThatFailsThoughNothingWasChangedIsNoCatch() {
        Planted idle = new Probe(cluster -> cluster.simulation().after(1_000_000_000L, () -> {
            throw new SimulationFailure("what nobody planted");
        }));
        assertThatThrownBy(() -> idle.verdict(1))
                .isInstanceOf(AssertionError.class)
                .hasMessage("PROBE changed nothing with seed 1, and the run failed: what nobody planted");
    }

    @Test
    void aBugThatNoCheckerMindsIsMissed() {
        Planted harmless =
                new Probe(cluster -> cluster.simulation().tampering().happened(() -> "something that nobody looks at"));
        assertThat(harmless.verdict(1)).isEqualTo(Planted.Verdict.MISSED);
        assertThatThrownBy(() -> harmless.firstCatch(2, 1))
                .isInstanceOf(AssertionError.class)
                .hasMessage("PROBE was not caught by 2 seeds from 1 on");
    }

    @Test
    void aFrameCanNotBeChangedInItsPlace() {
        Planted poking =
                new Probe(cluster -> cluster.simulation().network().filter((from, to, frame, index, length) -> {
                    frame.setByte(index + 4, 0);
                    return SimNetwork.Fate.SENT;
                }));
        assertThatThrownBy(() -> poking.verdict(1)).hasMessageContaining("ReadOnlyBufferException");
    }

    @Test
    void anEditOfAComponentThatIsNotThereIsRefused() {
        SliceHeader header = new SliceHeader(1, 1, 1, 1);
        assertThat(ControlEdit.with(header, "attempt", 2)).isEqualTo(new SliceHeader(1, 2, 1, 1));
        assertThatThrownBy(() -> ControlEdit.with(header, "attempts", 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no component attempts");
    }

    /** Something planted in short runs in which nothing goes wrong by itself. */
    private record Probe(Consumer<SimCluster> planted) implements Planted {
        @Override
        public String name() {
            return "PROBE";
        }

        @Override
        public Scenario scenario() {
            return Scenario.GROWING;
        }

        @Override
        public ClusterPlan.Severity severity() {
            return ClusterPlan.Severity.CALM;
        }

        @Override
        public long firstSeed() {
            return 1;
        }

        @Override
        public void plant(SimCluster cluster) {
            planted.accept(cluster);
        }
    }
}
