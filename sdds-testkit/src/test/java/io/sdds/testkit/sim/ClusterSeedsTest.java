package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClusterSeedsTest {
    @Test
    void aFailureTellsItsSeedItsPlanAndItsLastLines() {
        ClusterSeeds seeds = new ClusterSeeds(Shape.GROWING, ClusterPlan.Severity.ROUGH, 200);
        assertThatThrownBy(() -> seeds.run(
                        7,
                        cluster -> cluster.simulation().after(1_000_000_000L, () -> {
                            throw new SimulationFailure("what was planted");
                        })))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("what was planted")
                .hasMessageContaining("seed 7: ")
                .hasMessageContaining("Heartbeat[brick=")
                .hasMessageContaining("-Dsdds.seed=7 (it fails the same way each time)")
                .hasMessageContaining("shrunk: seed 7 with -Dsdds.operations=")
                .hasMessageContaining("-Dtest=ReplaySimTest -Dsdds.seed=7 -Dsdds.severity=ROUGH -Dsdds.drawn=200 ");
    }

    @Test
    void aPlantedBugIsShrunkToARunThatStillFails() {
        ClusterSeeds seeds = new ClusterSeeds(Shape.GROWING, ClusterPlan.Severity.HARSH);
        long seed = LongStream.range(1, 100)
                .filter(PlantedBug.CONDITION_IGNORED::isCaughtBy)
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> seeds.run(seed, PlantedBug.CONDITION_IGNORED::plant))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is not linearizable")
                .hasMessageContaining("made smaller in ")
                .hasMessageContaining("shrunk: seed " + seed + " with -Dsdds.operations=")
                .hasMessageContaining(" -Dsdds.faults=none");
    }
}
