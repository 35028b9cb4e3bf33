package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Replica groups under three coordinators over a simulated log: leaders change while members are removed, copies are
 * made, bricks are drained, and partitions split and merge.
 */
class QuorumGroupsSimTest {
    private static final int NEW_SEEDS = 75;
    private static final int NEW_SEEDS_OF_CRASHES = 50;
    private static final int HEADLESS_SEEDS = 12;

    @Test
    void groupsKeepWhatTheyAcknowledgedWhicheverCoordinatorLeads() {
        assertThat(new ClusterSeeds(Scenario.QUORUM_GROUPS, null).run(KeptSeeds.QUORUM_GROUPS, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void groupsSurviveCrashesOfBricksWhicheverCoordinatorLeads() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.QUORUM_GROUPS, ClusterPlan.Severity.ALL);
        assertThat(seeds.run(List.of(), NEW_SEEDS_OF_CRASHES)).isNotEmpty();
    }

    /** The group is repaired by the coordinator that is elected afterwards. */
    @Test
    void groupsSurviveABrickThatCrashesWhileNoCoordinatorLeads() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.QUORUM_GROUPS, ClusterPlan.Severity.BRICK_CRASHES);
        List<Long> headless = LongStream.range(1, 1_000)
                .filter(seed -> seeds.plan(seed).faults().faults().stream().anyMatch(Fault.Headless.class::isInstance))
                .limit(HEADLESS_SEEDS)
                .boxed()
                .toList();
        Coverage coverage = new Coverage();
        seeds.run(headless, 0).forEach(outcome -> coverage.add(outcome.coverage()));
        assertThat(coverage.missing()).doesNotContain(RareEvent.CRASHED_WITHOUT_LEADER);
    }
}
