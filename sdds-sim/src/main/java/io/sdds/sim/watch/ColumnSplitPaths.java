package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Partition;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.Replicas;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Counts the rare events in the splits of tables with parity groups. */
final class ColumnSplitPaths implements SimNetwork.FrameWatch {
    private final SimCluster cluster;
    private final Coverage coverage;

    /** The splits of which a parity was sent HANDOVER. */
    private final Set<Long> proposed = new TreeSet<>();

    /** By split: the column that receives the keys. */
    private final Map<Long, String> receivers = new TreeMap<>();

    /** The columns whose split was given up, and that no later split has given keys to. */
    private final Set<String> givenUp = new TreeSet<>();

    /** The columns at bricks that are or were their spares. */
    private final Set<String> spares = new TreeSet<>();

    ColumnSplitPaths(SimCluster cluster) {
        this.cluster = cluster;
        this.coverage = cluster.simulation().coverage();
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (length != frame.getIntLE(index)) {
            return; // the beginning of a message in fragments, or nonsense
        }
        if (opcode == Opcode.PREPARE
                && ClusterPlan.isBrick(from.name())
                && GroupHeader.read(frame, index).columns() > 0) {
            prepare(from.name(), DecodedPrepare.read(frame, index, length));
        } else if (opcode == Opcode.CONTROL) {
            switch (ControlFrame.read(frame, index, length)) {
                case MapUpdate update -> update.migrations().forEach(this::ordered);
                case Heartbeat heartbeat -> heartbeat.migrations().forEach(report -> reported(heartbeat, report));
                case Activate activate
                when receivers.containsKey(activate.migration()) -> activated(activate.migration());
                default -> {}
            }
        }
    }

    private void prepare(String primary, DecodedPrepare prepare) {
        GroupHeader header = prepare.header();
        for (DecodedEntry entry : prepare.entries()) {
            DecodedEntry.Moving moving = entry.moving();
            if (entry.kind() == DecodedEntry.HANDOVER && moving != null) {
                proposed.add(moving.migration());
            } else if (entry.kind() == DecodedEntry.DELTA_DROP) {
                dropped(primary, header);
            }
        }
    }

    private void dropped(String primary, GroupHeader header) {
        for (SimBrick brick : cluster.bricks()) {
            Partition column = Replicas.held(brick, header.table(), header.partition());
            if (brick.name().equals(primary) && column != null && !column.isClean()) {
                if (column.isIdle()) {
                    coverage.hit(RareEvent.IDLE_COLUMN_CLEANED);
                }
                if (spares.contains(column(header.table(), header.partition()) + "@" + primary)) {
                    coverage.hit(RareEvent.SPARE_CLEANED);
                }
            }
        }
    }

    private void ordered(MigrationOrder order) {
        ClusterState state = cluster.truth();
        TableMap table = state == null ? null : state.table(order.table());
        if (state == null || table == null || !table.definition().hasParity()) {
            return;
        }
        if (order.kind() == MigrationKind.SPLIT) {
            receivers.put(order.id(), column(order.table(), order.receiver()));
        } else if (order.isRecovery()) {
            String spare = name(state, order.learner());
            spares.add(column(order.table(), order.receiver()) + "@" + spare);
        }
    }

    private static String column(int table, int number) {
        return table + "/" + number;
    }

    private @Nullable String name(ClusterState state, Member process) {
        return cluster.bricks().stream()
                .map(SimBrick::name)
                .filter(name -> {
                    var info = state.brick(name);
                    return info != null && info.number() == process.brick();
                })
                .findFirst()
                .orElse(null);
    }

    private void activated(long split) {
        coverage.hit(RareEvent.COLUMN_SPLIT);
        if (givenUp.remove(receivers.get(split))) {
            coverage.hit(RareEvent.IDLE_COLUMN_USED_AGAIN);
        }
    }

    private void reported(Heartbeat heartbeat, MigrationReport report) {
        String receiver = receivers.get(report.migration());
        ClusterState state = cluster.truth();
        MigrationOrder split = state == null ? null : state.migration(report.migration());
        boolean ended = report.state() == MigrationState.HANDED_OVER || report.state() == MigrationState.ABANDONED;
        if (receiver == null || state == null || split == null || !ended) {
            return;
        }
        boolean abandoned = report.state() == MigrationState.ABANDONED;
        if (abandoned) {
            givenUp.add(receiver);
        }
        Place sender = state.place(split.table(), split.sender());
        boolean isLead = sender.primary().brick() == heartbeat.brick() && isLed(state, split, sender);
        if (isLead) {
            coverage.hit(abandoned ? RareEvent.LEAD_SAID_ABANDONED : RareEvent.LEAD_SAID_HANDED_OVER);
        }
    }

    /** Whether a parity leads the sender of a split. */
    private static boolean isLed(ClusterState state, MigrationOrder split, Place sender) {
        TableMap table = state.table(split.table());
        return table != null
                && state.parities(split.table(), table.definition().parity().group(split.sender()))
                        .leads(sender);
    }

    /** A process is about to crash. Looks at its part in splits that are under way. */
    void crashes(Member process) {
        ClusterState state = cluster.truth();
        if (state == null) {
            return;
        }
        for (MigrationOrder split : state.splits()) {
            if (receivers.containsKey(split.id()) && split.target().primary().equals(process)) {
                coverage.hit(
                        proposed.contains(split.id())
                                ? RareEvent.RECEIVER_DIED_AFTER_HANDOVER
                                : RareEvent.RECEIVER_DIED_EARLY);
            }
        }
    }
}
