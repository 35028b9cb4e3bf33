package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClusterSeedsTest {
    @Test
    void aFailureTellsItsSeedItsPlanAndItsLastLines() {
        ClusterSeeds seeds = new ClusterSeeds(ClusterPlan.Severity.ROUGH, 200);
        assertThatThrownBy(() -> seeds.run(
                        7,
                        cluster -> cluster.simulation().after(1_000_000_000L, () -> {
                            throw new SimulationFailure("what was planted");
                        })))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("what was planted")
                .hasMessageContaining("seed 7: ")
                .hasMessageContaining("Heartbeat[brick=")
                .hasMessageContaining("-Dsdds.seed=7 (it fails the same way each time)");
    }
}
