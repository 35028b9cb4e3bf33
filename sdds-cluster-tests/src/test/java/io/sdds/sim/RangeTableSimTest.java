package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes under load and faults, with a range table that grows, and one that is emptied and
 * merges too.
 */
class RangeTableSimTest {
    private static final int NEW_SEEDS = 100;

    @Test
    void growingRangeTableStaysLinearizableAndItsRangesWhole() {
        assertThat(new ClusterSeeds(Scenario.RANGE, null).run(KeptSeeds.RANGE, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void shrinkingRangeTableStaysLinearizableAndItsRangesWhole() {
        assertThat(new ClusterSeeds(Scenario.RANGE_SHRINKING, null).run(KeptSeeds.RANGE_SHRINKING, NEW_SEEDS / 2))
                .isNotEmpty();
    }

    @Test
    void rangeTablesOfHealthyClustersSplitAndMergeUnderLoad() {
        List<Long> seeds = LongStream.range(1, 30).boxed().toList();
        List<ClusterRun.Outcome> outcomes =
                new ClusterSeeds(Scenario.RANGE_SHRINKING, ClusterPlan.Severity.CALM).run(seeds, 0);
        outcomes.forEach(System.out::println);
        assertThat(outcomes.stream().filter(outcome -> outcome.splitsAtOnce() > 1))
                .isNotEmpty();
        assertThat(outcomes.stream().filter(outcome -> outcome.merges() > 0)).hasSizeGreaterThan(seeds.size() / 3);
        assertThat(outcomes.stream().filter(outcome -> outcome.scans() > 0)).hasSizeGreaterThan(seeds.size() / 2);
    }
}
