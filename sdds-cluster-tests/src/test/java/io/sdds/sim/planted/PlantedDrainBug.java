package io.sdds.sim.planted;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Known-bad variants of the nodes that only drains and moves can show, made as those of {@link PlantedBug}. */
enum PlantedDrainBug implements Planted {
    /** A brick is said to be empty that is not. */
    DRAIN_ENDS_EARLY(10) {
        @Override
        SimNetwork.FrameFilter filter(SimCluster cluster) {
            return FrameEdits.messages(
                    DrainStatus.class,
                    status -> status.draining() ? ControlEdit.with(status, "partitionsLeft", 0) : status);
        }
    },

    /** A joiner is said to have caught up before it has all: it takes the place of one that has. */
    LEAVES_BEFORE_JOINED(2) {
        @Override
        SimNetwork.FrameFilter filter(SimCluster cluster) {
            return FrameEdits.messages(Heartbeat.class, heartbeat -> {
                List<MigrationReport> reports = heartbeat.migrations().stream()
                        .map(report -> report.state() == MigrationState.SHIPPING
                                        && report.shippedBytes() > 0
                                        && isOfLearner(cluster, report)
                                ? ControlEdit.with(report, "state", MigrationState.HANDED_OVER)
                                : report)
                        .toList();
                return ControlEdit.with(heartbeat, "migrations", reports);
            });
        }
    },

    /**
     * A group goes on without a member that was told to leave and has not heard of it, nor hears soon that it is none:
     * it answers reads by its lease.
     */
    LEAVER_SERVES_ON(9) {
        @Override
        SimNetwork.FrameFilter filter(SimCluster cluster) {
            Map<String, LeaveOrder> told = new HashMap<>();
            return (from, to, frame, index, length) -> {
                ControlMessage message = FrameEdits.message(frame, index, length);
                if (message instanceof MapUpdate update) {
                    update.leaves().stream()
                            .filter(leave -> isOf(cluster, leave, to.name()))
                            .forEach(leave -> told.put(to.name(), leave));
                    boolean notice = frame.getByte(index + ControlFrame.KIND) == ControlFrame.NOTICE;
                    return notice && told.containsKey(to.name())
                            ? Fate.LOST
                            : Fate.replacedBy(FrameEdits.frame(frame, index, hideLeaves(update)));
                }
                if (message instanceof Heartbeat heartbeat && told.containsKey(from.name())) {
                    Heartbeat other = giveUp(heartbeat, told.get(from.name()));
                    return Fate.replacedBy(FrameEdits.frame(frame, index, other));
                }
                return Fate.SENT;
            };
        }

        private boolean isOf(SimCluster cluster, LeaveOrder leave, String brick) {
            ClusterState state = cluster.truth();
            BrickInfo info = state == null ? null : state.brick(leave.leaver().brick());
            return info != null && info.id().equals(brick);
        }

        private MapUpdate hideLeaves(MapUpdate update) {
            List<LeaveOrder> hidden = update.leaves().stream()
                    .map(leave -> ControlEdit.with(leave, "epoch", NO_EPOCH))
                    .toList();
            return ControlEdit.with(update, "leaves", hidden);
        }

        private Heartbeat giveUp(Heartbeat heartbeat, LeaveOrder leave) {
            List<PartitionLoad> loads = heartbeat.loads().stream()
                    .map(load -> leave.table() == load.table() && leave.partition() == load.partition()
                            ? ControlEdit.with(
                                    ControlEdit.with(load, "level", PartitionLoad.GIVEN_UP), "epoch", leave.epoch())
                            : load)
                    .toList();
            return ControlEdit.with(heartbeat, "loads", loads);
        }
    },

    /** Changes of loads get lost and are confirmed all the same: that a copy was given up is never heard. */
    CHANGES_OF_LOADS_LOST(10) {
        @Override
        SimNetwork.FrameFilter filter(SimCluster cluster) {
            return FrameEdits.messages(
                    Heartbeat.class,
                    heartbeat ->
                            heartbeat.loadsSince() == 0 ? heartbeat : ControlEdit.with(heartbeat, "loads", List.of()));
        }
    },

    /** A coordinator forgets that a brick is being drained as soon as it has said so, and chooses it again. */
    DRAINING_BRICK_CHOSEN(10) {
        @Override
        SimNetwork.FrameFilter filter(SimCluster cluster) {
            return (from, to, frame, index, length) -> {
                ClusterState state = cluster.truth();
                if (state != null
                        && FrameEdits.message(frame, index, length) instanceof DrainStatus status
                        && status.draining()) {
                    cluster.simulation().after(FORGOTTEN_NANOS, () -> forget(cluster, state, status.brick()));
                }
                return Fate.SENT;
            };
        }

        private void forget(SimCluster cluster, ClusterState state, String id) {
            BrickInfo brick = state.brick(id);
            if (brick != null) {
                state.apply(new Command.DrainBrick(brick.number(), brick.incarnation(), false));
                cluster.simulation().tampering().happened(() -> "forgotten that " + id + " is being drained");
            }
        }
    };

    private static final long NO_EPOCH = -1;
    private static final long FORGOTTEN_NANOS = 1_000_000;

    private final long firstSeed;

    PlantedDrainBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    private static boolean isOfLearner(SimCluster cluster, MigrationReport report) {
        ClusterState state = cluster.truth();
        MigrationOrder order = state == null ? null : state.migration(report.migration());
        return order != null && order.isLearner();
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.DRAINED;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ALL;
    }

    @Override
    public void plant(SimCluster cluster) {
        cluster.simulation().network().filter(filter(cluster));
    }

    /** A filter that behaves so; new for each run. */
    abstract SimNetwork.FrameFilter filter(SimCluster cluster);
}
