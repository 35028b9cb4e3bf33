package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.fault.FaultyCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.FaultPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.plan.WorkloadPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** During a fault whatever has a majority or a lease goes on: each operation succeeds within a time. */
class AvailabilitySimTest {
    private static final long MILLI = 1_000_000L;
    /** By then each client has written, and has the session for it, which a coordinator opens. */
    private static final long AT_NANOS = 200 * MILLI;

    private static final long FAULT_NANOS = 9_000 * MILLI;
    private static final int SEEDS = 12;

    /** Of a healthy cluster whose coordinators are no part of it. */
    private static final long USUAL_NANOS = 250 * MILLI;

    @Test
    void readsAndWritesGoOnWithoutAnyCoordinator() {
        assertNothingFails(
                Scenario.REPLICATED, USUAL_NANOS, plan -> List.of(new Fault.Crash(AT_NANOS, "c1", FAULT_NANOS)));
    }

    @Test
    void readsAndWritesGoOnWhileOneOfThreeCoordinatorsIsCutOff() {
        assertNothingFails(
                Scenario.QUORUM_GROUPS,
                USUAL_NANOS,
                plan -> List.of(new Fault.Partition(AT_NANOS, List.of("c2"), false, FAULT_NANOS)));
    }

    @Test
    void aGroupThatLosesAMemberGoesOnWithinFourSeconds() {
        assertNothingFails(
                Scenario.REPLICATED, 4_000 * MILLI, plan -> List.of(new Fault.Crash(AT_NANOS, "b2", FAULT_NANOS)));
    }

    @Test
    void aGroupThatLosesAMemberTogetherWithACoordinatorGoesOnWithinFourSeconds() {
        assertNothingFails(
                Scenario.QUORUM_GROUPS,
                4_000 * MILLI,
                plan -> List.of(
                        new Fault.Crash(AT_NANOS, "c1", FAULT_NANOS), new Fault.Crash(AT_NANOS, "b2", FAULT_NANOS)));
    }

    private static void assertNothingFails(
            Scenario scenario, long withinNanos, Function<ClusterPlan, List<Fault>> faults) {
        ClusterSeeds seeds = new ClusterSeeds(scenario, ClusterPlan.Severity.CALM);
        List<Long> suitable = LongStream.range(1, 2_000)
                .filter(seed -> isSuitable(seeds.plan(seed)))
                .limit(SEEDS)
                .boxed()
                .toList();
        List<String> failed = new ArrayList<>();
        for (ClusterRun.Outcome outcome :
                ClusterSeeds.each(suitable, seed -> run(seeds.plan(seed), withinNanos, faults))) {
            assertThat(outcome.operations()).isPositive();
            if (outcome.failures() > 0) {
                failed.add(outcome + ": " + outcome.firstFailure());
            }
        }
        assertThat(failed)
                .as("runs in which an operation took longer, of seeds %s", suitable)
                .isEmpty();
    }

    private static ClusterRun.Outcome run(
            ClusterPlan plan, long withinNanos, Function<ClusterPlan, List<Fault>> faults) {
        WorkloadPlan workload = plan.table().workload().withTimeoutNanos(withinNanos);
        return ClusterRun.of(
                plan.with(plan.table().withWorkload(workload)).with(new FaultPlan(faults.apply(plan))),
                FaultyCluster::aimNoFaults);
    }

    /**
     * Of plans in which nothing else makes an operation wait: large values over slow ways, full queues, short memory,
     * sessions that end soon, copies without which nothing is written, images that are only adjusted.
     */
    private static boolean isSuitable(ClusterPlan plan) {
        return !plan.mayRefuse()
                && !plan.settingsDiffer()
                && plan.minCopies() == 1
                && !plan.mayFill()
                && !plan.table().workload().adjustmentsOnly()
                && plan.table().workload().valueBytesMax() < 1_000
                && plan.brickDelayNanos() == 0
                && plan.sessionLeaseNanos() > 10_000 * MILLI
                && plan.faultsNanos() > 2 * AT_NANOS;
    }
}
