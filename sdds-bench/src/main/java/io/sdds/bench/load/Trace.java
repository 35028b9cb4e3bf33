package io.sdds.bench.load;

import java.util.Arrays;

/** When each operation of a client ended, and how long it took, in the order in which they ended. Thread-safe. */
public final class Trace {
    private static final int ROOM_MIN = 1024;

    private final long beginNanos;
    private long[] atNanos = new long[ROOM_MIN];
    private long[] tookNanos = new long[ROOM_MIN];
    private int size;

    /**
     * @param beginNanos the moment of {@link System#nanoTime} that times count from
     */
    Trace(long beginNanos) {
        this.beginNanos = beginNanos;
    }

    synchronized void add(long nowNanos, long nanos) {
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
