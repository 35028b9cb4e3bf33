package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A brick's process is away while another one takes its place, and comes back beside it: it ends as soon as it hears of
 * that one, and nobody reads or loses anything by it.
 */
class OldProcessSimTest {
    private static final int SEEDS = 6;

    /** In each run a brick is taken over: whatever else the plan says, so that each scenario meets it. */
    private static List<Long> seeds(ClusterSeeds seeds, int count) {
        return LongStream.range(1, 1_000)
                .filter(seed -> seeds.plan(seed).faults().faults().stream().anyMatch(Fault.TakeOver.class::isInstance))
                .limit(count)
                .boxed()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"GROWING", "REPLICATED", "REPLICATED_RANGE", "MOVING", "QUORUM_GROUPS"})
    void anOldProcessThatComesBackServesNobody(Scenario scenario) {
        ClusterSeeds seeds = new ClusterSeeds(scenario, ClusterPlan.Severity.BRICK_CRASHES);
        Coverage coverage = new Coverage();
        seeds.run(seeds(seeds, SEEDS), 0).forEach(outcome -> coverage.add(outcome.coverage()));
        assertThat(coverage.missing()).doesNotContain(RareEvent.OLD_PROCESS_BACK);
    }

    /** A planted bug: coordinators do not tell a process that another one has its place. */
    @Test
    void anOldProcessThatIsNotToldIsFound() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.REPLICATED, ClusterPlan.Severity.BRICK_CRASHES);
        assertThatThrownBy(() -> seeds(seeds, 2)
                        .forEach(seed -> ClusterRun.of(
                                seeds.plan(seed),
                                cluster -> cluster.simulation()
                                        .network()
                                        .filter((from, to, frame, index, length) -> isReplacement(frame, index, length)
                                                ? SimNetwork.Fate.LOST
                                                : SimNetwork.Fate.SENT))))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("old processes of bricks to end");
    }

    private static boolean isReplacement(io.netty.buffer.ByteBuf frame, int index, int length) {
        return frame.getByte(index + 4) == Opcode.CONTROL
                && ControlFrame.read(frame, index, length) instanceof Refused refused
                && refused.reason() == Refusal.DUPLICATE_BRICK;
    }
}
