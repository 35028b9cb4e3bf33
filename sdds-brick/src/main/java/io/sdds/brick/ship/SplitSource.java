package io.sdds.brick.ship;

import io.sdds.brick.experiment.IndividualStream;
import io.sdds.brick.experiment.SplitVariants;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.ShipOpened;
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
public final class SplitSource implements Partition.Mover, Stage.Background {

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

    /** One LH-bucket is read at a time when its records leave one by one. */
    private static final int STEPS_PER_SLICE_MAX = 512;

    private static final int CHANGE_BYTES_MAX = 1 << 20;
    private static final long RETRY_NANOS = 20_000_000L;

    /** Writes to the moving half wait no longer than this for the switch. */
    private static final long SWITCH_NANOS_MAX = 50_000_000L;

    /** A target that can't be reached for so long is given up; the coordinator orders another. */
    private static final long OPENING_NANOS_MAX = 3_000_000_000L;

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
    private final Stage stage;
    private final Peers peers;
    private final RecordStore store;
    private final Partition parent;
    private final MigrationOrder order;
    private final SplitPolicy policy;
    private final int sliceBytes;
    private final BrickMap map;
    private final @Nullable ShippingPace pace;
    private final Listener listener;
    private final SliceBuffer slice;
    private final SliceBuffer changes;
    private final Parked parked;
    private final MovingPart moving;

    private State state = State.OPENING;
    private int attempt;
    private @Nullable Link bulk;
    private @Nullable SliceStream stream;
    private @Nullable Timer switching;
    private boolean queued;
    private long openingSinceNanos;
    private long askedNanos;

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
        this.stage = context.stage();
        this.peers = context.peers();
        this.parent = parent;
        this.order = order;
        this.policy = policy;
        this.sliceBytes = SplitVariants.sliceBytes(policy);
        this.store = context.store();
        this.map = context.map();
        this.pace = pace;
        this.listener = listener;
        this.slice = new SliceBuffer(context.env(), context.store());
        this.changes = new SliceBuffer(context.env(), context.store());
        this.parked = new Parked(context.env(), Parked.SWITCH_EVENTS_MAX);
        this.moving = MovingPart.of(parent, order);
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
        long shippedBytes = stream == null ? 0 : stream.sentBytes();
        return new SplitReport(order.id(), reported, shippedBytes, moving.bytes());
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
        openingSinceNanos = env.nowNanos();
        open();
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
        slice.release();
        changes.release();
        endStream();
        parked.release();
        leaveParent();
        bulk = null;
    }

    /**
     * The target has applied slices; a negative number: it gives up. What does not come over the link on which the
     * slices leave is not its word.
     */
    public void onAcked(Link link, ShipAcked acked) {
        if (link != bulk || acked.attempt() != attempt || stream == null || !isStreaming()) {
            return;
        }
        if (acked.slice() < 0) {
            abandon("its brick has no memory left");
            return;
        }
        stream.acked(acked.slice());
        stream.targetKnows(acked.mapVersion());
        advance(stream);
    }

    /** A link went down: a shipping over it begins again. */
    public void onLinkDown(Link link) {
        if (link == bulk && (isStreaming() || state == State.OPENING)) {
            startOver();
        }
    }

    /** At the end of a turn: changes leave. */
    public void onDrained() {
        if (stream != null && isStreaming()) {
            stream.send(changes);
            advance(stream);
        }
    }

    /** Now and then: requests that wait too long are answered. */
    public void tick() {
        parked.expire(listener::overdue);
    }

    /** The map has changed: it may be this split's turn. */
    public void mapChanged() {
        if (stream != null && isStreaming()) {
            advance(stream);
        }
    }

    private boolean isStreaming() {
        return state == State.SHIPPING || state == State.DRAINING;
    }

    @Override
    public boolean admits(Request request) {
        if (!moving.contains(request)) {
            return request.opcode != Opcode.RANGE_CLEAR; // which never spans what a split under way keeps apart
        }
        return stream == null || stream.keepsUpWith(changes.entryBytes(), CHANGE_BYTES_MAX);
    }

    @Override
    public boolean holds(Request request) {
        return state == State.DRAINING && moving.contains(request);
    }

    @Override
    public boolean park(Request request) {
        return parked.add(request);
    }

    @Override
    public void changed(Request request, byte status, long value) {
        if (!isStreaming() || !moving.contains(request)) {
            return;
        }
        if (!Opcode.isInterval(request.opcode)
                && moving.isPassed(request.hash, request.frame, request.keyOffset, request.keyLength)) {
            long now = parent.bucket().find(request.hash, request.frame, request.keyOffset, request.keyLength);
            if (now != 0) {
                changes.record(now, shiftNanos);
            } else {
                changes.remove(request.frame, request.keyOffset, request.keyLength);
            }
        }
        changes.result(request.session, request.seq, request.low, request.hash, status, value);
    }

    @Override
    public void removed(long hash, MemorySegment key) {
        int length = (int) key.byteSize();
        if (isStreaming() && moving.contains(hash, key, 0, length) && moving.isPassed(hash, key, 0, length)) {
            changes.remove(key, 0, length);
        }
    }

    /** One slice of the copy (a background event of the stage). */
    @Override
    public boolean slice() {
        queued = false;
        SliceStream open = stream;
        if (open == null || state != State.SHIPPING || moving.isAtEnd() || !open.hasCredit()) {
            return false; // an acknowledgement goes on
        }
        int steps = 0;
        while (!moving.isAtEnd() && slice.entryBytes() < sliceBytes && steps++ < STEPS_PER_SLICE_MAX) {
            moving.pass(this::ship);
        }
        if (pace != null) {
            pace.spend(env.nowNanos(), slice.entryBytes());
        }
        open.send(changes); // what changed before this slice was read leaves before it
        open.send(slice);
        advance(open);
        return false; // advance has queued the next one
    }

    private void queue() {
        if (queued) {
            return;
        }
        queued = true;
        long wait = pace == null ? 0 : pace.waitNanos(env.nowNanos());
        if (wait > 0) {
            env.schedule(wait, () -> stage.background(this));
        } else {
            stage.background(this);
        }
    }

    private void ship(long ref) {
        slice.record(ref, shiftNanos);
    }

    private void open() {
        if (state != State.OPENING) {
            return;
        }
        Link link = peers.bulk(order.target().brick());
        if (link == null) {
            retry();
            return;
        }
        bulk = link;
        attempt++;
        ShipOpen open = new ShipOpen(
                order.id(), attempt, order.table(), order.receiver(), order.receiverLevel(), moving.bytes());
        int asked = attempt;
        askedNanos = env.nowNanos();
        peers.ask(link, open, answer -> onOpenAnswer(asked, answer));
    }

    private void onOpenAnswer(int asked, @Nullable ControlMessage answer) {
        if (state != State.OPENING || asked != attempt) {
            return;
        }
        if (answer instanceof ShipOpened opened) {
            if (order.isMerge()) {
                reckonBy(opened.timeNanos());
            }
            begin(streamTo(bulkLink(), opened.creditBytes()));
        } else if (answer instanceof Refused refused && refused.reason() == Refusal.MEMORY_FULL) {
            abandon(refused.text());
        } else {
            retry();
        }
    }

    /**
     * Two partitions' logical times differ, since no two clocks are compared: expiries are told by the target's. They
     * come out too late by the time that opening took, at most; this partition's own time stands still for so long, so
     * that nothing is there again that had expired here. It is not handed over before it goes on: until then it is
     * ahead of the target's, which would have to leap, and what expires there would lose as much.
     */
    private void reckonBy(long targetTimeNanos) {
        long now = env.nowNanos();
        long openingNanos = now - askedNanos;
        shiftNanos = targetTimeNanos - (parent.time().advance(now) - openingNanos);
        parent.time().hold(openingNanos);
        heldUntilNanos = Math.max(heldUntilNanos, now) + openingNanos;
        env.schedule(heldUntilNanos - now, this::timeGoesOn);
    }

    private void timeGoesOn() {
        SliceStream open = stream;
        if (open != null) {
            advance(open);
        }
    }

    private void retry() {
        if (env.nowNanos() - openingSinceNanos > OPENING_NANOS_MAX) {
            abandon("its brick can't be reached");
        } else {
            env.schedule(RETRY_NANOS, this::open);
        }
    }

    private Link bulkLink() {
        if (bulk == null) {
            throw new IllegalStateException("no link to the target of stream " + order.id());
        }
        return bulk;
    }

    private SliceStream streamTo(Link link, int creditBytes) {
        return SplitVariants.isIndividual(policy)
                ? new IndividualStream(peers, link, order.id(), attempt, order.receiver(), new SliceBuffer(env, store))
                : new SliceStream(peers, link, order.id(), attempt, order.receiver(), creditBytes);
    }

    private void begin(SliceStream opened) {
        become(State.SHIPPING);
        parent.closed(SplitVariants.isAtomic(policy));
        endStream();
        stream = opened;
        moving.rewind();
        changes.clear();
        moving.results(parent.results(), changes::result);
        queue();
    }

    private void startOver() {
        become(State.OPENING);
        attempt++; // an answer that can't come any more begins nothing
        openingSinceNanos = env.nowNanos();
        bulk = null;
        endStream();
        slice.clear();
        changes.clear();
        parent.closed(false);
        parked.rerun(listener::rerun); // still ours: they run here
        retry();
    }

    /** Whatever can go on now does. */
    private void advance(SliceStream open) {
        if (state == State.SHIPPING && !moving.isAtEnd() && open.hasCredit()) {
            queue();
        } else if (state == State.SHIPPING
                && moving.isAtEnd()
                && open.isHalfAcked()
                && open.knowsEndedSessions(map)
                && map.isNext(order)
                && env.nowNanos() >= heldUntilNanos) {
            become(State.DRAINING);
            if (!parent.isClosed()) {
                switching = env.schedule(SWITCH_NANOS_MAX, this::switchLater);
            }
        }
        if (state == State.DRAINING && open.isAllAcked() && changes.entryBytes() == 0) {
            handOver();
        }
    }

    /** The target is too slow for a short switch: writes go on, and it is tried again. */
    private void switchLater() {
        if (state == State.DRAINING) {
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
        tellReceiver();
        if (!order.isMerge()) {
            parked.rerun(listener::rerun); // after the Activate, on the same link
        }
    }

    private void tellReceiver() {
        if (state != State.HANDING_OVER) {
            return;
        }
        Link link = peers.protocol(order.target().brick());
        if (link == null) {
            env.schedule(RETRY_NANOS, this::tellReceiver);
            return;
        }
        Activate handOver = new Activate(
                order.id(),
                attempt,
                order.table(),
                order.receiver(),
                order.receiverLevel(),
                parent.version(),
                parent.time().advance(env.nowNanos()) + shiftNanos);
        peers.ask(link, handOver, this::onHandOverAnswer);
    }

    private void onHandOverAnswer(@Nullable ControlMessage answer) {
        if (state != State.HANDING_OVER) {
            return; // the coordinator knew before this answer came
        }
        if (answer instanceof ControlMessage.Done) {
            end(State.DONE);
        } else {
            env.schedule(RETRY_NANOS, this::tellReceiver);
        }
    }

    private void leaveParent() {
        parent.closed(false);
        parent.mover(null);
    }

    private void endStream() {
        if (stream != null) {
            stream.release();
            stream = null;
        }
    }

    private void become(State next) {
        if (switching != null) {
            switching.cancel();
            switching = null;
        }
        state = next;
        log.debug("table {} shipping {} -> {} is {}", order.table(), order.sender(), order.receiver(), next);
    }

    private void end(State last) {
        become(last);
        leaveParent();
        parked.rerun(listener::rerun);
        listener.ended(order);
    }
}
