package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes while a table is converted from replicas to parity. No acknowledged write is lost,
 * the conversion ends, and at rest each parity is what its columns give.
 */
class ParityConversionSimTest {
    private static final int NEW_SEEDS = 6;

    @Test
    void conversionWithoutFaultsEnds() {
        List<Long> seeds = LongStream.range(1, 7).boxed().toList();
        assertThat(new ClusterSeeds(Scenario.PARITY_CONVERTED, ClusterPlan.Severity.CALM).run(seeds, 0))
                .allMatch(outcome -> outcome.coverage().count(RareEvent.TABLE_CONVERTED) > 0);
    }

    @Test
    void bricksThatCrashDuringAConversionTakeNothingWithThem() {
        assertThat(new ClusterSeeds(Scenario.PARITY_CONVERTED, ClusterPlan.Severity.BRICK_CRASHES)
                        .run(KeptSeeds.PARITY_CONVERTED_CRASHES, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void tableIsConvertedUnderAllFaults() {
        assertThat(new ClusterSeeds(Scenario.PARITY_CONVERTED, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_CONVERTED_ALL_FAULTS, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void rangeTableIsConvertedUnderAllFaults() {
        assertThat(new ClusterSeeds(Scenario.PARITY_CONVERTED_RANGE, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_CONVERTED_RANGE, NEW_SEEDS))
                .isNotEmpty();
    }
}
