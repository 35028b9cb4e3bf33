package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Replica groups under three coordinators over a simulated log: leaders change while members are removed, copies are
 * made, bricks are drained, and partitions split and merge.
 */
class QuorumGroupsSimTest {
    private static final int NEW_SEEDS = 150;
    private static final int NEW_SEEDS_OF_CRASHES = 100;

    @Test
    void groupsKeepWhatTheyAcknowledgedWhicheverCoordinatorLeads() {
        assertThat(new ClusterSeeds(Shape.QUORUM_GROUPS, null).run(KeptSeeds.QUORUM_GROUPS, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void groupsSurviveCrashesOfBricksWhicheverCoordinatorLeads() {
        ClusterSeeds seeds = new ClusterSeeds(Shape.QUORUM_GROUPS, ClusterPlan.Severity.ALL);
        assertThat(seeds.run(List.of(), NEW_SEEDS_OF_CRASHES)).isNotEmpty();
    }
}
