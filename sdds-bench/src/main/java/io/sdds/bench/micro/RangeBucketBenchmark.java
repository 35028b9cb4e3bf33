package io.sdds.bench.micro;

import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeVisitor;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * Operations on a range bucket of records of 100 bytes (16-byte keys, 84-byte values) that were inserted in random
 * order, one thread. Keys come in random order; copying the value out is part of each get.
 */
public class RangeBucketBenchmark extends BucketBenchmark {

    private static final int BATCH = 100;
    private static final int SCANNED = 1000;

    /** Records in the bucket. */
    @Param("1000000")
    public int records;

    private final MemorySegment buffer = arena.allocate((long) SCANNED * FilledRange.RECORD_BYTES, 64);
    private final long[] leaves = new long[BATCH];
    private final KeyRange range = new KeyRange();
    private final RangeVisitor reader = this::read;
    private final RangeVisitor copier = this::copy;

    @SuppressWarnings("NullAway.Init")
    private FilledRange filled;

    private int scanned;
    private long scannedBytes;

    @Override
    Filled filled() {
        return filled;
    }

    @Override
    Filled create() {
        filled = new FilledRange(records);
        return filled;
    }

    @Override
    int records() {
        return records;
    }

    /** Gets an existing key. */
    @Benchmark
    public int getPresent() {
        return get(nextIndex());
    }

    private int get(int index) {
        return copyValue(filled.bucket.find(filled.keys.segment(), filled.keys.offset(index), KeySet.KEY_BYTES), 0);
    }

    private int copyValue(long ref, int slot) {
        return filled.copyValue(ref, buffer, (long) slot * FilledRange.RECORD_BYTES);
    }

    /** Gets a missing key. */
    @Benchmark
    public long getAbsent() {
        return filled.bucket.find(absentKeys.segment(), absentKeys.offset(nextIndex()), KeySet.KEY_BYTES);
    }

    /** Gets of a batch, with the leaves touched first and then the records. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long getBatchTouchingLeavesAndRecords() {
        next = next + 2 * BATCH <= records ? next + BATCH : 0;
        long touched = 0;
        for (int i = 0; i < BATCH; i++) {
            leaves[i] = filled.bucket.touchLeaf(filled.keys.segment(), filled.keys.offset(next + i), KeySet.KEY_BYTES);
        }
        for (int i = 0; i < BATCH; i++) {
            touched += filled.bucket.touchRecord(
                    leaves[i], filled.keys.segment(), filled.keys.offset(next + i), KeySet.KEY_BYTES);
        }
        for (int i = 0; i < BATCH; i++) {
            long ref = filled.bucket.findIn(
                    leaves[i], filled.keys.segment(), filled.keys.offset(next + i), KeySet.KEY_BYTES);
            touched += copyValue(ref, i);
        }
        return touched;
    }

    /**
     * Ordered scan from a key on, 1000 records in one step: of each the lengths and the first bytes of the key are
     * read.
     */
    @Benchmark
    @OperationsPerInvocation(SCANNED)
    public long scanAscending() {
        return scan(false, reader);
    }

    /** As {@link #scanAscending}, downwards. */
    @Benchmark
    @OperationsPerInvocation(SCANNED)
    public long scanDescending() {
        return scan(true, reader);
    }

    /** As {@link #scanAscending}; of each record key and value are copied into a buffer. */
    @Benchmark
    @OperationsPerInvocation(SCANNED)
    public long scanAscendingCopying() {
        return scan(false, copier);
    }

    private long scan(boolean descending, RangeVisitor visitor) {
        int index = nextIndex();
        scanned = 0;
        scannedBytes = 0;
        if (descending) {
            range.fromFirst().to(filled.keys.segment(), filled.keys.offset(index), KeySet.KEY_BYTES, true);
            filled.bucket.descend(range, visitor);
        } else {
            range.toLast().from(filled.keys.segment(), filled.keys.offset(index), KeySet.KEY_BYTES, true);
            filled.bucket.ascend(range, visitor);
        }
        return scannedBytes;
    }

    private boolean read(long ref) {
        scannedBytes += filled.store.contentLength(ref)
                + filled.store.segment(ref).get(SegmentBytes.LONG, filled.store.keyOffset(ref));
        return ++scanned < SCANNED;
    }

    private boolean copy(long ref) {
        int length = filled.store.contentLength(ref);
        MemorySegment.copy(filled.store.segment(ref), filled.store.keyOffset(ref), buffer, scannedBytes, length);
        scannedBytes += length;
        return ++scanned < SCANNED;
    }

    /** Counts the records from a key on. */
    @Benchmark
    public long count() {
        int index = nextIndex();
        range.toLast().from(filled.keys.segment(), filled.keys.offset(index), KeySet.KEY_BYTES, true);
        return filled.bucket.count(range);
    }

    /** The key in the middle. */
    @Benchmark
    public long median() {
        return filled.bucket.splitKeys().median();
    }
}
