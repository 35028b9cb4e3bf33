package io.sdds.bench.micro;

import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * Operations on a hash bucket of records with 16-byte keys and 150-byte values, in random order, one thread. Hashing
 * the key is part of each operation; copying the value out is part of each get.
 */
public class HashBucketBenchmark extends BucketBenchmark {

    private static final int BATCH = 100;
    private static final int BUFFER_STRIDE_BYTES = 160;

    /** Records in the bucket. */
    @Param({"1000000", "5000000"})
    public int records;

    private final MemorySegment buffer = arena.allocate((long) BATCH * BUFFER_STRIDE_BYTES, 64);
    private final long[] hashes = new long[BATCH];

    @SuppressWarnings("NullAway.Init")
    private FilledBucket filled;

    @Override
    Filled filled() {
        return filled;
    }

    @Override
    Filled create() {
        filled = new FilledBucket(records);
        return filled;
    }

    @Override
    int records() {
        return records;
    }

    /** Gets an existing key. */
    @Benchmark
    public int getPresent() {
        int index = nextIndex();
        return get(index, filled.keys.hash(index), 0);
    }

    private int get(int index, long hash, int slot) {
        long ref = filled.bucket.find(hash, filled.keys.segment(), filled.keys.offset(index), KeySet.KEY_BYTES);
        return filled.copyValue(ref, buffer, (long) slot * BUFFER_STRIDE_BYTES);
    }

    /** Gets a missing key. */
    @Benchmark
    public long getAbsent() {
        int index = nextIndex();
        return filled.bucket.find(
                absentKeys.hash(index), absentKeys.segment(), absentKeys.offset(index), KeySet.KEY_BYTES);
    }

    /** Gets of a batch: all keys are hashed, then all are looked up. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int getBatch() {
        int first = hashBatch();
        return getBatch(first);
    }

    /** As {@link #getBatch}, with the LH-buckets touched first. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int getBatchTouchingBuckets() {
        int first = hashBatch();
        int touched = touchBuckets();
        return touched + getBatch(first);
    }

    /** As {@link #getBatch}, with the LH-buckets touched first and then the records. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int getBatchTouchingBucketsAndRecords() {
        int first = hashBatch();
        int touched = touchBuckets();
        for (long hash : hashes) {
            touched += filled.bucket.touchRecord(hash);
        }
        return touched + getBatch(first);
    }

    private int hashBatch() {
        next = next + 2 * BATCH <= records ? next + BATCH : 0;
        for (int i = 0; i < BATCH; i++) {
            hashes[i] = filled.keys.hash(next + i);
        }
        return next;
    }

    private int touchBuckets() {
        int touched = 0;
        for (long hash : hashes) {
            touched += filled.bucket.touchBucket(hash);
        }
        return touched;
    }

    private int getBatch(int first) {
        int bytes = 0;
        for (int i = 0; i < BATCH; i++) {
            bytes += get(first + i, hashes[i], i);
        }
        return bytes;
    }
}
