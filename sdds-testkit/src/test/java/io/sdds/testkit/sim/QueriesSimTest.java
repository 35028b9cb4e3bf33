package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes whose clients also ship programs, while tables split, merge, move and lose bricks.
 */
class QueriesSimTest {
    /** One run in the place of each of the twelve scenarios that QUERIED is drawn from. */
    private static final int NEW_SEEDS = 12;

    @Test
    void eachRowThatStaysIsInEachResultOnce() {
        Coverage coverage = new Coverage();
        new ClusterSeeds(Scenario.QUERIED, ClusterPlan.Severity.ALL)
                .run(List.of(), NEW_SEEDS)
                .forEach(outcome -> coverage.add(outcome.coverage()));
        assertThat(coverage.missing()).doesNotContain(RareEvent.QUERIED);
    }
}
