package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with tables that have parity groups: at rest each parity is what its columns give,
 * and knows of each write what the column's primary knows.
 */
class ParityTableSimTest {
    private static final int NEW_SEEDS = 20;
    private static final int NEW_SEEDS_OF_RANGES = 6;
    private static final int NEW_SEEDS_WITH_CRASHES = 10;

    @Test
    void hashTableWithParityStaysLinearizable() {
        assertThat(new ClusterSeeds(Scenario.PARITY, null).run(KeptSeeds.PARITY, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void rangeTableWithParityStaysLinearizable() {
        assertThat(new ClusterSeeds(Scenario.PARITY_RANGE, null).run(KeptSeeds.PARITY_RANGE, NEW_SEEDS_OF_RANGES))
                .isNotEmpty();
    }

    @Test
    void crashedBricksTakeNothingWithThem() {
        assertThat(new ClusterSeeds(Scenario.PARITY, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_ALL_FAULTS, NEW_SEEDS_WITH_CRASHES))
                .isNotEmpty();
        assertThat(new ClusterSeeds(Scenario.PARITY, ClusterPlan.Severity.BRICK_CRASHES)
                        .run(List.of(), NEW_SEEDS_WITH_CRASHES))
                .isNotEmpty();
    }

    @Test
    void parityGroupsOfHealthyClustersLoseNoConnection() {
        List<Long> seeds = LongStream.range(1, 11).boxed().toList();
        assertThat(new ClusterSeeds(Scenario.PARITY, ClusterPlan.Severity.CALM).run(seeds, 0))
                .allMatch(outcome -> outcome.connectionsLost() == 0);
    }
}
