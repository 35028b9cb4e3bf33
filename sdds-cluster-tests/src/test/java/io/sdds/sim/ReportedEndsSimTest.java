package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.fault.FaultyCluster;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The coordinators are told of each process that crashes, and groups go on without it at once, beside all faults. */
class ReportedEndsSimTest {
    private static final int NEW_SEEDS = 30;

    @ParameterizedTest
    @EnumSource(
            value = Scenario.class,
            names = {"REPLICATED", "REPLICATED_RANGE", "QUORUM_GROUPS", "PARITY"})
    void nothingIsLostAndNoReadIsStale(Scenario scenario) {
        assertThat(new ClusterSeeds(scenario, null).run(List.of(), NEW_SEEDS, FaultyCluster::reportEnds))
                .isNotEmpty();
    }
}
