package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator and its checkers find replica groups that are known to be bad. */
class PlantedGroupBugsSimTest {
    private static final int SEEDS_MAX = 500;
    private static final int OPERATIONS = 1000;

    @ParameterizedTest
    @EnumSource(PlantedGroupBug.class)
    void isCaught(PlantedGroupBug bug) {
        for (long seed = 1; seed <= SEEDS_MAX; seed++) {
            if (isCaughtBy(bug, seed)) {
                System.out.println(bug + " is caught by seed " + seed);
                return;
            }
        }
        assertThat(bug).as("not caught by %d seeds", SEEDS_MAX).isNull();
    }

    private static boolean isCaughtBy(PlantedGroupBug bug, long seed) {
        ClusterPlan plan = ClusterPlan.drawReplicated(seed, ClusterPlan.Severity.ALL, OPERATIONS);
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
