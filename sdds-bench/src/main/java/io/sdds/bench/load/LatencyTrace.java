package io.sdds.bench.load;

import java.util.Arrays;

/** When each operation of a client ended, and how long it took, in the order in which they ended. Thread-safe. */
public final class LatencyTrace implements CompletionListener {
    private final long beginNanos;
    private long[] atNanos;
    private long[] tookNanos;
    private int size;

    /**
     * An empty trace.
     *
     * @param beginNanos the moment of {@link System#nanoTime} that times count from
     * @param room for so many operations at first, at least 1: to make more takes time that operations would wait for
     */
    LatencyTrace(long beginNanos, int room) {
        this.beginNanos = beginNanos;
        this.atNanos = new long[room];
        this.tookNanos = new long[room];
    }

    @Override
    public synchronized void add(long nowNanos, long nanos) {
        if (size == atNanos.length) {
            atNanos = Arrays.copyOf(atNanos, 2 * size);
            tookNanos = Arrays.copyOf(tookNanos, 2 * size);
        }
        atNanos[size] = nowNanos - beginNanos;
        tookNanos[size] = nanos;
        size++;
    }

    /** Operations that ended well. */
    public synchronized int size() {
        return size;
    }

    /** When an operation ended, in seconds since the beginning. */
    public synchronized double seconds(int index) {
        return atNanos[index] / 1e9;
    }

    /** How long an operation took, in microseconds. */
    public synchronized double micros(int index) {
        return tookNanos[index] / 1e3;
    }
}
