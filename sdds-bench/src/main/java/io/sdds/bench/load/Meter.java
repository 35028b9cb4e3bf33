package io.sdds.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.HdrHistogram.Histogram;

/**
 * Latencies and number of the operations that ended on one thread. Only that thread writes; any thread may read the
 * number.
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

    /** Latencies of the operations that ended well within the measured time. */
    final Histogram latencyNanos = new Histogram(LATENCY_NANOS_MIN, LATENCY_NANOS_MAX, DIGITS);

    private final Thread owner = Thread.currentThread();
    private long ended;

    /** Whether the calling thread may write to this meter. */
    boolean isMine() {
        return owner == Thread.currentThread();
    }

    /** Records the latency of an operation that ended well within the measured time. */
    void record(long nanos) {
        latencyNanos.recordValue(Math.clamp(nanos, 0, LATENCY_NANOS_MAX));
    }

    /** Counts an operation that ended well, within the measured time or not. */
    void count() {
        ENDED.setOpaque(this, ended + 1);
    }

    /** Number of operations that have ended well so far. Any thread may call. */
    long counted() {
        return (long) ENDED.getOpaque(this);
    }
}
