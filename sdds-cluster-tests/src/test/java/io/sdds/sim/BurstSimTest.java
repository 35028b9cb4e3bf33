package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes whose clients begin thousands of operations at once. */
class BurstSimTest {
    private static final int SEEDS = 20;
    private static final int NEW_SEEDS = 40;

    /** While nothing is wrong no operation fails, and clients slow down when bricks refuse requests. */
    @Test
    void burstsOnANewTableThatSplitsLoseNoOperationAndDoNotFloodTheBricks() {
        assertThat(new ClusterSeeds(Scenario.BURSTS, ClusterPlan.Severity.CALM)
                        .run(ClusterSeeds.first(SEEDS), NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void burstsStayLinearizableWhateverGoesWrong() {
        assertThat(new ClusterSeeds(Scenario.BURSTS, null).run(ClusterSeeds.first(SEEDS), SEEDS))
                .isNotEmpty();
    }
}
