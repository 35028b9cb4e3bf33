package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes while a table is converted from parity to replicas, and in half of the seeds to
 * parity again. No acknowledged write is lost, the conversions end, and at rest all copies are equal.
 */
class ParityToReplicasSimTest {
    private static final int NEW_SEEDS = 4;

    @Test
    void conversionWithoutFaultsEnds() {
        List<Long> seeds = LongStream.range(1, 5).boxed().toList();
        assertThat(new ClusterSeeds(Scenario.PARITY_TO_REPLICAS, ClusterPlan.Severity.CALM).run(seeds, 0))
                .allMatch(outcome -> outcome.coverage().count(RareEvent.TABLE_CONVERTED_TO_REPLICAS) > 0);
    }

    @Test
    void bricksThatCrashDuringAConversionTakeNothingWithThem() {
        assertThat(new ClusterSeeds(Scenario.PARITY_TO_REPLICAS, ClusterPlan.Severity.BRICK_CRASHES)
                        .run(KeptSeeds.PARITY_TO_REPLICAS_CRASHES, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void tableIsConvertedUnderAllFaults() {
        assertThat(new ClusterSeeds(Scenario.PARITY_TO_REPLICAS, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_TO_REPLICAS_ALL_FAULTS, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void rangeTableIsConvertedAmongSplitsUnderAllFaultsButCrashes() {
        assertThat(new ClusterSeeds(Scenario.PARITY_TO_REPLICAS_RANGE, ClusterPlan.Severity.HARSH)
                        .run(KeptSeeds.PARITY_TO_REPLICAS_RANGE, NEW_SEEDS))
                .isNotEmpty();
    }
}
