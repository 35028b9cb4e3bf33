package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes whose clients put values that are longer than the logs of groups. */
class LongValuesSimTest {
    /** One run in the place of each of the scenarios that LONG_VALUES is drawn from. */
    private static final int NEW_SEEDS = 11;

    @Test
    void longValuesAreWrittenBesideShortOnesWithoutAFailureWhileNothingIsWrong() {
        assertThat(new ClusterSeeds(Scenario.LONG_VALUES, ClusterPlan.Severity.CALM).run(List.of(), NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void longValuesStayLinearizableWhateverGoesWrong() {
        assertThat(new ClusterSeeds(Scenario.LONG_VALUES, ClusterPlan.Severity.ALL).run(List.of(), NEW_SEEDS))
                .isNotEmpty();
    }
}
