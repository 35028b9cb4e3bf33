package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator and its checkers find nodes that are known to be bad at merging. */
class PlantedMergeBugsSimTest {
    private static final int SEEDS_MAX = 500;
    private static final int OPERATIONS = 1500;

    @ParameterizedTest
    @EnumSource(PlantedMergeBug.class)
    void isCaught(PlantedMergeBug bug) {
        for (long seed = bug.firstSeed(); seed < bug.firstSeed() + SEEDS_MAX; seed++) {
            if (isCaughtBy(bug, seed)) {
                System.out.println(bug + " is caught by seed " + seed);
                return;
            }
        }
        assertThat(bug).as("not caught by %d seeds", SEEDS_MAX).isNull();
    }

    static boolean isCaughtBy(PlantedMergeBug bug, long seed) {
        ClusterPlan plan = ClusterPlan.drawShrinking(seed, ClusterPlan.Severity.COORDINATOR_CRASHES, OPERATIONS);
        try {
            ClusterRun.of(
                    plan,
                    cluster -> cluster.simulation()
                            .network()
                            .filter(bug.plant(cluster.simulation().fork("planted bug"))));
            return false;
        } catch (SimulationFailure e) {
            return true;
        }
    }
}
