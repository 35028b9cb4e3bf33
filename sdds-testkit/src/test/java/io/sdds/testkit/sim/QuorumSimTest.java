package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with three coordinators over a simulated log, whose leader changes while the table
 * grows.
 */
class QuorumSimTest {
    private static final int NEW_SEEDS = 75;
    private static final int COVERING_SEEDS = 150;

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
        new ClusterSeeds(Scenario.QUORUM, ClusterPlan.Severity.ALL)
                .run(LongStream.rangeClosed(1, COVERING_SEEDS).boxed().toList(), 0)
                .forEach(outcome -> coverage.add(outcome.coverage()));
        System.out.print(coverage);
        assertThat(coverage.missing()).doesNotContainAnyElementsOf(CoverageSimTest.WITH_SEVERAL_COORDINATORS);
    }
}
