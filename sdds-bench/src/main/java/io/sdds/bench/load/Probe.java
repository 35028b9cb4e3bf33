package io.sdds.bench.load;

import io.sdds.client.HashTable;
import io.sdds.client.SddsException;
import java.util.function.IntSupplier;

/**
 * Gets or puts records one after the other, on a thread of its own, and notes each operation that ended well. For what
 * a client of one partition sees while something is done to the cluster.
 */
public final class Probe implements AutoCloseable {
    private static final int PAUSE_MILLIS = 5;
    private static final int TRACE_ROOM = 1 << 14;

    private final Dataset data;
    private final HashTable<byte[], byte[]> table;
    private final IntSupplier numbers;
    private final LatencyTrace trace;
    private final Thread thread;
    private volatile boolean ending;
    private volatile long failed;

    private Probe(Series series, HashTable<byte[], byte[]> table, IntSupplier numbers, long beginNanos, boolean reads) {
        this.data = series.data();
        this.table = table;
        this.numbers = numbers;
        this.trace = new LatencyTrace(beginNanos, TRACE_ROOM);
        this.thread = new Thread(() -> run(reads), reads ? "probe-gets" : "probe-puts");
    }

    /**
     * Begins to get records of a series.
     *
     * @param numbers gives the number of the next record; -1 if there is none
     * @param beginNanos the moment of {@link System#nanoTime} that times count from
     */
    public static Probe gets(Series series, HashTable<byte[], byte[]> table, IntSupplier numbers, long beginNanos) {
        return started(new Probe(series, table, numbers, beginNanos, true));
    }

    /** As {@link #gets}, with puts of the values that the records have. */
    public static Probe puts(Series series, HashTable<byte[], byte[]> table, IntSupplier numbers, long beginNanos) {
        return started(new Probe(series, table, numbers, beginNanos, false));
    }

    private static Probe started(Probe probe) {
        probe.thread.start();
        return probe;
    }

    /** The operations that ended well. */
    public LatencyTrace trace() {
        return trace;
    }

    /** Number of operations that failed, or read a wrong value. */
    public long failed() {
        return failed;
    }

    /** Waits until no record is left, or until {@link #close}. */
    public void await() throws InterruptedException {
        thread.join();
    }

    private void run(boolean reads) {
        for (int number = numbers.getAsInt(); number >= 0 && !ending; number = numbers.getAsInt()) {
            long begin = System.nanoTime();
            if (isDone(number, reads)) {
                long now = System.nanoTime();
                trace.add(now, now - begin);
            } else {
                failed++;
                pause();
            }
        }
    }

    private boolean isDone(int number, boolean reads) {
        try {
            if (reads) {
                return data.isValue(number, table.get(data.key(number)));
            }
            table.put(data.key(number), data.value(number));
            return true;
        } catch (SddsException e) {
            return false;
        }
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            ending = true;
        }
    }

    /** Begins no more operations, and waits for the one under way. */
    @Override
    public void close() {
        ending = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
