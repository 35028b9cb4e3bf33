package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.sim.fault.FaultyCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.FaultPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.planted.ControlEdit;
import io.sdds.sim.planted.FrameEdits;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork.Fate;
import io.sdds.sim.world.SimNetwork.FrameFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A column that has been handed over goes on where it was when the target dies before the coordinators know. The old
 * brick's reports come late for that.
 */
class ColumnStaysSimTest {
    private static final long MILLI = 1_000_000L;
    private static final long AT_NANOS = 300 * MILLI;
    private static final long BACK_NANOS = 50 * MILLI;
    private static final long LATE_NANOS = 3_000 * MILLI;
    private static final int SEEDS = 8;

    /** Number of moves of a run whose reports come late, so that the drains end. */
    private static final int LATE_MOVES = 2;

    @Test
    void aColumnStaysWhenItsTargetDiesBeforeTheCommit() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.PARITY_DRAINED, ClusterPlan.Severity.ALL);
        List<Long> all = LongStream.rangeClosed(1, SEEDS).boxed().toList();
        List<Coverage> runs = ClusterSeeds.each(all, seed -> run(seeds.plan(seed)));
        assertThat(runs).anyMatch(run -> !run.missing().contains(RareEvent.COLUMN_STAYED));
    }

    private static Coverage run(ClusterPlan plan) {
        List<Fault> drains = List.of(
                new Fault.Drain(AT_NANOS, "b1", BACK_NANOS, Fault.Drain.NEVER),
                new Fault.Drain(2 * AT_NANOS, "b2", BACK_NANOS, Fault.Drain.NEVER));
        return ClusterRun.of(
                        plan.with(new FaultPlan(drains)),
                        cluster -> cluster.simulation().network().filter(new LateReports(cluster)))
                .coverage();
    }

    /** Hides for some time that columns have been handed over, and crashes their targets meanwhile. */
    private static final class LateReports implements FrameFilter {
        private final FaultyCluster cluster;
        private final Map<Long, Long> firstNanos = new HashMap<>();

        LateReports(FaultyCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            if (!(FrameEdits.message(frame, index, length) instanceof Heartbeat heartbeat)
                    || heartbeat.migrations().stream().noneMatch(this::isLate)) {
                return Fate.SENT;
            }
            List<MigrationReport> reports = heartbeat.migrations().stream()
                    .filter(report -> !isLate(report))
                    .toList();
            return Fate.replacedBy(FrameEdits.frame(frame, index, ControlEdit.with(heartbeat, "migrations", reports)));
        }

        private boolean isLate(MigrationReport report) {
            ClusterState state = cluster.truth();
            MigrationOrder order = state == null ? null : state.migration(report.migration());
            if (state == null
                    || order == null
                    || !order.isMove()
                    || report.state() != MigrationState.HANDED_OVER
                    || !state.table(order.table()).definition().hasParity()) {
                return false;
            }
            long now = cluster.simulation().nowNanos();
            if (!firstNanos.containsKey(order.id()) && firstNanos.size() == LATE_MOVES) {
                return false;
            }
            if (!firstNanos.containsKey(order.id())) {
                firstNanos.put(order.id(), now);
                String target = state.brick(order.target().brick()).id();
                cluster.simulation().after(MILLI, () -> cluster.happen(new Fault.Crash(0, target, BACK_NANOS)));
            }
            return now - firstNanos.get(order.id()) < LATE_NANOS;
        }
    }
}
