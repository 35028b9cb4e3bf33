package io.sdds.bench.micro;

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

/** Filling an empty hash bucket: all its growth, and all the memory taken from the system. Time for all records. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4)
@Measurement(iterations = 6)
public class HashBucketLoadBenchmark extends MicroBenchmark {

    /** Records inserted. */
    @Param({"1000000", "5000000"})
    public int records;

    @SuppressWarnings("NullAway.Init")
    private FilledBucket empty;

    /** Prepares an empty bucket. */
    @Setup(Level.Iteration)
    public void open() {
        empty = new FilledBucket(records);
    }

    /** Gives the memory back. */
    @TearDown(Level.Iteration)
    public void close() {
        empty.close();
    }

    /** Inserts all records. */
    @Benchmark
    public long insertAll() {
        empty.fill();
        return empty.bucket.records();
    }
}
