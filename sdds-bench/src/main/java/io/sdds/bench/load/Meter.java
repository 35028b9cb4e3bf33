package io.sdds.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.HdrHistogram.Histogram;

/**
 * What one thread saw of the operations that ended on it. Written by that thread; counters may be watched from others.
 */
final class Meter {
    static final long LATENCY_NANOS_MAX = 60_000_000_000L;

    private static final long LATENCY_NANOS_MIN = 128;
    private static final int DIGITS = 3;
    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(Meter.class, "ended", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Of the operations that ended well while it was measured. */
    final Histogram latencyNanos = new Histogram(LATENCY_NANOS_MIN, LATENCY_NANOS_MAX, DIGITS);

    private final Thread owner = Thread.currentThread();
    private long ended;

    /** Whether the calling thread may write it. */
    boolean isMine() {
        return owner == Thread.currentThread();
    }

    /** Notes an operation that ended well while it was measured. */
    void record(long nanos) {
        latencyNanos.recordValue(Math.clamp(nanos, 0, LATENCY_NANOS_MAX));
    }

    /** Counts an operation that ended well, measured or not. */
    void count() {
        ENDED.setOpaque(this, ended + 1);
    }

    /** Operations that ended well so far; any thread. */
    long counted() {
        return (long) ENDED.getOpaque(this);
    }
}
