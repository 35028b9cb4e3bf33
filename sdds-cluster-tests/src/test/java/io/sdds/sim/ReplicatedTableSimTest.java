package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.plan.WorkloadPlan;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes with tables whose partitions are replica groups: nothing that was acknowledged is
 * ever lost.
 */
class ReplicatedTableSimTest {
    private static final int NEW_SEEDS = 75;
    private static final int NEW_SEEDS_OF_CRASHES = 25;

    /** 2 s until a member is missed, and the time until all have heard what follows from it, a few times over. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    @Test
    void replicatedTableStaysLinearizableAndLosesNothing() {
        assertThat(new ClusterSeeds(Scenario.REPLICATED, null).run(KeptSeeds.REPLICATED, NEW_SEEDS))
                .isNotEmpty();
    }

    @Test
    void groupsOfHealthyClustersLoseNoConnection() {
        List<Long> seeds = LongStream.range(1, 20).boxed().toList();
        assertThat(new ClusterSeeds(Scenario.REPLICATED, ClusterPlan.Severity.CALM).run(seeds, 0))
                .allMatch(outcome -> outcome.connectionsLost() == 0);
    }

    @Test
    void bricksThatCantReachEachOtherLoseNothing() {
        assertThat(new ClusterSeeds(Scenario.APART, null).run(KeptSeeds.APART, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }

    /**
     * One of the two leaves the groups that they have in common: whoever can wait for that long is answered, unless one
     * of the two is to forward his requests to the other.
     */
    @Test
    void groupsGoOnThoughTheirMembersCantReachEachOther() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.APART, ClusterPlan.Severity.CALM);
        List<Long> patient = LongStream.range(1, 60)
                .filter(seed -> isPatient(seeds.plan(seed)))
                .boxed()
                .toList();
        List<ClusterRun.Outcome> outcomes = seeds.run(patient, 0);
        assertThat(outcomes).allMatch(outcome -> outcome.failures() == 0);
        assertThat(outcomes).anyMatch(outcome -> outcome.coverage().count(RareEvent.GROUP_MISSED) > 0);
    }

    @Test
    void groupsOfBricksWithLittleMemoryLoseNothing() {
        Coverage coverage = new ClusterSeeds(Scenario.FILLING, null)
                .runUntil(KeptSeeds.FILLING, NEW_SEEDS_OF_CRASHES, RareEvent.MEMORY_FULL);
        assertThat(coverage.missing()).doesNotContain(RareEvent.MEMORY_FULL);
        assertThat(new ClusterSeeds(Scenario.FILLING, ClusterPlan.Severity.ALL).run(KeptSeeds.FILLING_CRASHES, 0))
                .isNotEmpty();
    }

    /** A table whose writes need two copies refuses them until copies join. */
    private static boolean isPatient(ClusterPlan plan) {
        WorkloadPlan workload = plan.table().workload();
        return workload.timeoutNanos() >= PATIENCE_NANOS && !workload.adjustmentsOnly() && plan.minCopies() == 1;
    }

    @Test
    void crashedMembersTakeNothingWithThem() {
        List<Long> seeds = new ArrayList<>(KeptSeeds.REPLICATED_CRASHES);
        seeds.addAll(ClusterSeeds.first(60));
        assertThat(new ClusterSeeds(Scenario.REPLICATED, ClusterPlan.Severity.ALL).run(seeds, NEW_SEEDS_OF_CRASHES))
                .isNotEmpty();
    }
}
