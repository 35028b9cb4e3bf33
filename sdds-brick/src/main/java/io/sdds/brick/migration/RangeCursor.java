package io.sdds.brick.migration;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Results;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.model.MigrationOrder;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * Of a range partition: the keys above one, in their order; of a merge, and of a partition that is copied, that is all
 * of them.
 */
final class RangeCursor implements RecordCursor {
    /** Records passed at a time. */
    private static final int STEP_RECORDS = 32;

    private final RangePartition partition;
    private final byte[] low;
    private final MemorySegment lowKey;
    private final KeyRange rest = new KeyRange();
    private final RecordStore store;
    private byte[] cursor = new byte[64];
    private int cursorLength;
    private boolean atEnd;
    private int passed;
    private long passedBytes;
    private long lastRef;

    RangeCursor(RangePartition partition, MigrationOrder order) {
        this(partition, order.span().low());
    }

    /** The keys above one. */
    RangeCursor(RangePartition partition, byte[] low) {
        this.partition = partition;
        this.store = partition.bucket().store();
        this.low = low;
        this.lowKey = MemorySegment.ofArray(low);
    }

    @Override
    public boolean contains(Request request) {
        return isAbove(request.frame, request.keyOffset, request.keyLength);
    }

    @Override
    public boolean contains(long hash, MemorySegment key, long keyOffset, int keyLength) {
        return isAbove(key, keyOffset, keyLength);
    }

    /** A pseudo-key says nothing of a key's order. */
    @Override
    public boolean mayContain(long hash) {
        return true;
    }

    private boolean isAbove(MemorySegment key, long keyOffset, int keyLength) {
        return KeyOrder.compare(key, keyOffset, keyLength, lowKey, 0, low.length, 0) > 0;
    }

    @Override
    public boolean isPassed(long hash, MemorySegment key, long keyOffset, int keyLength) {
        return atEnd
                || KeyOrder.compare(key, keyOffset, keyLength, MemorySegment.ofArray(cursor), 0, cursorLength, 0) <= 0;
    }

    @Override
    public void rewind() {
        keepCursor(lowKey, 0, low.length);
        atEnd = false;
    }

    @Override
    public boolean isAtEnd() {
        return atEnd;
    }

    @Override
    public void pass(LongConsumer visitor) {
        passed = 0;
        passedBytes = 0;
        if (cursorLength == 0) {
            rest.fromFirst();
        } else {
            rest.from(MemorySegment.ofArray(cursor), 0, cursorLength, false);
        }
        atEnd = partition.bucket().ascend(rest, ref -> {
            visitor.accept(ref);
            lastRef = ref;
            passedBytes += store.keyLength(ref) + store.valueLength(ref);
            return ++passed < STEP_RECORDS && passedBytes < PASS_BYTES;
        });
        if (!atEnd) {
            keepCursor(store.segment(lastRef), store.keyOffset(lastRef), store.keyLength(lastRef));
        }
    }

    private void keepCursor(MemorySegment key, long keyOffset, int keyLength) {
        if (keyLength > cursor.length) {
            cursor = new byte[keyLength];
        }
        MemorySegment.copy(key, keyOffset, MemorySegment.ofArray(cursor), 0, keyLength);
        cursorLength = keyLength;
    }

    /**
     * All of them: a result keeps its key's pseudo-key, which says nothing of the key's order. Those of keys that stay
     * are no harm: nobody asks for them.
     */
    @Override
    public void results(Results results, Results.Visitor visitor) {
        results.forEach(visitor);
    }

    @Override
    public long bytes() {
        return partition.bucket().bytesAbove(lowKey, 0, low.length);
    }
}
