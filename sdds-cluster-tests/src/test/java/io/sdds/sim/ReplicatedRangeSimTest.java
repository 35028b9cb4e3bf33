package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with range tables whose partitions are replica groups: their ranges stay whole, and
 * nothing that was acknowledged is ever lost.
 */
@Order(1)
class ReplicatedRangeSimTest {
    private static final int NEW_SEEDS = 50;
    private static final int NEW_SEEDS_OF_CRASHES = 25;
    private static final int NEW_SEEDS_OF_TROUBLE = 20;
    private static final int NEW_SEEDS_OF_FILLING = 20;

    @Test
    void replicatedRangeTableStaysLinearizableAndItsRangesWhole() {
        assertThat(new ClusterSeeds(Scenario.REPLICATED_RANGE, null).run(KeptSeeds.REPLICATED_RANGE, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void shrinkingRangeGroupsStayLinearizableAndTheirRangesWhole() {
        assertThat(new ClusterSeeds(Scenario.REPLICATED_RANGE_SHRINKING, null)
                        .run(KeptSeeds.REPLICATED_RANGE_SHRINKING, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void rangeGroupsOfHealthyClustersSplitAndMergeUnderLoad() {
        List<Long> seeds = ClusterSeeds.first(70);
        List<ClusterRun.Outcome> outcomes =
                new ClusterSeeds(Scenario.REPLICATED_RANGE_SHRINKING, ClusterPlan.Severity.CALM).run(seeds, 0);
        assertThat(outcomes).allMatch(outcome -> outcome.connectionsLost() == 0);
        assertThat(outcomes.stream().filter(outcome -> outcome.splitsAtOnce() > 1))
                .isNotEmpty();
        assertThat(outcomes.stream().filter(outcome -> outcome.merges() > 0)).hasSizeGreaterThan(seeds.size() / 2);
        assertThat(outcomes.stream().filter(outcome -> outcome.scans() > 0)).hasSizeGreaterThan(seeds.size() / 2);
    }

    @Test
    void membersThatCrashWhileRangeGroupsSplitAndMergeTakeNothingWithThem() {
        List<Long> seeds = ClusterSeeds.first(40);
        assertThat(new ClusterSeeds(Scenario.REPLICATED_RANGE, ClusterPlan.Severity.ALL)
                        .run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
        assertThat(new ClusterSeeds(Scenario.REPLICATED_RANGE_SHRINKING, ClusterPlan.Severity.ALL)
                        .run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
        assertThat(new ClusterSeeds(Scenario.REPLICATED_RANGE_SHRINKING, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.REPLICATED_RANGE_SHRINKING_ALL_FAULTS, 0))
                .isNotEmpty();
        assertThat(new ClusterSeeds(Scenario.REPLICATED_RANGE_SHRINKING, ClusterPlan.Severity.BRICK_CRASHES)
                        .run(KeptSeeds.REPLICATED_RANGE_SHRINKING_CRASHES, 0))
                .isNotEmpty();
    }

    @Test
    void rangeGroupsOfBricksWithLittleMemoryLoseNothing() {
        Coverage coverage = new ClusterSeeds(Scenario.FILLING_RANGE, null)
                .runUntil(KeptSeeds.FILLING_RANGE, NEW_SEEDS_OF_FILLING, RareEvent.MEMORY_FULL);
        assertThat(coverage.missing()).doesNotContain(RareEvent.MEMORY_FULL);
        KeptSeeds.FILLING_RANGE_OF_SEVERITY.forEach(
                (severity, seeds) -> assertThat(new ClusterSeeds(Scenario.FILLING_RANGE, severity).run(seeds, 0))
                        .isNotEmpty());
    }

    @Test
    void drainsAndLinksThatAreCutTakeNothingFromRangeGroups() {
        List<Long> seeds = ClusterSeeds.first(15);
        assertThat(new ClusterSeeds(Scenario.DRAINED_RANGE, null).run(KeptSeeds.DRAINED_RANGE, 0))
                .isNotEmpty();
        assertThat(new ClusterSeeds(Scenario.DRAINED_RANGE, null).run(seeds, NEW_SEEDS_OF_TROUBLE))
                .isNotEmpty();
        assertThat(new ClusterSeeds(Scenario.APART_RANGE, null).run(seeds, NEW_SEEDS_OF_TROUBLE))
                .isNotEmpty();
    }
}
