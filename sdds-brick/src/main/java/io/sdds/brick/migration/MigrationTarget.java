package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import org.jspecify.annotations.Nullable;

/**
 * The target of a migration: a partition of this stage takes the records. Until the keys are handed over the target
 * answers no request for them; requests that were forwarded here too early wait.
 */
abstract class MigrationTarget {
    private enum State {
        STAGING,
        /** The keys are handed over, and this brick serves them. */
        SERVING,
        /** The source is lost before it has handed over, so that no Activate is taken any more. */
        DISCARDED
    }

    private final StageContext context;
    private final MigrationOrder order;
    private final Migrations migrations;
    private final SnapshotReceiver copy;
    private final Parked parked;
    private State state = State.STAGING;

    /** @param partition that takes the slices */
    MigrationTarget(StageContext context, MigrationOrder order, Migrations migrations, Partition partition) {
        this(context, order, migrations, new SnapshotReceiver(order.id(), partition, context.store()));
    }

    /** @param copy takes the slices */
    MigrationTarget(StageContext context, MigrationOrder order, Migrations migrations, SnapshotReceiver copy) {
        this.context = context;
        this.order = order;
        this.migrations = migrations;
        this.copy = copy;
        this.parked = new Parked(context.env(), Parked.SWITCH_EVENTS_MAX);
    }

    /** An empty partition for the records of a split, a move or a learner's copy. A backup's records have no ranks. */
    static Partition empty(StageContext context, MigrationOrder order, TableKind kind) {
        Partition made = kind == TableKind.RANGE
                ? new RangePartition(order.table(), order.receiver(), order.span(), order.id(), context.store())
                : new HashPartition(
                        order.table(), order.receiver(), order.receiverLevel(), order.id(), context.store());
        TableView table = context.map().table(order.table());
        if (table != null && !order.isLearner() && table.standsOnParity(order.receiver())) {
            made.bucket().ranks().begin(new RankSpace(context.store().slots()));
        }
        return made;
    }

    final StageContext context() {
        return context;
    }

    final BrickMap map() {
        return context.map();
    }

    final MigrationOrder order() {
        return order;
    }

    final Migrations migrations() {
        return migrations;
    }

    final SnapshotReceiver copy() {
        return copy;
    }

    /** The partition that takes the slices. */
    final Partition partition() {
        return copy.partition();
    }

    final @Nullable TableView table() {
        return map().table(order.table());
    }

    final boolean isStaging() {
        return state == State.STAGING;
    }

    final boolean isServing() {
        return state == State.SERVING;
    }

    /** Whether the partition must keep records that it does not own, because a copy may still be completed. */
    boolean isReceiving() {
        return true;
    }

    // ---- the order

    /** Whether the partition that takes the slices is gone, so that nothing can come of the order here. */
    boolean isVoid() {
        return false;
    }

    /** The map has changed, and the order is still in it. */
    void mapChanged() {}

    /** The order is gone from the map, or {@link #isVoid}. */
    abstract void end();

    /** The partition's log has committed an entry that changes its keys. */
    void ownerChanged(Partition changed) {}

    /** The report for the heartbeat, which stands in for a source that is lost; null: there is nothing to report. */
    final @Nullable MigrationReport report() {
        return switch (state) {
            case STAGING -> null;
            case SERVING -> new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0);
            case DISCARDED -> new MigrationReport(order.id(), MigrationState.ABANDONED, 0, 0);
        };
    }

    /** From now on this brick serves the keys: the requests that waited run. */
    final void serving() {
        state = State.SERVING;
        rerunParked();
    }

    /** The source is lost and had not handed over. From now on it is too late to. */
    final void discard() {
        state = State.DISCARDED;
        rerunParked();
    }

    // ---- requests of clients

    /** Whether requests for this partition wait here. */
    abstract boolean parks(Request request, int partition);

    /**
     * Whether a request is for a partition that moves here, and comes from the old brick. The old brick serves the
     * partition until it forwards requests. A request that comes from elsewhere, by an old map, is sent to the old
     * brick.
     */
    final boolean isFromSource(Request request) {
        Hello peer = request.link.peer();
        BrickInfo brick = map().brick(order().source().brick());
        return peer.role() == Hello.Role.BRICK && brick != null && brick.id().equals(peer.name());
    }

    final boolean park(Request request) {
        return parked.add(request);
    }

    final void rerunParked() {
        parked.rerun(migrations.listener()::rerun);
    }

    // ---- the source's requests

    final Answer onOpen(Link link, SnapshotOpen open) {
        if (isStaging() && copy.goesOnWith(open)) {
            return copy.goOn(link, open);
        }
        if (!isStaging() || !copy.isNewer(open)) {
            return Migrations.unknown(order.id());
        }
        return context.budget().admitsOrdinary(open.bytes()) ? open(link, open) : noRoom(open);
    }

    /** Opens an attempt for which there is room. */
    abstract Answer open(Link link, SnapshotOpen open);

    static Refused noRoom(SnapshotOpen open) {
        return new Refused(Refusal.MEMORY_FULL, "no room for " + open.bytes() + " bytes");
    }

    /** Opens an attempt with an empty partition, and frees what an earlier attempt brought. */
    final Answer openAnew(Link link, SnapshotOpen open, TableKind kind) {
        Partition before = copy.partition();
        boolean first = copy.attempt() == 0;
        Answer opened = copy.open(link, open, first ? before : empty(context, order, kind), 0);
        if (!first) {
            migrations.maintenance().free(before);
        }
        return opened;
    }

    void onSlice(Link link, ByteBuf frames, int index, int length) {
        if (isStaging()) {
            copy.onSlice(link, frames, index, length);
        }
    }

    Answer onActivate(Activate activate) {
        return Migrations.unknown(order.id());
    }

    // ---- turns

    /** Acknowledges at the end of a turn; answers the link that was written to, or null. */
    final @Nullable Link acknowledge() {
        return copy.acknowledge(map().version());
    }

    /** Every 100 ms: requests that have waited too long are answered. */
    void tick() {
        parked.expire(migrations.listener()::overdue);
    }

    /** The node ends. */
    final void release() {
        copy.release();
        parked.release();
    }

    final @Nullable Place placeOf(int partition) {
        TableView table = table();
        return table == null ? null : table.place(partition);
    }
}
