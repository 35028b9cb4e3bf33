package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with a table that has a schema, which changes while clients write, update and query
 * rows, and while the table splits, merges, moves and loses bricks.
 */
class RowsSimTest {
    /** In the long form one run in the place of each of the twelve scenarios that ROWS is drawn from. */
    private static final int NEW_SEEDS = 12;

    @Test
    void eachColumnIsReadAsItWasWrittenWhateverTheSchemasOfItsWriterAndReader() {
        RareEvent[] events = {RareEvent.QUERIED, RareEvent.SCHEMA_CHANGED, RareEvent.DEFAULT_READ};
        Coverage coverage =
                new ClusterSeeds(Scenario.ROWS, ClusterPlan.Severity.ALL).runUntil(List.of(), NEW_SEEDS, events);
        assertThat(coverage.missing()).doesNotContain(events);
    }
}
