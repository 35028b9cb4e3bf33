package io.sdds.bench.micro;

import io.sdds.brick.bucket.PutResult;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Operations on one key, which buckets of both kinds have. Keys come in random order. */
public abstract class BucketBenchmark extends MicroBenchmark {
    final Arena arena = Arena.ofShared();

    @SuppressWarnings("NullAway.Init")
    KeySet absentKeys;

    int next;

    /** The bucket. */
    abstract Filled filled();

    /** Creates the bucket. */
    abstract Filled create();

    /** Number of records in the bucket. */
    abstract int records();

    /** Fills the bucket. */
    @Setup(Level.Trial)
    public void fill() {
        Filled filled = create();
        filled.fill();
        absentKeys = new KeySet(arena, 'a', records());
        System.out.printf("# %.1f bytes a record beyond key and value%n", filled.overheadBytes());
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        filled().close();
        arena.close();
    }

    int nextIndex() {
        next = next + 1 < records() ? next + 1 : 0;
        return next;
    }

    /** Replaces the value of an existing key by a value of the same size. */
    @Benchmark
    public PutResult putOverwrite() {
        return filled().put(nextIndex());
    }

    /** Removes a record and inserts the record again. */
    @Benchmark
    public PutResult removeAndInsert() {
        int index = nextIndex();
        filled().remove(index);
        return filled().put(index);
    }
}
