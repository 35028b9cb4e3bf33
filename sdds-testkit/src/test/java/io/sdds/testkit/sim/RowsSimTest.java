package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with a table that has a schema, which changes while clients write, update and query
 * rows, and while the table splits, merges, moves and loses bricks.
 */
class RowsSimTest {
    /** One run in the place of each of the twelve scenarios that ROWS is drawn from. */
    private static final int NEW_SEEDS = 12;

    @Test
    void eachColumnIsReadAsItWasWrittenWhateverTheSchemasOfItsWriterAndReader() {
        Coverage coverage = new Coverage();
        new ClusterSeeds(Scenario.ROWS, ClusterPlan.Severity.ALL)
                .run(List.of(), NEW_SEEDS)
                .forEach(outcome -> coverage.add(outcome.coverage()));
        assertThat(coverage.missing())
                .doesNotContain(RareEvent.QUERIED, RareEvent.SCHEMA_CHANGED, RareEvent.DEFAULT_READ);
    }
}
