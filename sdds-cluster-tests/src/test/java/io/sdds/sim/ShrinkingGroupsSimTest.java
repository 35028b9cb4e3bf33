package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes whose tables are replica groups, grow, are emptied and merge, and grow again. */
class ShrinkingGroupsSimTest {
    private static final int NEW_SEEDS = 75;
    private static final int NEW_SEEDS_OF_CRASHES = 50;

    @Test
    void shrinkingGroupsStayLinearizableAndLoseNothing() {
        assertThat(new ClusterSeeds(Scenario.REPLICATED_SHRINKING, null).run(KeptSeeds.REPLICATED_SHRINKING, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void groupsOfHealthyClustersMergeUnderLoad() {
        List<Long> seeds = LongStream.range(1, 20).boxed().toList();
        List<ClusterRun.Outcome> outcomes =
                new ClusterSeeds(Scenario.REPLICATED_SHRINKING, ClusterPlan.Severity.CALM).run(seeds, 0);
        assertThat(outcomes).allMatch(outcome -> outcome.connectionsLost() == 0);
        assertThat(outcomes.stream().filter(outcome -> outcome.merges() > 0)).hasSizeGreaterThan(seeds.size() / 2);
    }

    @Test
    void membersThatCrashWhileTheirGroupsMergeTakeNothingWithThem() {
        List<Long> seeds = new ArrayList<>(KeptSeeds.REPLICATED_SHRINKING_CRASHES);
        seeds.addAll(ClusterSeeds.first(60));
        assertThat(new ClusterSeeds(Scenario.REPLICATED_SHRINKING, ClusterPlan.Severity.ALL)
                        .run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }
}
