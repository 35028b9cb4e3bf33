package io.sdds.brick.migration;

import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Results;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.model.MigrationOrder;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * Of a hash partition: the pseudo-keys with one bit set, an interval of scan order, of a merge that is all of them; or
 * all of a partition that is copied.
 */
final class HashCursor implements RecordCursor {
    private final HashPartition partition;
    private final boolean all;
    private final long bit;
    private final long start;
    private final long end;
    private long cursor;
    private boolean atEnd;

    HashCursor(HashPartition partition, MigrationOrder order) {
        this.partition = partition;
        this.all = order.isMerge();
        this.bit = 1L << order.level();
        this.start = ScanOrder.start(order.child());
        this.end = ScanOrder.end(order.child(), order.level() + 1);
    }

    /** All of it. */
    HashCursor(HashPartition partition) {
        this.partition = partition;
        this.all = true;
        this.bit = 0;
        this.start = ScanOrder.start(partition.number());
        this.end = ScanOrder.end(partition.number(), partition.level());
    }

    @Override
    public boolean contains(Request request) {
        return contains(request.hash);
    }

    @Override
    public boolean contains(long hash, MemorySegment key, long keyOffset, int keyLength) {
        return contains(hash);
    }

    @Override
    public boolean mayContain(long hash) {
        return contains(hash);
    }

    private boolean contains(long hash) {
        return (hash & bit) == bit;
    }

    @Override
    public boolean isPassed(long hash, MemorySegment key, long keyOffset, int keyLength) {
        return atEnd || Long.compareUnsigned(ScanOrder.point(hash), cursor) < 0;
    }

    @Override
    public void rewind() {
        cursor = start;
        atEnd = false;
    }

    @Override
    public boolean isAtEnd() {
        return atEnd;
    }

    @Override
    public void pass(LongConsumer visitor) {
        long next = partition.bucket().visitSome(cursor, PASS_BYTES, (ref, hash) -> {
            if (contains(hash)) {
                visitor.accept(ref);
            }
        });
        atEnd = next == 0 || !ScanOrder.before(next, end);
        cursor = next;
    }

    @Override
    public void results(Results results, Results.Visitor visitor) {
        if (all) {
            results.forEach(visitor);
        } else {
            results.forEachWithBit(bit, visitor);
        }
    }

    @Override
    public long bytes() {
        return all ? partition.bytes() : partition.bucket().movingBytes();
    }
}
