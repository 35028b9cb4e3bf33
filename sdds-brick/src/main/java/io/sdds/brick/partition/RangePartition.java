package io.sdds.brick.partition;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.RangeBucket;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.SplitOrder;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A partition of a range table: the keys of a span (λ, Λ] (RP*, section 2.1). λ never changes; a split lowers Λ, a merge raises it. */
public final class RangePartition extends Partition {
    private static final int RECORDS_PER_LEAF_LOG = 5;

    private final RangeBucket bucket;
    private KeySpan span;
    private MemorySegment low;
    private MemorySegment high;
    private boolean closed;

    /** Λ once a merge under way is done. */
    private byte @Nullable [] highAfterMerge;

    /**
     * An empty partition.
     *
     * @param stream the shipping that fills it; 0 when it begins empty
     */
    public RangePartition(int table, int number, KeySpan span, long stream, RecordStore store) {
        this(table, number, span, stream, new RangeBucket(store));
    }

    private RangePartition(int table, int number, KeySpan span, long stream, RangeBucket bucket) {
        super(table, number, stream, bucket);
        this.bucket = bucket;
        this.span = span;
        this.low = MemorySegment.ofArray(span.low());
        this.high = MemorySegment.ofArray(span.high());
    }

    @Override
    public RangeBucket bucket() {
        return bucket;
    }

    /** The keys that are its own. */
    public KeySpan span() {
        return span;
    }

    private void become(KeySpan now) {
        span = now;
        low = MemorySegment.ofArray(now.low());
        high = MemorySegment.ofArray(now.high());
    }

    @Override
    public int level() {
        return 0;
    }

    @Override
    public boolean owns(Request request) {
        return !closed && holds(request.frame, request.keyOffset, request.keyLength);
    }

    private boolean holds(MemorySegment key, long keyOffset, int keyLength) {
        return KeyOrder.compare(low, 0, span.low().length, key, keyOffset, keyLength, 0) < 0
                && (span.isLast() || KeyOrder.compare(key, keyOffset, keyLength, high, 0, span.high().length, 0) <= 0);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void closed(boolean toAll) {
        closed = toAll;
    }

    @Override
    public boolean isChanging() {
        return false;
    }

    @Override
    public boolean isWide() {
        return highAfterMerge != null;
    }

    @Override
    public long records() {
        return isWide() ? bucket.records() - bucket.recordsAbove(high, 0, span.high().length) : bucket.records();
    }

    @Override
    public long bytes() {
        return isWide() ? bucket.bytes() - bucket.bytesAbove(high, 0, span.high().length) : bucket.bytes();
    }

    /** The keys above the split's are another partition's. */
    @Override
    public void giveUp(SplitOrder split) {
        become(span.upTo(split.span().low()));
        bucket.dropAbove(high, 0, span.high().length);
    }

    @Override
    public void beginWidening(SplitOrder merge) {
        highAfterMerge = merge.span().high();
    }

    @Override
    public void takeShipped() {
        byte[] raised = highAfterMerge;
        if (raised == null) {
            throw new IllegalStateException(
                    "partition " + number() + " of table " + table() + " was not made ready for a merge");
        }
        become(span.upTo(raised));
        highAfterMerge = null;
    }

    @Override
    public void dropShipped() {
        if (isWide()) {
            bucket.dropAbove(high, 0, span.high().length);
            highAfterMerge = null;
        }
    }

    /** Of all that it holds, be it served or not. */
    @Override
    public boolean sweep(int steps) {
        return bucket.sweep(steps);
    }

    @Override
    public long sweepSteps() {
        return bucket.records() >>> RECORDS_PER_LEAF_LOG;
    }
}
