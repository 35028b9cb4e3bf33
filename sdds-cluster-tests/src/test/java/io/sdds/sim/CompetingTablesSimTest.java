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
 * Whole clusters of the real nodes with two or three tables at once: hash tables and range tables, with replica groups
 * and without, which compete for memory, for stages and for the coordinator.
 */
class CompetingTablesSimTest {
    private static final int NEW_SEEDS = 40;
    private static final int NEW_SEEDS_OF_CRASHES = 20;

    @Test
    void eachTableKeepsItsPromisesBesideOthersThatSplitAtTheSameTime() {
        Coverage coverage = new ClusterSeeds(Scenario.COMPETING, null)
                .runUntil(List.of(), NEW_SEEDS, RareEvent.TABLES_SPLIT_AT_ONCE);
        if (ClusterSeeds.chosen() == null) {
            assertThat(coverage.missing()).doesNotContain(RareEvent.TABLES_SPLIT_AT_ONCE);
        }
    }

    @Test
    void aCrashLosesOfTablesOfOneCopyWhatTheBrickHeldAndOfReplicatedOnesNothing() {
        assertThat(new ClusterSeeds(Scenario.COMPETING, ClusterPlan.Severity.ALL)
                        .run(ClusterSeeds.first(20), NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }

    @Test
    void aPlanHasTablesOfSeveralKinds() {
        List<ClusterPlan> plans = LongStream.rangeClosed(1, 50)
                .mapToObj(new ClusterSeeds(Scenario.COMPETING, ClusterPlan.Severity.CALM)::plan)
                .toList();
        assertThat(plans).allMatch(plan -> plan.tables().size() >= 2);
        assertThat(plans)
                .anyMatch(plan -> plan.hasGroups()
                        && plan.tables().stream().anyMatch(table -> !table.isReplicated())
                        && plan.hasRanges()
                        && plan.tables().stream().anyMatch(table -> !table.isRange()));
    }
}
