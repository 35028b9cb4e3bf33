package io.sdds.brick.partition;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankVisitor;
import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeBucket;
import io.sdds.brick.range.RangeVisitor;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a range table: the keys of a span (λ, Λ] (RP*, section 2.1). λ never changes; a split lowers Λ, a
 * merge raises it.
 */
public final class RangePartition extends Partition {
    private static final int RECORDS_PER_LEAF_LOG = 5;
    private static final int UNOWNED_VISITED_MAX = 2000;
    private static final int NEXT_VISITED_MAX = 32;

    /*
     * Partitions that begin as halves and are filled at random would all be full again at the same time, and split in
     * one wave, round after round: N. Glombiewski, B. Seeger, G. Graefe, "Waves of Misery After Index Creation" (BTW
     * 2019). So halves are not quite even: what a partition keeps follows from its number, by the golden ratio, so that
     * neighbouring numbers differ most. A table of few partitions is halved evenly: there the balance of its bricks
     * counts for more than a small wave.
     */
    private static final int UNEVEN_PARTITIONS_MIN = 4;
    private static final int KEPT_PERCENT_MIN = 40;
    private static final int KEPT_PERCENT_MAX = 60;
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** Percentage of its capacity that a partition filled in ascending order keeps when it splits. */
    private static final int KEPT_PERCENT_ASCENDING = 90;

    private final RangeBucket bucket;
    private KeySpan span;
    private MemorySegment low;
    private MemorySegment high;
    private boolean closed;

    /** Number of the last migration that has changed the span. */
    private long changedBy;

    /** The key behind which {@link #visitNext} goes on; empty: it begins a round. */
    private byte[] nextBehind = {};

    /** The Λ that the partition has when the merge under way ends. */
    private byte @Nullable [] highAfterMerge;

    /**
     * Makes an empty partition.
     *
     * @param migration number of the migration that fills the partition; 0 when the partition begins empty
     */
    public RangePartition(int table, int number, KeySpan span, long migration, RecordStore store) {
        this(table, number, span, migration, new RangeBucket(store));
    }

    private RangePartition(int table, int number, KeySpan span, long migration, RangeBucket bucket) {
        super(table, number, migration, bucket);
        this.bucket = bucket;
        this.span = span;
        this.low = MemorySegment.ofArray(span.low());
        this.high = MemorySegment.ofArray(span.high());
    }

    @Override
    public RangeBucket bucket() {
        return bucket;
    }

    /** The keys that the partition owns. */
    public KeySpan span() {
        return span;
    }

    /**
     * The keys that should move when the partition splits: the keys above its median, or above a key near it. When the
     * last inserts came in ascending order, the partition keeps most of its capacity, because a half empty partition
     * would then stay half empty.
     *
     * @param fillPercent how full the partition is, at least 100
     * @param partitions number of the table's partitions
     * @return the keys, or null when no dividing key is short enough
     */
    public @Nullable KeySpan toMove(long fillPercent, int partitions) {
        long records = bucket.records();
        if (records < 2) {
            return null;
        }
        long kept = bucket.splitKeys().isFilledAscending()
                ? records * KEPT_PERCENT_ASCENDING / fillPercent
                : records * keptPercent(partitions) / 100;
        byte[] key = bucket.splitKeys().separator(Math.max(1, kept));
        return key.length > Limits.SPLIT_KEY_BYTES_MAX ? null : span.above(key);
    }

    private long keptPercent(int partitions) {
        if (partitions < UNEVEN_PARTITIONS_MIN) {
            return 50;
        }
        long fraction = Integer.toUnsignedLong(number() * GOLDEN_RATIO);
        return KEPT_PERCENT_MIN + (fraction * (KEPT_PERCENT_MAX - KEPT_PERCENT_MIN + 1) >>> Integer.SIZE);
    }

    /**
     * Visits the records of a range request that the partition owns, until there are no more records or the visitor
     * stops.
     *
     * @param range is set by this method
     * @return whether the end of the partition's part was reached
     */
    public boolean walk(Request request, KeyRange range, RangeVisitor visitor) {
        set(range, request);
        return request.isDescending() ? bucket.descend(range, visitor) : bucket.ascend(range, visitor);
    }

    /**
     * Begins a walk over the records of a range request that the partition owns, in the order asked for;
     * {@link RangeBucket#next} of the bucket goes on.
     *
     * @param range is set by this method
     */
    public void begin(Request request, KeyRange range) {
        set(range, request);
        bucket.begin(range, request.isDescending());
    }

    /**
     * Goes on with a walk that has reached a key, as {@link #begin} began it.
     *
     * @param range is set by this method
     */
    public void goOn(Request request, KeyRange range, byte[] reached) {
        set(range, request);
        MemorySegment key = MemorySegment.ofArray(reached);
        if (request.isDescending()) {
            range.to(key, 0, reached.length, false);
        } else {
            range.from(key, 0, reached.length, false);
        }
        bucket.begin(range, request.isDescending());
    }

    /** Whether the partition owns a key. */
    public boolean owns(byte[] key) {
        MemorySegment bytes = MemorySegment.ofArray(key);
        return reaches(bytes, 0, key.length)
                && KeyOrder.compare(bytes, 0, key.length, low, 0, span.low().length, 0) > 0;
    }

    /** Number of records of a range request that the partition owns, with expired records that are not yet swept. */
    public long count(Request request, KeyRange range) {
        set(range, request);
        return bucket.count(range);
    }

    /** Whether the end of a range request lies in the keys of the partition. */
    public boolean holdsEnd(Request request) {
        return request.isDescending()
                ? reachesDown(request)
                : reaches(request.frame, request.endOffset(), request.endLength);
    }

    /** Whether the partition owns keys of a range request. */
    public boolean meets(Request request) {
        boolean down = request.isDescending();
        long lowAt = down ? request.endOffset() : request.keyOffset;
        int lowLength = down ? request.endLength : request.keyLength;
        long highAt = down ? request.keyOffset : request.endOffset();
        int highLength = down ? request.keyLength : request.endLength;
        boolean lowIncluded = down ? request.includesEnd() : request.includesKey();
        MemorySegment frame = request.frame;
        int above = lowLength == 0 || span.isLast()
                ? -1
                : KeyOrder.compare(frame, lowAt, lowLength, high, 0, span.high().length, 0);
        return (above < 0 || above == 0 && lowIncluded)
                && (highLength == 0 || KeyOrder.compare(frame, highAt, highLength, low, 0, span.low().length, 0) > 0);
    }

    /**
     * A request for this partition's part of a range request that was sent to all bricks. The part begins where the
     * range begins, or where the partition's keys begin if that is later. The caller releases the frame.
     */
    public ByteBuf ownPart(Request request, Env env) {
        boolean whole = holdsStart(request);
        byte[] from = whole ? request.key() : request.isDescending() ? span.high() : span.low();
        boolean included = whole ? request.includesKey() : request.isDescending();
        int length = request.length - request.keyLength + from.length;
        ByteBuf part = env.allocate(length);
        int toAll = RequestFrame.FLAG_MULTICAST | (whole ? RequestFrame.FLAG_PARALLEL : 0);
        int flags = request.flags & ~toAll | RequestFrame.FLAG_TEACH;
        RequestFrame.writeHeader(
                part,
                length,
                request.opcode,
                included ? flags | RequestFrame.FLAG_INCLUSIVE : flags & ~RequestFrame.FLAG_INCLUSIVE,
                request.correlation,
                table(),
                number(),
                request.deadlineMillis,
                request.mapVersion,
                from.length);
        part.writeBytes(from);
        int behindKey = (int) request.endOffset() - Short.BYTES;
        return part.writeBytes(request.buffer, behindKey, request.at + request.length - behindKey);
    }

    /**
     * The span that the reply to this request may tell the client: no more than the keys that the request has seen. A
     * request that begins where a partition's keys began may have waited for a merge. The partition that answers then
     * has lower keys, too. But the client takes the reply for a reply about all keys of the range within the span.
     */
    public KeySpan told(Request request) {
        if (!request.beginsAtPartition()) {
            return span;
        }
        return request.isDescending() ? span.upTo(request.key()) : span.above(request.key());
    }

    private void set(KeyRange range, Request request) {
        if (request.isDescending()) {
            boundBelow(range, request.frame, request.endOffset(), request.endLength, request.includesEnd());
            boundAbove(range, request.frame, request.keyOffset, request.keyLength, request.includesKey());
        } else {
            boundBelow(range, request.frame, request.keyOffset, request.keyLength, request.includesKey());
            boundAbove(range, request.frame, request.endOffset(), request.endLength, request.includesEnd());
        }
    }

    private static void boundBelow(KeyRange range, MemorySegment key, long at, int length, boolean inclusive) {
        if (length == 0) {
            range.fromFirst();
        } else {
            range.from(key, at, length, inclusive);
        }
    }

    /** Ends the range at a key, or where the keys of the partition end. */
    private void boundAbove(KeyRange range, MemorySegment key, long at, int length, boolean inclusive) {
        if (length > 0 && reaches(key, at, length)) {
            range.to(key, at, length, inclusive);
        } else if (span.isLast()) {
            range.toLast();
        } else {
            range.to(high, 0, span.high().length, true);
        }
    }

    /** Whether the partition's keys reach up to a key; to an empty key if they are the last keys of the table. */
    private boolean reaches(MemorySegment key, long at, int length) {
        return span.isLast() || length > 0 && KeyOrder.compare(key, at, length, high, 0, span.high().length, 0) <= 0;
    }

    /** Whether the partition's keys reach down to the end of a descending request. */
    private boolean reachesDown(Request request) {
        if (span.isFirst() || request.endLength == 0) {
            return span.isFirst();
        }
        int above =
                KeyOrder.compare(request.frame, request.endOffset(), request.endLength, low, 0, span.low().length, 0);
        return request.includesEnd() ? above > 0 : above >= 0;
    }

    /** The column owns these keys from now on, and none before. */
    public void wake(KeySpan keys) {
        become(keys);
        highAfterMerge = null;
        idle(false);
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

    /** A request that no range table answers is owned by any partition, which refuses it. */
    @Override
    public boolean owns(Request request) {
        return !closed && (Opcode.isOfKey(request.opcode) ? holdsKey(request) : holdsStart(request));
    }

    private boolean holdsKey(Request request) {
        return holds(request.frame, request.keyOffset, request.keyLength);
    }

    /** Whether the partition owns the first key that a range request could be about. */
    private boolean holdsStart(Request request) {
        if (Opcode.isInterval(request.opcode)) {
            return true;
        }
        if (request.isDescending()) {
            return request.keyLength == 0 ? span.isLast() : holdsKey(request);
        }
        return request.includesKey() && request.keyLength > 0 ? holdsKey(request) : holdsAbove(request);
    }

    private boolean holdsAbove(Request request) {
        MemorySegment key = request.frame;
        long at = request.keyOffset;
        int length = request.keyLength;
        return KeyOrder.compare(low, 0, span.low().length, key, at, length, 0) <= 0
                && (span.isLast() || KeyOrder.compare(key, at, length, high, 0, span.high().length, 0) < 0);
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
        return isIdle() ? 0 : bucket.records() - recordsAbove();
    }

    @Override
    public long bytes() {
        return isIdle() ? 0 : bucket.bytes() - (mayHoldMore() ? bucket.bytesAbove(high, 0, span.high().length) : 0);
    }

    /** Whether the bucket may have records above the keys of the partition. */
    private boolean mayHoldMore() {
        return !span.isLast() && (isWide() || bucket.ranks().areGiven());
    }

    private long recordsAbove() {
        return mayHoldMore() ? bucket.recordsAbove(high, 0, span.high().length) : 0;
    }

    @Override
    public boolean isClean() {
        return isIdle() ? bucket.records() == 0 : recordsAbove() == 0;
    }

    @Override
    public boolean visitUnowned(LongConsumer visitor) {
        KeyRange range = new KeyRange().toLast();
        if (isIdle()) {
            range.fromFirst();
        } else {
            range.from(high, 0, span.high().length, false);
        }
        int[] left = {UNOWNED_VISITED_MAX};
        bucket.ascend(range, ref -> {
            visitor.accept(ref);
            return --left[0] > 0;
        });
        return false;
    }

    @Override
    public boolean visitNext(LongConsumer visitor) {
        KeyRange range = new KeyRange().toLast();
        if (nextBehind.length == 0) {
            range.fromFirst();
        } else {
            range.from(MemorySegment.ofArray(nextBehind), 0, nextBehind.length, false);
        }
        int[] left = {NEXT_VISITED_MAX};
        byte[][] last = {{}};
        boolean over = bucket.ascend(range, ref -> {
            visitor.accept(ref);
            boolean more = --left[0] > 0;
            if (!more) {
                last[0] = bucket.store().key(ref);
            }
            return more;
        });
        nextBehind = over ? new byte[0] : last[0];
        return !over;
    }

    @Override
    public boolean hasOnlyOwn() {
        return isClean();
    }

    @Override
    public boolean endCleaning() {
        return isClean();
    }

    @Override
    public boolean mayDetach(MovedKeys keys) {
        return Arrays.equals(span.high(), keys.span().high())
                && span.holds(keys.span().low());
    }

    /**
     * The given keys are the highest keys of the partition. In a table with parity groups their records stay until
     * entries of the log have dropped them.
     */
    @Override
    public void detach(MovedKeys keys) {
        changedBy = keys.migration();
        become(span.upTo(keys.span().low()));
        if (!bucket.ranks().areGiven()) {
            bucket.dropAbove(high, 0, span.high().length);
        }
    }

    @Override
    public boolean hasDetached(MovedKeys keys) {
        return changedBy == keys.migration();
    }

    @Override
    public boolean isAll(MovedKeys keys) {
        return span.equals(keys.span());
    }

    @Override
    public boolean mayAbsorb(MovedKeys keys) {
        return Arrays.equals(span.high(), keys.span().low());
    }

    @Override
    public boolean hasAbsorbed(MovedKeys keys) {
        return changedBy == keys.migration();
    }

    /** A range that begins below the keys may reach into them. */
    @Override
    public boolean isAbout(Request request, MovedKeys keys) {
        byte[] below = keys.span().low();
        return !Opcode.isOfKey(request.opcode)
                || KeyOrder.compare(
                                request.frame,
                                request.keyOffset,
                                request.keyLength,
                                MemorySegment.ofArray(below),
                                0,
                                below.length,
                                0)
                        > 0;
    }

    @Override
    public void beginWidening(MigrationOrder merge) {
        highAfterMerge = merge.span().high();
    }

    @Override
    public void absorb(MovedKeys keys) {
        byte[] raised = highAfterMerge;
        if (raised == null) {
            throw new IllegalStateException(
                    "partition " + number() + " of table " + table() + " was not made ready for a merge");
        }
        changedBy = keys.migration();
        become(span.upTo(raised));
        highAfterMerge = null;
    }

    /** In a table with parity groups entries of the log drop the records. */
    @Override
    public void dropShipped() {
        if (isWide()) {
            if (!bucket.ranks().areGiven()) {
                bucket.dropAbove(high, 0, span.high().length);
            }
            highAfterMerge = null;
        }
    }

    @Override
    public void dropUnowned() {
        if (!isIdle() && !span.isLast()) {
            bucket.dropAbove(high, 0, span.high().length);
        }
    }

    /** Sweeps all records of the partition, also those that it does not serve. */
    @Override
    public boolean sweep(int steps) {
        return bucket.sweep(steps);
    }

    @Override
    public boolean visitExpired(int steps, RankVisitor visitor) {
        return bucket.collectExpired(steps, visitor);
    }

    @Override
    public long sweepSteps() {
        return bucket.records() >>> RECORDS_PER_LEAF_LOG;
    }
}
