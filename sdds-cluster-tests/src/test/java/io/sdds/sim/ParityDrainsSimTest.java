package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with tables that have parity groups, whose bricks are drained, end and come back.
 */
class ParityDrainsSimTest {
    private static final int NEW_SEEDS = 20;
    private static final int NEW_SEEDS_OF_CRASHES = 15;

    @Test
    void drainedBricksTakeNothingWithThem() {
        assertThat(new ClusterSeeds(Scenario.PARITY_DRAINED, null).run(ClusterSeeds.first(20), NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void crashedBricksTakeNothingWithThemWhileOthersAreDrained() {
        List<Long> seeds = new ArrayList<>(KeptSeeds.PARITY_DRAINED_ALL);
        seeds.addAll(ClusterSeeds.first(20));
        assertThat(new ClusterSeeds(Scenario.PARITY_DRAINED, ClusterPlan.Severity.ALL).run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }
}
