package io.sdds.bench.micro;

import io.sdds.brick.bucket.PutResult;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Filling an empty range bucket with records of 100 bytes: all its growth, and all the memory taken from the system.
 * Time for all records.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4)
@Measurement(iterations = 6)
public class RangeBucketLoadBenchmark extends MicroBenchmark {

    private static final int FILL_PERCENT = 90;

    /** Records inserted. */
    @Param("1000000")
    public int records;

    @SuppressWarnings("NullAway.Init")
    private FilledRange empty;

    @SuppressWarnings("NullAway.Init")
    private MemorySegment sorted;

    /** Prepares an empty bucket. */
    @Setup(Level.Iteration)
    public void open() {
        empty = new FilledRange(records);
        sorted = MemorySegment.ofArray(new byte[KeySet.KEY_BYTES]);
    }

    /** Gives the memory back. */
    @TearDown(Level.Iteration)
    public void close() {
        empty.close();
    }

    /** Inserts all records in random order. */
    @Benchmark
    public long insertAll() {
        empty.fill();
        return empty.bucket.records();
    }

    /** Appends all records in key order, making each key on the way. */
    @Benchmark
    public long appendAll() {
        for (int i = 0; i < records; i++) {
            writeKey(i);
            PutResult result = empty.bucket.append(
                    sorted, 0, KeySet.KEY_BYTES, empty.value, 0, FilledRange.VALUE_BYTES, i, 0, FILL_PERCENT, false);
            if (result != PutResult.INSERTED) {
                throw new IllegalStateException("record " + i + ": " + result);
            }
        }
        return empty.bucket.records();
    }

    private void writeKey(int number) {
        int rest = number;
        for (int i = KeySet.KEY_BYTES - 1; i >= 0; i--) {
            sorted.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) ('0' + rest % 10));
            rest /= 10;
        }
    }
}
