package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes while tables with parity groups grow by splits. At rest each parity is what its
 * columns give, and no column, idle or not, has a record that it does not own.
 */
class ParityGrowthSimTest {
    private static final int NEW_SEEDS = 10;
    private static final int NEW_SEEDS_WITH_CRASHES = 8;
    private static final int NEW_SEEDS_OF_RANGES = 6;

    @Test
    void growingTableWithParityStaysLinearizable() {
        assertThat(new ClusterSeeds(Scenario.PARITY_GROWING, null).run(KeptSeeds.PARITY_GROWING, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void bricksThatCrashWhileColumnsSplitTakeNothingWithThem() {
        assertThat(new ClusterSeeds(Scenario.PARITY_GROWING, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_GROWING_ALL_FAULTS, NEW_SEEDS_WITH_CRASHES))
                .isNotEmpty();
        assertThat(new ClusterSeeds(Scenario.PARITY_GROWING, ClusterPlan.Severity.BRICK_CRASHES)
                        .run(KeptSeeds.PARITY_GROWING_CRASHES, NEW_SEEDS_WITH_CRASHES))
                .isNotEmpty();
    }

    @Test
    void growingRangeTableWithParityStaysLinearizable() {
        assertThat(new ClusterSeeds(Scenario.PARITY_GROWING_RANGE, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_GROWING_RANGE, NEW_SEEDS_OF_RANGES))
                .isNotEmpty();
    }

    @Test
    void healthyTablesWithParityGrowAndLoseNoConnection() {
        List<Long> seeds = LongStream.range(1, 9).boxed().toList();
        List<ClusterRun.Outcome> outcomes =
                new ClusterSeeds(Scenario.PARITY_GROWING, ClusterPlan.Severity.CALM).run(seeds, 0);
        assertThat(outcomes).allMatch(outcome -> outcome.connectionsLost() == 0);
        assertThat(outcomes)
                .filteredOn(outcome -> outcome.coverage().count(RareEvent.COLUMN_SPLIT) > 0)
                .hasSizeGreaterThan(seeds.size() / 2);
    }
}
