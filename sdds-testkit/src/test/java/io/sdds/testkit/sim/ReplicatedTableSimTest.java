package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes with tables whose partitions are replica groups: nothing that was acknowledged is ever lost. */
class ReplicatedTableSimTest {
    private static final int OPERATIONS = 1000;
    private static final int NEW_SEEDS = 150;

    @Test
    void replicatedTableStaysLinearizableAndLosesNothing() {
        assertThat(new ClusterSeeds(null, OPERATIONS).replicated().run(KeptSeeds.REPLICATED, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void groupsOfHealthyClustersAnswerEverything() {
        List<Long> seeds = LongStream.range(1, 20).boxed().toList();
        assertThat(new ClusterSeeds(ClusterPlan.Severity.CALM, OPERATIONS)
                        .replicated()
                        .run(seeds, 0))
                .allMatch(outcome -> outcome.failures() == 0);
    }

    @Test
    void crashedMembersTakeNothingWithThem() {
        List<Long> seeds = LongStream.range(1, 60).boxed().toList();
        assertThat(new ClusterSeeds(ClusterPlan.Severity.ALL, OPERATIONS)
                        .replicated()
                        .run(seeds, 0))
                .isNotEmpty();
    }
}
