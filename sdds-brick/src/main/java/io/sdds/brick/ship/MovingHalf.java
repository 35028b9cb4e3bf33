package io.sdds.brick.ship;

import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Results;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.model.SplitOrder;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/** Of a hash partition: the pseudo-keys with one bit set, an interval of scan order; of a merge that is all of them. */
final class MovingHalf implements MovingPart {
    private final HashPartition partition;
    private final boolean merge;
    private final long bit;
    private final long start;
    private final long end;
    private long cursor;
    private boolean atEnd;

    MovingHalf(HashPartition partition, SplitOrder order) {
        this.partition = partition;
        this.merge = order.merge();
        this.bit = 1L << order.level();
        this.start = ScanOrder.start(order.child());
        this.end = ScanOrder.end(order.child(), order.level() + 1);
    }

    @Override
    public boolean contains(Request request) {
        return contains(request.hash);
    }

    @Override
    public boolean contains(long hash, MemorySegment key, int keyLength) {
        return contains(hash);
    }

    private boolean contains(long hash) {
        return (hash & bit) != 0;
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
        long next = partition.bucket().visit(cursor, (ref, hash) -> {
            if (contains(hash)) {
                visitor.accept(ref);
            }
        });
        atEnd = next == 0 || !ScanOrder.before(next, end);
        cursor = next;
    }

    @Override
    public void results(Results results, Results.Visitor visitor) {
        results.forEachWithBit(bit, visitor);
    }

    @Override
    public long bytes() {
        return merge ? partition.bytes() : partition.bucket().movingBytes();
    }
}
