package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with parity groups on few bricks, which die one after the other and come back, so
 * that columns share bricks and move apart.
 */
class ColumnSeparationSimTest {
    private static final int NEW_SEEDS = 10;

    @Test
    void columnsStandApartSoonAfterTheBricksAreBack() {
        assertColumnsMoveApart(ClusterPlan.Severity.BRICK_CRASHES);
    }

    @Test
    void columnsStandApartBesideAllOtherFaults() {
        assertColumnsMoveApart(ClusterPlan.Severity.ALL);
    }

    private static void assertColumnsMoveApart(ClusterPlan.Severity severity) {
        List<Long> seeds = LongStream.rangeClosed(1, 8).boxed().toList();
        Coverage coverage = new Coverage();
        new ClusterSeeds(Scenario.PARITY_IN_TURN, severity)
                .run(seeds, NEW_SEEDS)
                .forEach(outcome -> coverage.add(outcome.coverage()));
        assertThat(coverage.missing()).doesNotContain(RareEvent.COLUMNS_SHARED_A_BRICK);
    }
}
