package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with tables that have parity groups, on bricks with little memory: each group is
 * whole at rest if there is room for its members.
 */
class ParityFillingSimTest {
    private static final int NEW_SEEDS = 6;

    @Test
    void groupsAreRepairedWhereThereIsRoom() {
        assertThat(new ClusterSeeds(Scenario.PARITY_FILLING, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_FILLING_ALL_FAULTS, NEW_SEEDS))
                .isNotEmpty();
    }
}
