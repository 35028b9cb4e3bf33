package io.sdds.brick.migration;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Results;
import io.sdds.core.model.MigrationOrder;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * The part of a partition's records that a migration copies, with a cursor that walks over them from one end to the
 * other: what lies before the cursor has been visited, what lies behind it will be, whatever is written meanwhile.
 */
interface RecordCursor {
    /** Bytes of records after which a pass ends. */
    int PASS_BYTES = 64 << 10;

    static RecordCursor of(Partition partition, MigrationOrder order, RecordStore store) {
        RankSpace ranks = partition.bucket().ranks().space();
        if (order.isMove() && ranks != null && partition.group().standsOnParity()) {
            return new RankCursor(partition, ranks, store);
        }
        if (order.isMove() || order.isLearner()) {
            return all(partition);
        }
        return partition instanceof RangePartition range
                ? new RangeCursor(range, order)
                : new HashCursor((HashPartition) partition, order);
    }

    /** All there is. */
    static RecordCursor all(Partition partition) {
        return partition instanceof RangePartition range
                ? new RangeCursor(range, range.span().low())
                : new HashCursor((HashPartition) partition);
    }

    /** Whether it has the key, or the first point of the interval, that the request is about. */
    boolean contains(Request request);

    /** Whether it has the key that was changed; of a change to no single key whether it may have one of them. */
    default boolean contains(Applied entry) {
        return entry.isOfKey()
                ? contains(entry.hash, entry.key, entry.keyOffset, entry.keyLength)
                : mayContain(entry.hash);
    }

    /** Whether it has the key. */
    boolean contains(long hash, MemorySegment key, long keyOffset, int keyLength);

    /** Whether it may have a key of this pseudo-key. */
    boolean mayContain(long hash);

    /** Whether the key, which it has, lies before the cursor. */
    boolean isPassed(long hash, MemorySegment key, long keyOffset, int keyLength);

    /** Puts the cursor at the beginning. */
    void rewind();

    /** Whether the cursor is at the end. */
    boolean isAtEnd();

    /**
     * Passes a few records, of one LH-bucket or leaf or less, of {@link #PASS_BYTES} or one record.
     *
     * @param visitor takes the reference of each
     */
    void pass(LongConsumer visitor);

    /** Open results that go with its keys. */
    void results(Results results, Results.Visitor visitor);

    /** Bytes of its records. */
    long bytes();

    /** Whether its records keep their ranks, so that those that have expired are among them. */
    default boolean keepsRanks() {
        return false;
    }
}
