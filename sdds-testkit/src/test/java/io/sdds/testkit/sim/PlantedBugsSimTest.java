package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator and its checkers find nodes that are known to be bad. */
class PlantedBugsSimTest {
    private static final int SEEDS_MAX = 500;
    private static final int OPERATIONS = 1000;

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void isCaught(PlantedBug bug) {
        for (long seed = bug.firstSeed(); seed < bug.firstSeed() + SEEDS_MAX; seed++) {
            if (isCaughtBy(bug, seed)) {
                return;
            }
        }
        assertThat(bug).as("not caught by %d seeds", SEEDS_MAX).isNull();
    }

    static boolean isCaughtBy(PlantedBug bug, long seed) {
        try {
            ClusterRun.of(ClusterPlan.draw(seed, bug.severity(), OPERATIONS), bug::plant);
            return false;
        } catch (SimulationFailure e) {
            return true;
        }
    }
}
