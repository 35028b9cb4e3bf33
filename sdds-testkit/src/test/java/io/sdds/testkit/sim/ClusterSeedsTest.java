package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClusterSeedsTest {
    @Test
    void aFailureTellsItsSeedItsPlanAndItsLastLines() {
        ClusterSeeds seeds = new ClusterSeeds(ClusterPlan.Severity.ROUGH, 500);
        assertThatThrownBy(() -> seeds.run(
                        7,
                        cluster -> cluster.simulation()
                                .network()
                                .filter(PlantedBug.CURSOR_SKIPS.plant(
                                        cluster.simulation().fork("planted bug")))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("lacks what was there throughout")
                .hasMessageContaining("seed 7: ")
                .hasMessageContaining("lose their connections")
                .hasMessageContaining(" SCAN ")
                .hasMessageContaining("-Dsdds.seed=7 (it fails the same way each time)");
    }
}
