package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with tables that have parity groups, whose bricks are drained, end and come back.
 */
class ParityDrainsSimTest {
    private static final int NEW_SEEDS = 20;
    private static final int NEW_SEEDS_OF_CRASHES = 15;

    private static List<Long> seeds() {
        return LongStream.rangeClosed(1, 20).boxed().toList();
    }

    @Test
    void drainedBricksTakeNothingWithThem() {
        assertThat(new ClusterSeeds(Scenario.PARITY_DRAINED, null).run(seeds(), NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void crashedBricksTakeNothingWithThemWhileOthersAreDrained() {
        assertThat(new ClusterSeeds(Scenario.PARITY_DRAINED, ClusterPlan.Severity.ALL)
                        .run(seeds(), NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }
}
