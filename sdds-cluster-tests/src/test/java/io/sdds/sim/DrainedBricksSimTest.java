package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes whose bricks are drained, end and come back, while copies move to those that are
 * emptier.
 */
class DrainedBricksSimTest {
    private static final int NEW_SEEDS = 50;
    private static final int NEW_SEEDS_OF_CRASHES = 25;

    @Test
    void drainedBricksTakeNothingWithThem() {
        assertThat(new ClusterSeeds(Scenario.DRAINED, null).run(KeptSeeds.DRAINED, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void crashedBricksTakeNothingWithThemWhileOthersAreDrained() {
        List<Long> seeds = new ArrayList<>(KeptSeeds.DRAINED_CRASHES);
        seeds.addAll(ClusterSeeds.first(40));
        assertThat(new ClusterSeeds(Scenario.DRAINED, ClusterPlan.Severity.ALL).run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }
}
