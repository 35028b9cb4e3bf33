package io.sdds.brick.ship;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.HandOver;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.ShipOpened;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The child's side of a split: takes slices until HANDOVER makes it a partition that serves. Until then it answers nobody; requests that were forwarded to
 * it before the word came wait. When the parent is lost before its word came, the child is given up: it takes no word any more.
 */
public final class SplitTarget {
    /** Bytes that may be on their way to one child. */
    static final int CREDIT_BYTES = 512 << 10;

    private final RecordStore store;
    private final SplitOrder order;
    private final Parked parked;
    private SplitState state = SplitState.SHIPPING;
    private Partition child;
    private int attempt;
    private long applied;
    private long acked;
    private boolean failed;
    private @Nullable Link source;

    public SplitTarget(Env env, RecordStore store, SplitOrder order) {
        this.store = store;
        this.order = order;
        this.parked = new Parked(env, Parked.SWITCH_EVENTS_MAX);
        this.child = empty();
    }

    public SplitOrder order() {
        return order;
    }

    public Partition child() {
        return child;
    }

    /** Whether the parent may still hand over. */
    public boolean isShipping() {
        return state == SplitState.SHIPPING;
    }

    /** Whether the child serves: it is a partition like any other now. */
    public boolean isServing() {
        return state == SplitState.HANDED_OVER;
    }

    /** For the heartbeat, until the order is gone from the map: the child's word stands in for a parent that is lost. */
    public SplitReport report() {
        return new SplitReport(order.stream(), state, 0, 0);
    }

    /** The parent is lost, and had not handed over: from here on it is too late to. */
    public void giveUp() {
        state = SplitState.ABANDONED;
    }

    /** Requests for the child that came before HANDOVER. */
    public Parked parked() {
        return parked;
    }

    /** A first or later attempt begins: whatever an earlier one brought is freed by the caller. */
    public ShipOpened open(Link from, ShipOpen open) {
        if (attempt != 0) {
            child = empty();
        }
        source = from;
        attempt = open.attempt();
        applied = 0;
        acked = 0;
        failed = false;
        return new ShipOpened(order.stream(), attempt, CREDIT_BYTES);
    }

    /** Whether this is a newer attempt than the one under way. */
    public boolean isNewer(ShipOpen open) {
        return open.attempt() > attempt;
    }

    /** Applies a slice of the attempt under way; others are ignored. Slices of one link come in order. */
    public void onSlice(Link from, ByteBuf frame, int index, int length) {
        if (from != source
                || failed
                || frame.getIntLE(index + SliceFrame.ATTEMPT) != attempt
                || frame.getLongLE(index + SliceFrame.NUMBER) != applied + 1) {
            return;
        }
        MemorySegment memory = Request.memoryOf(frame);
        SliceFrame.read(frame, index, length, new Apply(memory));
        applied++;
    }

    /** At the end of a turn: acknowledges what was applied; answers the link that was written to. */
    public @Nullable Link acknowledge() {
        Link link = source;
        if (link == null || !link.isUp() || acked == applied && !failed || acked < 0) {
            return null;
        }
        acked = failed ? -1 : applied;
        ControlFrame.write(link.claim(0), ControlFrame.NOTICE, 0, new ShipAcked(order.stream(), attempt, acked));
        return link;
    }

    /** HANDOVER is committed at the parent: the child is complete and serves from now on. */
    public Partition serve(HandOver handOver) {
        if (handOver.attempt() != attempt || failed) {
            throw new IllegalStateException("HANDOVER of stream " + order.stream() + " attempt " + handOver.attempt()
                    + " but the slices are of attempt " + attempt + (failed ? ", failed" : ""));
        }
        child.versionAtLeast(handOver.version());
        state = SplitState.HANDED_OVER;
        return child;
    }

    private Partition empty() {
        return new Partition(order.table(), order.child(), order.level() + 1, order.stream(), store);
    }

    private final class Apply implements SliceFrame.Sink {
        private final MemorySegment memory;

        Apply(MemorySegment memory) {
            this.memory = memory;
        }

        @Override
        public void record(int keyAt, int keyLength, int valueAt, int valueLength, long version) {
            long hash = SegmentHash.hash(memory, keyAt, keyLength);
            PutResult put =
                    child.bucket().put(hash, memory, keyAt, keyLength, memory, valueAt, valueLength, version, true);
            failed |= put == PutResult.FULL;
        }

        @Override
        public void remove(int keyAt, int keyLength) {
            child.bucket().remove(SegmentHash.hash(memory, keyAt, keyLength), memory, keyAt, keyLength);
        }

        @Override
        public void result(long session, long seq, long low, long hash, byte status, long value) {
            child.results().take(session, seq, low, hash, status, value);
        }
    }
}
