package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with three coordinators over a simulated log, whose leader changes while the table
 * grows.
 */
class QuorumSimTest {
    private static final int NEW_SEEDS = 75;
    /** The seeds up to which each round goes: the first rounds mostly meet everything, so the others need not run. */
    private static final List<Integer> ROUNDS = List.of(10, 12, 14, 16, 20, 40, 80, 150);

    @Test
    void whatCoordinatorsTellIsCommittedWhoeverLeads() {
        assertThat(new ClusterSeeds(Scenario.QUORUM, null).run(List.of(), NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void theSameSeedIsTheSameRun() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.QUORUM, ClusterPlan.Severity.ALL);
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(seeds.run(seed, planted -> {})).isEqualTo(seeds.run(seed, planted -> {}));
        }
    }

    @Test
    void leadersChangeAndCommandsAreLost() {
        Coverage coverage = new Coverage();
        ClusterSeeds seeds = new ClusterSeeds(Scenario.QUORUM, ClusterPlan.Severity.ALL);
        int from = 1;
        for (int to : ROUNDS) {
            if (isMissing(coverage)) {
                seeds.run(LongStream.rangeClosed(from, to).boxed().toList(), 0)
                        .forEach(outcome -> coverage.add(outcome.coverage()));
                from = to + 1;
            }
        }
        System.out.print(coverage);
        assertThat(coverage.missing()).doesNotContainAnyElementsOf(CoverageSimTest.WITH_SEVERAL_COORDINATORS);
    }

    private static boolean isMissing(Coverage coverage) {
        return !Collections.disjoint(coverage.missing(), CoverageSimTest.WITH_SEVERAL_COORDINATORS);
    }
}
