package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import io.sdds.client.HashTable;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Operations that start evenly at a rate, independent of outstanding operations. Latency counts from the scheduled
 * start of an operation, so that a stall shows in all operations that it delays.
 */
public final class OpenLoop implements Generator {
    private static final long PARK_NANOS_MAX = 100_000;
    private static final long POLL_MILLIS = 1;

    private final Run run;
    private final int services;
    private final long ratePerSecond;
    private final SplittableRandom random;
    private final Thread pacer;
    private volatile long begun;

    /**
     * Writes the records, runs the load, and waits until all operations have ended.
     *
     * @param settings settings with a rate above 0
     * @throws LoadException if the records cannot be written
     * @throws java.io.UncheckedIOException if the history cannot be written
     */
    public static LoadResult run(LoadSettings settings, HashTable<byte[], byte[]> table, LoadProgress.Listener listener)
            throws InterruptedException {
        return run(settings, LoadTarget.of(table), listener);
    }

    /** Runs the load on any target. */
    public static LoadResult run(LoadSettings settings, LoadTarget target, LoadProgress.Listener listener)
            throws InterruptedException {
        if (settings.ratePerSecond() == 0) {
            throw new IllegalArgumentException("an open loop needs a rate");
        }
        return Load.run(settings, target, listener, run -> new OpenLoop(settings, run));
    }

    OpenLoop(LoadSettings settings, Run run) {
        this.run = run;
        this.services = settings.services();
        this.ratePerSecond = settings.ratePerSecond();
        this.random = new SplittableRandom(settings.seed());
        this.pacer = Thread.ofPlatform().daemon().name("pacer").unstarted(this::pace);
    }

    @Override
    public void start() {
        pacer.start();
    }

    @Override
    public long awaitEnd(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        pacer.join(patience);
        while (underWay() > 0 && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return underWay();
    }

    private long underWay() {
        return Math.max(0, begun - run.counted() - run.failures.counts().total());
    }

    private void pace() {
        long start = System.nanoTime();
        long count = 0;
        while (run.isGoingOn()) {
            long due = start + Math.round(count * 1e9 / ratePerSecond);
            long early = due - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(Math.min(early, PARK_NANOS_MAX));
            } else {
                new Once(run, (int) (count % services), random.split()).begin(due);
                begun = ++count;
            }
        }
    }

    /** An operation that runs once. */
    private static final class Once extends LoadOperation {
        Once(Run run, int service, SplittableRandom random) {
            super(run, service, random);
        }

        @Override
        void ended(boolean endedWell, long nowNanos) {}
    }
}
