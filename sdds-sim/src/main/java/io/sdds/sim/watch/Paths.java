package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the paths that requests and control messages take, as the frames on the wire tell them. */
public final class Paths implements SimNetwork.FrameWatch {
    private final SimCluster cluster;
    private final Coverage coverage;
    private final Set<Integer> registered = new HashSet<>();
    private final Map<Integer, Integer> sessionsOpened = new HashMap<>();
    private final Set<Long> renewals = new HashSet<>();
    private final Set<Long> abandoned = new HashSet<>();
    private final Map<String, Integer> seals = new HashMap<>();

    /** By attempt of a shipping: the last slice that was sent. */
    private final Map<String, Long> slices = new HashMap<>();

    /** Attempts that went on over another link. */
    private final Set<String> resumed = new HashSet<>();

    /** Shippings of merges that have not been handed over. */
    private final Set<Long> merges = new HashSet<>();

    private final Set<Long> learners = new HashSet<>();

    /** Shippings of groups. */
    private final Set<Long> ofGroups = new HashSet<>();

    /** Shippings of moves that have not been handed over. */
    private final Set<Long> moves = new HashSet<>();

    public Paths(SimCluster cluster) {
        this.cluster = cluster;
        this.coverage = cluster.simulation().coverage();
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (Opcode.isRequest(opcode)) {
            request(frame, index);
        } else if (opcode == Opcode.REPLY) {
            boolean hasBody = index + length > ReplyFrame.body(frame, index);
            reply(frame.getByte(index + ReplyFrame.STATUS), hasBody);
        } else if (Opcode.isOfGroup(opcode)) {
            group(opcode, frame, index, length);
        } else if (opcode == Opcode.SLICE) {
            slice(to, frame, index, length);
        } else if (opcode == Opcode.CONTROL) {
            control(connection, from, to, frame, index, length);
        }
    }

    /** A slice bears its number within an attempt. */
    private void slice(SimEnv to, ByteBuf frame, int index, int length) {
        SliceHeader slice = SliceHeader.read(frame, index);
        String attempt = slice.migration() + "/" + slice.attempt();
        if (slice.number() <= slices.getOrDefault(attempt, 0L) && resumed.contains(attempt)) {
            coverage.hit(RareEvent.SLICE_SENT_AGAIN);
        } else if (DecodedSlice.isSealed(frame, index, length)) {
            sealed(slice, attempt + to.name());
        }
        slices.merge(attempt, slice.number(), Math::max);
    }

    private void request(ByteBuf frame, int index) {
        int forAddress = frame.getByte(index + RequestFrame.ADDRESSING_HOPS);
        int hops = frame.getByte(index + RequestFrame.HOPS);
        if (hops == 0) {
            return;
        }
        if (forAddress > 0) {
            coverage.hit(forAddress == 1 ? RareEvent.FORWARDED : RareEvent.FORWARDED_TWICE);
        }
        if (hops > forAddress) {
            coverage.hit(RareEvent.FORWARDED_FOR_PLACE);
        }
    }

    private void group(byte opcode, ByteBuf frame, int index, int length) {
        if (opcode == Opcode.CONFIRM) {
            coverage.hit(RareEvent.GROUP_CONFIRMED);
        } else if (opcode == Opcode.PREPARE) {
            prepare(GroupHeader.read(frame, index).epoch(), DecodedPrepare.heads(frame, index, length));
        }
    }

    private void prepare(long epoch, List<DecodedEntry.Head> entries) {
        if (!entries.isEmpty()) {
            coverage.hit(RareEvent.GROUP_ENTRY);
        }
        for (DecodedEntry.Head entry : entries) {
            if (entry.epoch() < epoch) {
                coverage.hit(
                        switch (entry.kind()) {
                            case DecodedEntry.HANDOVER -> RareEvent.GROUP_SPLIT_INHERITED;
                            case DecodedEntry.SUBSUME -> RareEvent.GROUP_MERGE_INHERITED;
                            case DecodedEntry.ABSORB -> RareEvent.GROUP_ABSORB_INHERITED;
                            default -> RareEvent.GROUP_INHERITED;
                        });
            }
        }
    }

    private void reply(byte status, boolean hasBody) {
        switch (status) {
            case Status.BUSY -> coverage.hit(RareEvent.BUSY);
            case Status.MEMORY_FULL -> coverage.hit(RareEvent.MEMORY_FULL);
            case Status.REDIRECT -> coverage.hit(RareEvent.REDIRECTED);
            case Status.STALE_REQUEST -> coverage.hit(RareEvent.STALE_REQUEST);
            case Status.TOO_FEW_COPIES -> coverage.hit(hasBody ? RareEvent.TOO_FEW_PARITIES : RareEvent.TOO_FEW_COPIES);
            case Status.NO_PROGRAM -> coverage.hit(RareEvent.PROGRAM_MISSING);
            case Status.UNKNOWN -> coverage.hit(RareEvent.UNKNOWN);
            default -> {}
        }
    }

    private void control(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        long call = connection << Integer.SIZE | frame.getIntLE(index + ControlFrame.CORRELATION);
        switch (ControlFrame.read(frame, index, length)) {
            case OpenSession open -> {
                if (sessionsOpened.merge(from.index(), 1, Integer::sum) > 1) {
                    coverage.hit(RareEvent.SESSION_REPLACED);
                }
            }
            case RenewSession renewal -> renewals.add(call);
            case Done done when renewals.remove(call) -> coverage.hit(RareEvent.SESSION_RENEWED);
            case Refused refused -> refused(refused, from);
            case RegisterBrick register -> {
                if (!registered.add(from.index())) {
                    coverage.hit(RareEvent.REGISTERED_AGAIN);
                }
            }
            case Activate handOver
            when isOfGroup(handOver.table()) ->
                coverage.hit(merges.contains(handOver.migration()) ? RareEvent.GROUP_MERGED : RareEvent.GROUP_SPLIT);
            case SnapshotOpened goesOn
            when goesOn.applied() > 0 -> {
                resumed.add(goesOn.migration() + "/" + goesOn.attempt());
                coverage.hit(RareEvent.COPY_RESUMED);
            }
            case SnapshotOpen open
            when open.attempt() > 1 && open.resumption() == 0 -> coverage.hit(RareEvent.SPLIT_STARTED_OVER);
            case Heartbeat heartbeat -> heartbeat(heartbeat);
            case Activate handOver when merges.remove(handOver.migration()) -> coverage.hit(RareEvent.MERGED);
            case Activate handOver when moves.remove(handOver.migration()) -> coverage.hit(RareEvent.MOVED);
            case MapUpdate update -> update(update, to);
            case ControlMessage other -> {}
        }
    }

    private boolean isOfGroup(int id) {
        ClusterState state = cluster.truth();
        TableMap table = state == null ? null : state.table(id);
        return table == null ? cluster.plan().hasGroups() : table.definition().isReplicated();
    }

    /** A source has sent everything to a target, for the first time or again. */
    private void sealed(SliceHeader slice, String copy) {
        ClusterState state = cluster.truth();
        MigrationOrder order = state == null ? null : state.migration(slice.migration());
        if (order == null || order.isLearner()) {
            coverage.hit(RareEvent.GROUP_JOINED);
        } else if (seals.merge(copy, 1, Integer::sum) > 1) {
            coverage.hit(RareEvent.GROUP_SPLIT_TRIED_AGAIN);
        }
    }

    private void refused(Refused refused, SimEnv from) {
        if (refused.reason() == Refusal.SESSION_ENDED) {
            coverage.hit(RareEvent.SESSION_ENDED);
        } else if (refused.reason() == Refusal.MEMORY_FULL && ClusterPlan.isBrick(from.name())) {
            coverage.hit(RareEvent.SHIPPING_REFUSED);
        }
    }

    private void heartbeat(Heartbeat heartbeat) {
        if (heartbeat.loads().stream().anyMatch(load -> load.level() == PartitionLoad.STUCK)) {
            coverage.hit(RareEvent.GROUP_STUCK);
        }
        if (!heartbeat.missed().isEmpty()) {
            coverage.hit(RareEvent.GROUP_MISSED);
        }
        for (var report : heartbeat.migrations()) {
            if (report.state() == MigrationState.ABANDONED
                    && !learners.contains(report.migration())
                    && abandoned.add(report.migration())) {
                RareEvent ofGroup = merges.contains(report.migration())
                        ? RareEvent.GROUP_MERGE_GIVEN_UP
                        : RareEvent.GROUP_SPLIT_GIVEN_UP;
                RareEvent ofOneCopy =
                        moves.contains(report.migration()) ? RareEvent.MOVE_GIVEN_UP : RareEvent.SPLIT_ABANDONED;
                coverage.hit(ofGroups.contains(report.migration()) ? ofGroup : ofOneCopy);
            }
        }
    }

    private void update(MapUpdate update, SimEnv to) {
        if (!update.leaves().isEmpty()) {
            coverage.hit(RareEvent.GROUP_LEFT);
        }
        update.migrations().stream()
                .filter(order -> !order.isLearner() && isOfGroup(order.table()))
                .forEach(order -> ofGroups.add(order.id()));
        update.migrations().stream().filter(MigrationOrder::isLearner).forEach(order -> learners.add(order.id()));
        update.migrations().stream().filter(MigrationOrder::isMerge).forEach(order -> merges.add(order.id()));
        update.migrations().stream().filter(MigrationOrder::isMove).forEach(order -> moves.add(order.id()));
        for (SimBrick brick : cluster.bricks()) {
            if (brick.name().equals(to.name())
                    && !brick.nodes().isEmpty()
                    && update.fromVersion() > brick.nodes().get(0).map().version()) {
                coverage.hit(RareEvent.MAP_AHEAD);
            }
        }
    }
}
