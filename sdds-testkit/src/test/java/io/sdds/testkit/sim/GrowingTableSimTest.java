package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes under load and faults, while their table grows by splits. */
class GrowingTableSimTest {
    private static final int OPERATIONS = ClusterSeeds.OPERATIONS;
    private static final int NEW_SEEDS = 1000;

    @Test
    void growingTableStaysLinearizable() {
        List<ClusterRun.Outcome> outcomes = new ClusterSeeds(null, OPERATIONS).run(KeptSeeds.ANY, NEW_SEEDS);
        assertThat(outcomes).isNotEmpty();
    }

    @Test
    void healthyClustersLoseNothing() {
        List<Long> seeds = LongStream.range(1, 30).boxed().toList();
        for (ClusterRun.Outcome outcome : new ClusterSeeds(ClusterPlan.Severity.CALM, OPERATIONS).run(seeds, 0)) {
            assertThat(outcome.connectionsLost()).isZero();
            assertThat(outcome.partitions()).isGreaterThan(1);
        }
    }

    @Test
    @Disabled("a child whose parent's brick crashes between HANDOVER and its report is left behind: seed 15")
    void crashedBricksLoseRecordsButAnswerNothingWrong() {
        List<Long> seeds = LongStream.range(1, 100).boxed().toList();
        assertThat(new ClusterSeeds(ClusterPlan.Severity.BRICK_CRASHES, OPERATIONS).run(seeds, 0))
                .isNotEmpty();
    }
}
