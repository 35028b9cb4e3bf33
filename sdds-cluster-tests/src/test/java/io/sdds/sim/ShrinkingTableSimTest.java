package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes under load and faults, while their table grows, is emptied and merges, and grows
 * again.
 */
class ShrinkingTableSimTest {
    private static final int NEW_SEEDS = 125;

    @Test
    void shrinkingTableStaysLinearizable() {
        List<ClusterRun.Outcome> outcomes =
                new ClusterSeeds(Scenario.SHRINKING, null).run(KeptSeeds.SHRINKING, NEW_SEEDS);
        assertThat(outcomes).isNotEmpty();
    }

    @Test
    void tablesOfHealthyClustersShrinkUnderLoad() {
        List<Long> seeds = LongStream.range(1, 30).boxed().toList();
        List<ClusterRun.Outcome> outcomes =
                new ClusterSeeds(Scenario.SHRINKING, ClusterPlan.Severity.CALM).run(seeds, 0);
        assertThat(outcomes).allMatch(outcome -> outcome.connectionsLost() == 0);
        outcomes.forEach(System.out::println);
        assertThat(outcomes.stream().filter(outcome -> outcome.merges() > 0)).hasSizeGreaterThan(seeds.size() / 2);
    }

    @Test
    void bricksThatCrashWhileTheirPartitionsMergeAnswerNothingWrong() {
        assertThat(new ClusterSeeds(Scenario.SHRINKING, ClusterPlan.Severity.BRICK_CRASHES)
                        .run(ClusterSeeds.first(100), 0))
                .isNotEmpty();
    }
}
