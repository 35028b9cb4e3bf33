package io.sdds.brick.ship;

import io.sdds.brick.experiment.SplitVariants;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.stage.Stage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source's side of a split: ships the moving half of the parent to the child and switches. Of a merge: ships all of
 * the child, the last partition, to its parent, and is no more. Of a move: ships all of a partition to another brick,
 * where it goes on.
 */
public final class SplitSource implements Partition.Mover, Stage.Background, SnapshotSource {

    /*
     * LH*LH's concurrent splitting with bulk shipping (section 4.5.3 f.), made safe by one switch
     * (docs/design/migration.md, rule 13).
     *
     * The moving half (of a range partition: the keys above one) is walked by a cursor, whole LH-buckets, or some
     * records of a leaf, at a time; what lies before the cursor has been shipped, so a write there is followed by a
     * change entry in a later slice; what lies behind it will be shipped as it is by then. The results of all writes to
     * the half go too, from the start. The parent owns, runs and acknowledges everything meanwhile.
     *
     * At the end of the half, and when the splits before it have committed (rule 14), writes to it are parked until the
     * target has acknowledged every slice: then HANDOVER is committed (for a table of one copy: here, in one step), the
     * parent is at level j+1, the child is told until it answers, and what was parked is forwarded to it.
     *
     * A merge is the same with the child as the source: all its keys have the bit that tells the halves apart. From
     * HANDOVER on nobody serves them until the parent's brick has confirmed it: a request that came back from there
     * meanwhile would be sent to and fro, so they are parked that long.
     *
     * A move is a split that gives everything away: what comes to the old brick afterwards is forwarded, by its own
     * word until the map says so, too. It leaves at the pace of all copies of the stage, since nobody waits for room.
     *
     * Two variants are there to be measured. Atomic splitting closes the parent from the first slice to the switch:
     * whatever comes waits. Individual shipping sends one record a slice, and the next when that one was acknowledged
     * ({@link IndividualStream}).
     *
     * Cost: every moved record is copied twice and sent once; writes to the half pause for one round trip.
     */

    private static final Logger log = LoggerFactory.getLogger(SplitSource.class);

    private enum State {
        OPENING,
        SHIPPING,
        DRAINING,
        HANDING_OVER,
        DONE,
        ABANDONED
    }

    private final Env env;
    private final Partition parent;
    private final MigrationOrder order;
    private final SplitPolicy policy;
    private final BrickMap map;
    private final Listener listener;
    private final Parked parked;
    private final MovingPart moving;
    private final SnapshotStream copy;
    private final SliceQueue queue;
    private final MigrationStats stats = new MigrationStats();
    private final SwitchPatience patience = new SwitchPatience();

    private State state = State.OPENING;
    private @Nullable Timer switching;

    /** What is added to expiries: 0 but for a merge. */
    private long shiftNanos;

    private long heldUntilNanos = Long.MIN_VALUE;

    /** What the stage does at the switch. */
    public interface Listener {
        /**
         * HANDOVER is committed: what was shipped is {@code order.target()}'s; the parent is at its new level, the
         * child of a merge and what was moved serve no more.
         */
        void handedOver(MigrationOrder order, Partition shipped);

        /** The target serves; or it was given up. The coordinator should hear of it at once. */
        void ended(MigrationOrder order);

        /** Parked requests go on. */
        void rerun(Link link, io.netty.buffer.ByteBuf frame);

        /** A parked request's deadline has passed: it had no effect. */
        void overdue(Link link, io.netty.buffer.ByteBuf frame);
    }

    /** @param pace at which it ships; null: as fast as the target takes it */
    public SplitSource(
            StageContext context,
            Partition parent,
            MigrationOrder order,
            SplitPolicy policy,
            @Nullable ShippingPace pace,
            Listener listener) {
        this.env = context.env();
        this.parent = parent;
        this.order = order;
        this.policy = policy;
        this.map = context.map();
        this.listener = listener;
        this.parked = new Parked(context.env(), Parked.SWITCH_EVENTS_MAX);
        this.moving = MovingPart.of(parent, order);
        SnapshotStream.Target target =
                new SnapshotStream.Target(order.id(), order.target().brick(), order.table(), order.receiver());
        this.copy = new SnapshotStream(context, parent, target, policy, () -> MovingPart.of(parent, order), this);
        this.queue = new SliceQueue(context, pace, this);
    }

    public MigrationOrder order() {
        return order;
    }

    /** For the heartbeat. */
    public SplitReport report() {
        SplitState reported = switch (state) {
            case DONE -> SplitState.HANDED_OVER;
            case ABANDONED -> SplitState.ABANDONED;
            default -> SplitState.SHIPPING;
        };
        return new SplitReport(order.id(), reported, copy.sentBytes(), moving.bytes());
    }

    /** Whether what was shipped is the target's, whatever the map says. */
    public boolean isHandedOver() {
        return state == State.HANDING_OVER || state == State.DONE;
    }

    /** Whether requests for a child that was merged wait here until its parent is known to serve them. */
    public boolean isHolding() {
        return order.isMerge() && state == State.HANDING_OVER;
    }

    /** The map has no such order any more: nobody needs to be told. */
    public void orderGone() {
        if (state == State.HANDING_OVER) {
            end(State.DONE);
        }
        abandon("the coordinator took the order back");
    }

    /** Opens the shipping; tries again until the target answers. */
    public void start() {
        copy.start();
    }

    /**
     * The target's brick runs another process now, or the coordinator took the order back: what was shipped is given
     * up.
     */
    public void abandon(String why) {
        if (state == State.HANDING_OVER || state == State.DONE || state == State.ABANDONED) {
            return; // committed: the split can only roll forward
        }
        log.info(
                "table {} partition {} gives up being shipped to {}: {}",
                order.table(),
                order.sender(),
                order.receiver(),
                why);
        end(State.ABANDONED);
    }

    /** The target is gone for good after HANDOVER: nothing is left to be told. */
    public void targetLost() {
        if (state == State.HANDING_OVER) {
            end(State.DONE);
        }
        abandon("its brick has another process now");
    }

    /** The order is gone from the map, or the node goes: nobody is told anything any more. */
    public void release() {
        state = state == State.HANDING_OVER ? State.DONE : state;
        copy.release();
        parked.release();
        leaveParent();
    }

    /** The target has applied slices. */
    public void onAcked(Link link, ShipAcked acked) {
        if (isStreaming()) {
            copy.onAcked(link, acked);
        }
    }

    /** A link went down: a copy over it goes on over the next one. */
    public void onLinkDown(Link link) {
        if (isStreaming() || state == State.OPENING) {
            copy.onLinkDown(link);
        }
    }

    /** At the end of a turn: changes leave. */
    public void onDrained() {
        if (isStreaming()) {
            copy.sendChanges();
            advance();
        }
    }

    /** Now and then: requests that wait too long are answered. */
    public void tick() {
        parked.expire(listener::overdue);
    }

    /** The map has changed: it may be this split's turn. */
    public void mapChanged() {
        advance();
    }

    private boolean isStreaming() {
        return state == State.SHIPPING || state == State.DRAINING;
    }

    @Override
    public boolean admits(Request request) {
        if (!moving.contains(request)) {
            return request.opcode != Opcode.RANGE_CLEAR; // which never spans what a split under way keeps apart
        }
        return copy.keepsUp();
    }

    @Override
    public boolean holds(Request request) {
        return state == State.DRAINING && moving.contains(request);
    }

    @Override
    public boolean park(Request request) {
        stats.requestParked();
        return parked.add(request);
    }

    @Override
    public void applied(Applied write) {
        if (isStreaming() && moving.contains(write)) {
            copy.applied(write);
        }
    }

    @Override
    public void removed(long hash, MemorySegment key) {
        if (isStreaming() && moving.contains(hash, key, 0, (int) key.byteSize())) {
            copy.removed(hash, key);
        }
    }

    /** One slice of the copy (a background event of the stage). */
    @Override
    public boolean slice() {
        queue.runs();
        if (state == State.SHIPPING && copy.canShip()) {
            queue.sent(copy.ship());
            advance();
        }
        return false; // advance has queued the next one, or an acknowledgement will
    }

    // ---- what the copy tells

    @Override
    public MigrationStats stats() {
        return stats;
    }

    @Override
    public int level() {
        return order.receiverLevel();
    }

    @Override
    public void opened(SnapshotStream opened, long timeNanos) {
        if (order.isMerge()) {
            reckonBy(timeNanos);
        }
    }

    @Override
    public void began() {
        become(State.SHIPPING);
        parent.closed(SplitVariants.isAtomic(policy));
        queue.queue();
    }

    @Override
    public long shiftNanos() {
        return shiftNanos;
    }

    /** A write of a partition of one copy is decided when it has run. */
    @Override
    public boolean isDecided(long session, long seq) {
        return true;
    }

    @Override
    public long version() {
        return parent.version();
    }

    @Override
    public long timeNanos() {
        return parent.time().advance(env.nowNanos()) + shiftNanos;
    }

    @Override
    public void failed(String why) {
        abandon(why);
    }

    @Override
    public void beganAgain() {
        become(State.OPENING);
        parent.closed(false);
        parked.rerun(listener::rerun); // still ours: they run here
    }

    /**
     * Two partitions' logical times differ, since no two clocks are compared: expiries are told by the target's. They
     * come out too late by the time that opening took, at most; this partition's own time stands still for so long, so
     * that nothing is there again that had expired here. It is not handed over before it goes on: until then it is
     * ahead of the target's, which would have to leap, and what expires there would lose as much.
     */
    private void reckonBy(long targetTimeNanos) {
        long now = env.nowNanos();
        long openingNanos = copy.openingNanos();
        shiftNanos = targetTimeNanos - (parent.time().advance(now) - openingNanos);
        parent.time().hold(openingNanos);
        heldUntilNanos = Math.max(heldUntilNanos, now) + openingNanos;
        env.schedule(heldUntilNanos - now, this::advance);
    }

    /** Whatever can go on now does. */
    @Override
    public void advance() {
        if (state == State.SHIPPING && copy.canShip()) {
            queue.queue();
        } else if (state == State.SHIPPING
                && copy.isNearlyThere()
                && copy.knowsEndedSessions(map)
                && map.isNext(order)
                && env.nowNanos() >= heldUntilNanos) {
            become(State.DRAINING);
            if (!parent.isClosed()) {
                switching = env.schedule(patience.nanos(), this::switchLater);
            }
        }
        if (state == State.DRAINING && copy.isAllApplied()) {
            handOver();
        }
    }

    /** The target is too slow for a short switch: writes go on, and it is tried again. */
    private void switchLater() {
        if (state == State.DRAINING) {
            stats.switchTimedOut();
            patience.timedOut();
            become(State.SHIPPING);
            parked.rerun(listener::rerun);
        }
    }

    private void handOver() {
        become(State.HANDING_OVER);
        leaveParent();
        if (!order.isMerge() && !order.isMove()) {
            parent.giveUp(Moved.by(order));
        }
        listener.handedOver(order, parent);
        copy.activate(() -> end(State.DONE));
        if (!order.isMerge()) {
            parked.rerun(listener::rerun); // after the Activate, on the same link
        }
    }

    private void leaveParent() {
        parent.closed(false);
        parent.mover(null);
    }

    private void become(State next) {
        if (switching != null) {
            switching.cancel();
            switching = null;
        }
        state = next;
        log.debug("table {} shipping {} -> {} is {}", order.table(), order.sender(), order.receiver(), next);
        if (next == State.DRAINING || isHolding()) {
            stats.writesWait(env.nowNanos());
        } else {
            stats.writesGoOn(env.nowNanos());
        }
        if (next == State.DONE || next == State.ABANDONED) {
            log.debug(
                    "{} {} of table {} partition {} to {} is {}: {} bytes, {}",
                    order.kind(),
                    order.id(),
                    order.table(),
                    order.sender(),
                    order.receiver(),
                    next,
                    copy.sentBytes(),
                    stats);
        }
    }

    private void end(State last) {
        become(last);
        copy.end();
        leaveParent();
        parked.rerun(listener::rerun);
        listener.ended(order);
    }
}
