package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes with tables whose partitions are replica groups: nothing that was acknowledged is ever lost. */
class ReplicatedTableSimTest {
    private static final int NEW_SEEDS = 150;
    private static final int NEW_SEEDS_OF_CRASHES = 50;

    @Test
    void replicatedTableStaysLinearizableAndLosesNothing() {
        assertThat(new ClusterSeeds(Shape.REPLICATED, null).run(KeptSeeds.REPLICATED, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void groupsOfHealthyClustersLoseNoConnection() {
        List<Long> seeds = LongStream.range(1, 20).boxed().toList();
        assertThat(new ClusterSeeds(Shape.REPLICATED, ClusterPlan.Severity.CALM).run(seeds, 0))
                .allMatch(outcome -> outcome.connectionsLost() == 0);
    }

    @Test
    void crashedMembersTakeNothingWithThem() {
        List<Long> seeds = new ArrayList<>(KeptSeeds.REPLICATED_CRASHES);
        LongStream.range(1, 60).forEach(seeds::add);
        assertThat(new ClusterSeeds(Shape.REPLICATED, ClusterPlan.Severity.ALL).run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }
}
