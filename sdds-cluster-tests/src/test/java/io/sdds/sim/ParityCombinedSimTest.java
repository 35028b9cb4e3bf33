package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.CombinedParityPlan;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters of the real nodes that combine what other scenarios with parity groups have alone. */
class ParityCombinedSimTest {
    /** One of each combination ({@link CombinedParityPlan}). Others are for the soak. */
    private static final List<Long> SEEDS = LongStream.rangeClosed(1, 8).boxed().toList();

    @Test
    void combinationsStayLinearizable() {
        assertThat(new ClusterSeeds(Scenario.PARITY_COMBINED, ClusterPlan.Severity.ALL).run(SEEDS, 0))
                .isNotEmpty();
    }
}
