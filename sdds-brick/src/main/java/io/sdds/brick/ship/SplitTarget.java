package io.sdds.brick.ship;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Request;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.ShipOpened;
import io.sdds.core.control.ControlMessage.ShipResume;
import io.sdds.core.control.ControlMessage.ShipResumed;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The target's side of a split: takes slices until HANDOVER makes the child a partition that serves. Until then it
 * answers nobody; requests that were forwarded to it before the word came wait. Of a merge: takes slices into the
 * parent's bucket, while that goes on serving its own, until HANDOVER makes them its own. When the source is lost
 * before its word came, what it shipped is given up: no word is taken any more.
 */
public final class SplitTarget {
    /** Bytes that may be on their way to one child. */
    static final int CREDIT_BYTES = 512 << 10;

    /** Bytes of a slice before its entries. */
    public static final int SLICE_HEADER = SliceFrame.ENTRIES;

    private final RecordStore store;
    private final MigrationOrder order;
    private final TableKind kind;
    private final Parked parked;
    private SplitState state = SplitState.SHIPPING;
    private Partition receiver;
    private boolean prepared;
    private boolean hasSlices;
    private int attempt;
    private int resumption;
    private long applied;
    private long acked;
    private long toldMapVersion;
    private boolean failed;
    private SliceFrame.@Nullable Seal seal;
    private @Nullable Link source;

    /** Of a split: the child comes to be here; of a move the partition. */
    public SplitTarget(Env env, RecordStore store, MigrationOrder order, TableKind kind) {
        this.store = store;
        this.order = order;
        this.kind = kind;
        this.parked = new Parked(env, Parked.SWITCH_EVENTS_MAX);
        this.receiver = empty();
    }

    /** Of a merge: the parent serves here. */
    public SplitTarget(Env env, RecordStore store, MigrationOrder order, TableKind kind, Partition parent) {
        this.store = store;
        this.order = order;
        this.kind = kind;
        this.parked = new Parked(env, Parked.SWITCH_EVENTS_MAX);
        this.receiver = parent;
    }

    public MigrationOrder order() {
        return order;
    }

    /** The partition that takes the slices. */
    public Partition receiver() {
        return receiver;
    }

    /** Whether the source may still hand over. */
    public boolean isShipping() {
        return state == SplitState.SHIPPING;
    }

    /** Whether the receiver serves what was shipped. */
    public boolean isServing() {
        return state == SplitState.HANDED_OVER;
    }

    /**
     * For the heartbeat, until the order is gone from the map: the target's word stands in for a source that is lost.
     */
    public SplitReport report() {
        return new SplitReport(order.id(), state, 0, 0);
    }

    /** The source is lost, and had not handed over: from here on it is too late to. */
    public void giveUp() {
        state = SplitState.ABANDONED;
    }

    /** Requests for the child that came before HANDOVER. */
    public Parked parked() {
        return parked;
    }

    /** What becomes of the parent of a merge before slices can come. */
    public enum Readiness {
        READY,
        /** Its bucket is at work in the background. */
        LATER,
        /** There is no memory for it. */
        REFUSED
    }

    /**
     * Readies the parent of a merge for a first or later attempt, a step at a time: what an earlier one brought is
     * dropped first.
     */
    public Readiness prepare() {
        if (receiver.isChanging()) {
            return Readiness.LATER;
        }
        if (receiver.isWide() && !hasSlices) {
            return Readiness.READY;
        }
        if (receiver.isWide()) {
            receiver.dropShipped();
            source = null; // what is still on its way from the earlier attempt is too late
            hasSlices = false;
            seal = null;
            prepared = false;
            return Readiness.LATER;
        }
        if (prepared) {
            prepared = false;
            return Readiness.REFUSED;
        }
        prepared = true;
        receiver.beginWidening(order);
        return receiver.isWide() ? Readiness.READY : Readiness.LATER;
    }

    /**
     * A first or later attempt begins: whatever an earlier one brought is freed by the caller.
     *
     * @param timeNanos of a merge, the receiver's logical time
     */
    public ShipOpened open(Link from, ShipOpen open, long timeNanos) {
        if (attempt != 0 && !order.isMerge()) {
            receiver = empty();
        }
        hasSlices = true;
        source = from;
        attempt = open.attempt();
        resumption = 0;
        applied = 0;
        acked = 0;
        toldMapVersion = 0;
        failed = false;
        seal = null;
        return new ShipOpened(order.id(), attempt, CREDIT_BYTES, timeNanos);
    }

    /**
     * Whether what came of its attempt is here, up to the last slice that was applied, and it is not one that another
     * has overtaken, whose link is gone.
     */
    public boolean goesOnWith(ShipResume resume) {
        return resume.attempt() == attempt && resume.resumption() > resumption && hasSlices && !failed;
    }

    /** The attempt under way goes on over another link; what is still on its way over the one before is ignored. */
    public ShipResumed resume(Link from, ShipResume resume) {
        source = from;
        resumption = resume.resumption();
        acked = 0; // the last acknowledgement may have been lost with the link before
        toldMapVersion = 0;
        return new ShipResumed(order.id(), attempt, applied);
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

    /** What the source said with the SEAL; null: no SEAL has come, or entries have come behind it. */
    public SliceFrame.@Nullable Seal seal() {
        return failed ? null : seal;
    }

    /** The SEAL as HANDOVER confirms it. */
    public @Nullable Activate sealed() {
        SliceFrame.Seal last = seal();
        return last == null
                ? null
                : new Activate(
                        order.id(),
                        attempt,
                        order.table(),
                        order.receiver(),
                        order.receiverLevel(),
                        last.version(),
                        last.timeNanos());
    }

    /**
     * At the end of a turn: acknowledges what was applied, and how far this brick knows the map; answers the link that
     * was written to.
     */
    public @Nullable Link acknowledge(long mapVersion) {
        Link link = source;
        boolean said = acked == applied && !failed && toldMapVersion == mapVersion;
        if (link == null || !link.isUp() || said || acked < 0) {
            return null;
        }
        acked = failed ? -1 : applied;
        toldMapVersion = mapVersion;
        ShipAcked notice = new ShipAcked(order.id(), attempt, acked, mapVersion);
        ControlFrame.write(link.claim(0), ControlFrame.NOTICE, 0, notice);
        return link;
    }

    /** HANDOVER is committed at the source: what was shipped is complete, and the receiver serves it from now on. */
    public Partition serve(Activate handOver) {
        if (handOver.attempt() != attempt || failed) {
            throw new IllegalStateException("HANDOVER of stream " + order.id() + " attempt " + handOver.attempt()
                    + " but the slices are of attempt " + attempt + (failed ? ", failed" : ""));
        }
        receiver.versionAtLeast(handOver.version());
        if (order.isMerge()) {
            receiver.takeShipped(Moved.by(order));
        }
        state = SplitState.HANDED_OVER;
        return receiver;
    }

    /** The receiver has taken what was shipped, by an entry of its group's log. */
    public void taken() {
        state = SplitState.HANDED_OVER;
    }

    private Partition empty() {
        return kind == TableKind.RANGE
                ? new RangePartition(order.table(), order.child(), order.span(), order.id(), store)
                : new HashPartition(order.table(), order.child(), order.receiverLevel(), order.id(), store);
    }

    private final class Apply implements SliceFrame.Sink {
        private final MemorySegment memory;

        Apply(MemorySegment memory) {
            this.memory = memory;
        }

        @Override
        public void record(int keyAt, int keyLength, int valueAt, int valueLength, long version, long expiry) {
            seal = null;
            long hash = SegmentHash.hash(memory, keyAt, keyLength);
            PutResult put = receiver.bucket()
                    .put(hash, memory, keyAt, keyLength, memory, valueAt, valueLength, version, expiry, true);
            failed |= put == PutResult.FULL;
        }

        @Override
        public void remove(int keyAt, int keyLength) {
            seal = null;
            receiver.bucket().remove(SegmentHash.hash(memory, keyAt, keyLength), memory, keyAt, keyLength);
        }

        @Override
        public void result(long session, long seq, long low, long hash, byte status, long value) {
            seal = null;
            receiver.results().take(session, seq, low, hash, status, value);
        }

        @Override
        public void seal(SliceFrame.Seal complete) {
            seal = complete;
        }
    }
}
