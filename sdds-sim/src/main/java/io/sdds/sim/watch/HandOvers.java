package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks how partitions are handed over by splits, merges and moves (docs/design/migration.md, rules 13 and 14).
 *
 * <ol>
 *   <li>Several splits of a hash table hand over in the order of n, each only after the log of the coordinator has the
 *       previous split; otherwise an image of the file would imply partitions that do not exist.
 *   <li>No brick reports a migration as abandoned and as handed over.
 *   <li>The source hands over only complete copies: every target has acknowledged every slice that was sent to it, and
 *       the last of these slices ends with a SEAL. The source of a group has handed over when HANDOVER or SUBSUME
 *       leaves in a PREPARE; so an entry that is prepared implies complete targets.
 *   <li>Such a SEAL leaves only when every member of the source's group has voted for every write of a moving key that
 *       the primary has sent before. The same holds of the writes before HANDOVER or SUBSUME when that entry leaves;
 *       and of each that was sent behind the first slice the result is in a slice, and so is its change.
 *   <li>Nobody acts on HANDOVER or SUBSUME before all members of the source's group have voted for it in one epoch: no
 *       Activate leaves, no report of HANDED_OVER, no PREPARE of the child's group, no ABSORB in the parent's log. A
 *       merge is reported only when all members of the parent's group have voted for ABSORB.
 *   <li>No write of a moving key stands behind HANDOVER or SUBSUME in the log of the source's group. None of the
 *       child's keys stands before ABSORB in the log of the parent's group.
 *   <li>When all members of the source's group have voted for HANDOVER or SUBSUME, only a target reports ABANDONED (it
 *       does when all of the source is lost).
 * </ol>
 *
 * <p>Rules 3 to 7 hold while the map orders the migration, until a partition of it is lost. A partition of one copy is
 * a group whose only member votes by itself: of rules 4 to 7 nothing is seen. Of a table with parity groups only rules
 * 1 and 2 are checked, and of 3 that the target has applied what it was sent: other members can hand over in the place
 * of a column that is lost. A group that has, or comes to have, one member commits alone; so does one whose entries
 * come in fragments, which a watch does not see. Of these, rule 5 is not checked.
 */
public final class HandOvers implements SimNetwork.FrameWatch {
    private static final int ACTIVATE = ControlFrame.types().indexOf(Activate.class) + 1;
    private static final int HEARTBEAT = ControlFrame.types().indexOf(Heartbeat.class) + 1;
    private static final int SNAPSHOT_ACK = ControlFrame.types().indexOf(SnapshotAck.class) + 1;
    private static final int SNAPSHOT_OPENED = ControlFrame.types().indexOf(SnapshotOpened.class) + 1;

    /** By id, what the map orders. */
    private final Map<Long, HandOver> handOvers = new TreeMap<>();

    /** Migrations of partitions that were lost. */
    private final Set<Long> lost = new HashSet<>();

    /** Migrations of tables that have parity, or are being converted to it. */
    private final Set<Long> withParity = new HashSet<>();

    private final SeenVotes votes = new SeenVotes();
    private final Supplier<@Nullable ClusterState> truth;
    private final Coverage coverage;
    private long version = -1;
    private int atOnceMost;

    /** @param truth the committed state; null while it is unknown */
    public HandOvers(Supplier<@Nullable ClusterState> truth, Coverage coverage) {
        this.truth = truth;
        this.coverage = coverage;
    }

    /** The highest number of running splits of one table at a hand-over. */
    public int atOnceMost() {
        return atOnceMost;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (!ClusterPlan.isBrick(from.name())) {
            return;
        }
        ClusterState state = truth.get();
        if (state != null && state.version() != version) {
            version = state.version();
            learn(state);
        }
        boolean isWhole = length == frame.getIntLE(index);
        switch (frame.getByte(index + 4)) {
            case Opcode.SLICE -> sent(to.name(), frame, index, length, isWhole);
            case Opcode.PREPARE -> prepared(frame, index, length, isWhole);
            case Opcode.VOTE -> voted(frame, index, length);
            case Opcode.CONTROL -> control(from, to, frame, index, length);
            default -> {}
        }
    }

    // ---- what the map orders

    private void learn(ClusterState state) {
        handOvers.values().removeIf(handOver -> {
            MigrationOrder order = handOver.order();
            return state.migration(order.id()) == null || isLost(state, order);
        });
        for (MigrationOrder order : state.migrations()) {
            TableMap table = state.table(order.table());
            if (table != null && order.isTransfer() && !isLost(state, order)) {
                HandOver handOver = handOvers.computeIfAbsent(order.id(), id -> handOver(state, table, order));
                handOver.source().place(state.place(order.table(), order.sender()));
                if (order.isMerge()) {
                    handOver.target().place(state.place(order.table(), order.receiver()));
                }
            }
        }
    }

    private boolean isLost(ClusterState state, MigrationOrder order) {
        boolean isLostNow = state.place(order.table(), order.sender()).lost()
                || order.isMerge()
                        && state.place(order.table(), order.receiver()).lost();
        if (isLostNow) {
            lost.add(order.id());
        }
        return lost.contains(order.id());
    }

    private HandOver handOver(ClusterState state, TableMap table, MigrationOrder order) {
        List<String> targets = order.target().members().stream()
                .map(member -> state.brick(member.brick()))
                .map(brick -> brick == null ? "" : brick.id())
                .toList();
        return new HandOver(order, table.definition().kind(), targets, votes);
    }

    // ---- frames of copies and groups

    private void sent(String brick, ByteBuf frame, int index, int length, boolean isWhole) {
        SliceHeader header = SliceHeader.read(frame, index);
        HandOver handOver = handOvers.get(header.migration());
        if (handOver != null && isWhole) {
            handOver.sent(brick, DecodedSlice.read(frame, index, length));
        } else if (handOver != null) {
            handOver.sentUnseen(brick, header);
        }
    }

    private void prepared(ByteBuf frame, int index, int length, boolean isWhole) {
        GroupHeader header = GroupHeader.read(frame, index);
        List<HandOver> ofGroup = ofGroup(header);
        if (!ofGroup.isEmpty() && isWhole) {
            DecodedPrepare prepare = DecodedPrepare.read(frame, index, length);
            ofGroup.forEach(handOver -> handOver.prepared(prepare));
        } else {
            ofGroup.forEach(handOver -> handOver.preparedUnseen(header));
        }
    }

    private void voted(ByteBuf frame, int index, int length) {
        DecodedVote vote = DecodedVote.read(frame, index, length);
        votes.voted(vote);
        ofGroup(vote.header()).forEach(handOver -> handOver.voted(vote.header()));
    }

    /** The migrations, of tables without parity, that a group takes part in. */
    private List<HandOver> ofGroup(GroupHeader header) {
        return handOvers.values().stream()
                .filter(handOver -> handOver.isOf(header) && !hasParity(handOver.order()))
                .toList();
    }

    private boolean hasParity(MigrationOrder order) {
        ClusterState state = truth.get();
        TableMap table = state == null ? null : state.table(order.table());
        if (table != null && table.definition().hasParity()) {
            withParity.add(order.id());
        }
        return withParity.contains(order.id());
    }

    // ---- control messages

    private void control(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        int code = frame.getUnsignedShortLE(index + ControlFrame.CODE);
        if (code != SNAPSHOT_ACK && code != SNAPSHOT_OPENED && code != ACTIVATE && code != HEARTBEAT) {
            return;
        }
        switch (ControlFrame.read(frame, index, length)) {
            case SnapshotAck acked -> applied(from, acked.migration(), acked.attempt(), acked.slice());
            case SnapshotOpened resumed -> applied(from, resumed.migration(), resumed.attempt(), resumed.applied());
            case Activate activate -> onActivate(activate, to);
            case Heartbeat heartbeat -> {
                checkContradictions(heartbeat);
                heartbeat.migrations().forEach(report -> reported(from.name(), report));
            }
            default -> {}
        }
    }

    private void applied(SimEnv target, long migration, int attempt, long slice) {
        HandOver handOver = handOvers.get(migration);
        if (handOver != null) {
            handOver.applied(target.name(), attempt, slice);
        }
    }

    private static void checkContradictions(Heartbeat heartbeat) {
        for (MigrationReport report : heartbeat.migrations()) {
            boolean contradicted = report.state() == MigrationState.ABANDONED
                    && heartbeat.migrations().stream()
                            .anyMatch(other -> other.migration() == report.migration()
                                    && other.state() == MigrationState.HANDED_OVER);
            if (contradicted) {
                throw new SimulationFailure("brick " + heartbeat.brick() + " reports migration " + report.migration()
                        + " as abandoned and as handed over: " + heartbeat.migrations());
            }
        }
    }

    private void reported(String brick, MigrationReport report) {
        HandOver handOver = handOvers.get(report.migration());
        if (handOver == null || hasParity(handOver.order())) {
            return;
        }
        if (report.state() == MigrationState.HANDED_OVER) {
            handOver.saidHandedOver(brick);
        } else if (report.state() == MigrationState.ABANDONED) {
            handOver.saidAbandoned(brick);
        }
    }

    private void onActivate(Activate activate, SimEnv to) {
        ClusterState state = truth.get();
        HandOver handOver = handOvers.get(activate.migration());
        if (state != null && state.migration(activate.migration()) != null) { // otherwise it was committed long ago
            checkOrder(state, activate);
        }
        if (handOver != null && hasParity(handOver.order())) {
            handOver.checkApplied(to.name(), activate.attempt());
        } else if (handOver != null) {
            handOver.activated();
        }
    }

    private static boolean isIndex(@Nullable TableMap table) {
        return table != null && table.definition().name().equals(IndexRecord.TABLE);
    }

    private void checkOrder(ClusterState state, Activate handOver) {
        TableMap table = state.table(handOver.table());
        MigrationOrder handed = state.migration(handOver.migration());
        boolean inOrder =
                table != null && table.definition().kind() == TableKind.HASH && handed != null && !handed.isMove();
        int atOnce = 0;
        for (MigrationOrder order : state.splits()) {
            if (order.table() != handOver.table() && !isIndex(state.table(order.table()))) {
                coverage.hit(RareEvent.TABLES_SPLIT_AT_ONCE);
            }
            if (order.table() != handOver.table() || order.isMove()) {
                continue;
            }
            atOnce++;
            if (inOrder && order.child() < handOver.receiver()) {
                throw new SimulationFailure("partition " + handOver.receiver() + " was handed over before "
                        + order.child() + ", whose split is under way: " + order);
            }
        }
        atOnceMost = Math.max(atOnceMost, atOnce);
    }
}
