package io.sdds.bench.micro;

import io.sdds.brick.bucket.PutResult;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Operations on a hash bucket of records with 16-byte keys and 150-byte values, in random order, one thread. Hashing
 * the key is part of each operation; copying the value out is part of each get.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC"})
public class HashBucketBenchmark {

    private static final int BATCH = 100;
    private static final int BUFFER_STRIDE_BYTES = 160;

    /** Records in the bucket. */
    @Param({"1000000", "5000000"})
    public int records;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate((long) BATCH * BUFFER_STRIDE_BYTES, 64);
    private final long[] hashes = new long[BATCH];

    @SuppressWarnings("NullAway.Init")
    private FilledBucket filled;

    @SuppressWarnings("NullAway.Init")
    private KeySet absentKeys;

    private int next;

    /** Fills the bucket. */
    @Setup(Level.Trial)
    public void fill() {
        filled = new FilledBucket(records);
        filled.fill();
        absentKeys = new KeySet(arena, 'a', records);
        System.out.printf("# %.1f bytes a record beyond key and value%n", filled.overheadBytes());
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        filled.close();
        arena.close();
    }

    /** Gets an existing key. */
    @Benchmark
    public int getPresent() {
        int index = nextIndex();
        return get(index, filled.keys.hash(index), 0);
    }

    private int nextIndex() {
        next = next + 1 < records ? next + 1 : 0;
        return next;
    }

    private int get(int index, long hash, int slot) {
        long ref = filled.bucket.find(hash, filled.keys.segment(), filled.keys.offset(index), KeySet.KEY_BYTES);
        int length = filled.store.valueLength(ref);
        MemorySegment.copy(
                filled.store.segment(ref),
                filled.store.valueOffset(ref),
                buffer,
                (long) slot * BUFFER_STRIDE_BYTES,
                length);
        return length;
    }

    /** Gets a missing key. */
    @Benchmark
    public long getAbsent() {
        int index = nextIndex();
        return filled.bucket.find(
                absentKeys.hash(index), absentKeys.segment(), absentKeys.offset(index), KeySet.KEY_BYTES);
    }

    /** Replaces the value of an existing key by a value of the same size. */
    @Benchmark
    public PutResult putOverwrite() {
        return filled.put(nextIndex());
    }

    /** Removes a record and inserts the record again. */
    @Benchmark
    public PutResult removeAndInsert() {
        int index = nextIndex();
        filled.bucket.remove(
                filled.keys.hash(index), filled.keys.segment(), filled.keys.offset(index), KeySet.KEY_BYTES);
        return filled.put(index);
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
