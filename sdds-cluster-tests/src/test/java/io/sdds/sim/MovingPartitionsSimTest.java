package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes whose partitions of one copy move: off bricks that are drained, end and come back,
 * and to those that are emptier.
 */
class MovingPartitionsSimTest {
    private static final int NEW_SEEDS = 75;
    private static final int NEW_SEEDS_OF_CRASHES = 30;

    @Test
    void movesLoseNothing() {
        assertThat(new ClusterSeeds(Scenario.MOVING, null).run(KeptSeeds.MOVING, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void crashesInTheMiddleOfMovesLoseNoMoreThanWhatTheirBricksHeld() {
        List<Long> seeds = new ArrayList<>(KeptSeeds.MOVING_ALL);
        seeds.addAll(ClusterSeeds.first(50));
        assertThat(new ClusterSeeds(Scenario.MOVING, ClusterPlan.Severity.ALL).run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }
}
