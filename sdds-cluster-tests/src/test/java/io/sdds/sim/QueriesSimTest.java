package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes whose clients also ship programs, while tables split, merge, move and lose bricks.
 */
class QueriesSimTest {
    /** In the long form one run in the place of each of the twelve scenarios that QUERIED is drawn from. */
    private static final int NEW_SEEDS = 12;

    @Test
    void eachRowThatStaysIsInEachResultOnce() {
        Coverage coverage = new ClusterSeeds(Scenario.QUERIED, ClusterPlan.Severity.ALL)
                .runUntil(List.of(), NEW_SEEDS, RareEvent.QUERIED);
        assertThat(coverage.missing()).doesNotContain(RareEvent.QUERIED);
    }
}
