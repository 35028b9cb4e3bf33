package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator and its checkers find coordinators that are known to trust their log too much. */
class PlantedLogBugsSimTest {
    private static final int SEEDS_MAX = 500;

    @ParameterizedTest
    @EnumSource(PlantedLogBug.class)
    void isCaught(PlantedLogBug bug) {
        for (long seed = bug.firstSeed(); seed < bug.firstSeed() + SEEDS_MAX; seed++) {
            try {
                ClusterRun.of(
                        ClusterPlan.drawQuorum(seed, ClusterPlan.Severity.HARSH, ClusterSeeds.OPERATIONS), bug::plant);
            } catch (SimulationFailure e) {
                String said = String.valueOf(e.getMessage());
                System.out.println(bug + " is caught by seed " + seed + ": "
                        + said.lines().findFirst().orElse(""));
                return;
            }
        }
        assertThat(bug).as("not caught by %d seeds", SEEDS_MAX).isNull();
    }
}
