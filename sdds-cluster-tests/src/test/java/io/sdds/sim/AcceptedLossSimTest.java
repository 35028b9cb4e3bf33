package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.control.ControlMessage.AcceptLoss;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.planted.FrameEdits;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimulationFailure;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bricks with the only copies of partitions are gone for good, and somebody accepts the loss: afterwards everything is
 * served again, and nothing is gone but what the lost partitions held.
 */
class AcceptedLossSimTest {
    private static final int SEEDS = 8;

    private static List<Long> seeds(ClusterSeeds seeds, Predicate<ClusterPlan> wanted, int count) {
        return LongStream.range(1, 2_000)
                .filter(seed -> seeds.plan(seed).acceptsLosses() && wanted.test(seeds.plan(seed)))
                .limit(count)
                .boxed()
                .toList();
    }

    private static boolean isTakenOver(ClusterPlan plan) {
        return plan.faults().faults().stream().anyMatch(Fault.TakeOver.class::isInstance);
    }

    @ParameterizedTest
    @EnumSource(names = {"GROWING", "RANGE", "MOVING"})
    void aTableServesAgainWhenItsLossIsAccepted(Scenario scenario) {
        ClusterSeeds seeds = new ClusterSeeds(scenario, ClusterPlan.Severity.BRICK_CRASHES);
        Coverage coverage = new Coverage();
        seeds.run(seeds(seeds, plan -> true, SEEDS), 0).forEach(outcome -> coverage.add(outcome.coverage()));
        assertThat(coverage.missing()).doesNotContain(RareEvent.LOSS_ACCEPTED);
    }

    /** The process that held what is lost may still run, and comes back. */
    @Test
    void aLossIsNotAcceptedWhileTheOldProcessMayServe() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.BRICK_CRASHES);
        Coverage coverage = new Coverage();
        seeds.run(seeds(seeds, AcceptedLossSimTest::isTakenOver, SEEDS), 0)
                .forEach(outcome -> coverage.add(outcome.coverage()));
        assertThat(coverage.missing())
                .doesNotContain(RareEvent.LOSS_ACCEPTED, RareEvent.LOSS_NOT_ACCEPTED, RareEvent.OLD_PROCESS_BACK);
    }

    /** A planted bug: whoever asks is taken to have confirmed that the process is gone. */
    @Test
    void aLossThatIsAcceptedTooEarlyIsFound() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.BRICK_CRASHES);
        assertThatThrownBy(() -> seeds(seeds, AcceptedLossSimTest::isTakenOver, SEEDS)
                        .forEach(seed -> ClusterRun.of(
                                seeds.plan(seed),
                                cluster -> cluster.simulation()
                                        .network()
                                        .filter(FrameEdits.messages(
                                                AcceptLoss.class, asked -> new AcceptLoss(asked.name(), true))))))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("was accepted while the old process of");
    }
}
