package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes under load and faults, while their table grows by splits. */
class GrowingTableSimTest {
    private static final int NEW_SEEDS = 225;
    private static final int NEW_CRASH_SEEDS = 50;

    @Test
    void growingTableStaysLinearizable() {
        List<ClusterRun.Outcome> outcomes = new ClusterSeeds(Scenario.GROWING, null).run(KeptSeeds.ANY, NEW_SEEDS);
        assertThat(outcomes).isNotEmpty();
    }

    @Test
    void healthyClustersLoseNothing() {
        List<Long> seeds = LongStream.range(1, 30).boxed().toList();
        for (ClusterRun.Outcome outcome : new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.CALM).run(seeds, 0)) {
            assertThat(outcome.connectionsLost()).isZero();
            assertThat(outcome.partitions()).isGreaterThan(1);
        }
    }

    @Test
    void severalPartitionsOfATableSplitAtOnce() {
        List<Long> seeds = LongStream.range(1, 10).boxed().toList();
        List<ClusterRun.Outcome> outcomes = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.CALM).run(seeds, 0);
        assertThat(outcomes).anyMatch(outcome -> outcome.splitsAtOnce() > 2);
    }

    @Test
    void crashedBricksLoseRecordsButAnswerNothingWrong() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.BRICK_CRASHES);
        assertThat(seeds.run(KeptSeeds.BRICK_CRASHES, NEW_CRASH_SEEDS)).isNotEmpty();
    }
}
