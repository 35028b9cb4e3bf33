package io.sdds.bench.load;

import java.util.Arrays;

/**
 * The course of a run in steps of a tenth of a second: number of successful operations, gaps without a successful
 * operation, and latencies. Times are seconds since the start of the run. Thread-safe.
 */
public final class Pace implements CompletionListener {
    /** Length of a step. */
    public static final double STEP_SECONDS = 0.1;

    private static final long STEP_NANOS = 100_000_000;
    private static final int STEPS_FIRST = 1024;

    private final long beginNanos;
    private long[] ended = new long[STEPS_FIRST];
    /** For each step, the longest gap that ended in the step. */
    private long[] gapNanos = new long[STEPS_FIRST];

    private long[] slowestNanos = new long[STEPS_FIRST];
    private long lastNanos;
    private int steps;

    /** Value before the first operation has ended. */
    Pace(long beginNanos) {
        this.beginNanos = beginNanos;
        this.lastNanos = beginNanos;
    }

    @Override
    public synchronized void add(long nowNanos, long nanos) {
        int step = (int) ((nowNanos - beginNanos) / STEP_NANOS);
        if (step >= ended.length) {
            makeRoomFor(step);
        }
        steps = Math.max(steps, step + 1);
        ended[step]++;
        gapNanos[step] = Math.max(gapNanos[step], nowNanos - lastNanos);
        slowestNanos[step] = Math.max(slowestNanos[step], nanos);
        lastNanos = Math.max(lastNanos, nowNanos);
    }

    private void makeRoomFor(int step) {
        int room = Math.max(2 * ended.length, step + 1);
        ended = Arrays.copyOf(ended, room);
        gapNanos = Arrays.copyOf(gapNanos, room);
        slowestNanos = Arrays.copyOf(slowestNanos, room);
    }

    /** Number of steps up to the last step in which an operation ended. */
    public synchronized int steps() {
        return steps;
    }

    /** Throughput of a step, in operations a second. */
    public synchronized double perSecond(int step) {
        return step < ended.length ? ended[step] / STEP_SECONDS : 0;
    }

    /** Throughput of the complete steps between two moments, in operations a second; 0 if there is no such step. */
    public synchronized double perSecond(double fromSeconds, double toSeconds) {
        int from = firstComplete(fromSeconds);
        int to = endOfComplete(toSeconds);
        double sum = 0;
        for (int step = from; step < to; step++) {
            sum += perSecond(step);
        }
        return to <= from ? 0 : sum / (to - from);
    }

    /** Whether a complete step lies between two moments, so that there is a throughput to tell. */
    public static boolean isMeasured(double fromSeconds, double toSeconds) {
        return firstComplete(fromSeconds) < endOfComplete(toSeconds);
    }

    private static int firstComplete(double fromSeconds) {
        return (int) Math.ceil(fromSeconds / STEP_SECONDS);
    }

    private static int endOfComplete(double toSeconds) {
        return (int) Math.floor(toSeconds / STEP_SECONDS);
    }

    /** Seconds from a moment until the end of the first step that reaches a rate; infinite if no step does. */
    public synchronized double secondsUntil(double fromSeconds, double perSecond) {
        for (int step = step(fromSeconds); step < steps; step++) {
            if (perSecond(step) >= perSecond) {
                return (step + 1) * STEP_SECONDS - fromSeconds;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** The longest gap that ended in the steps between two moments, in seconds. */
    public synchronized double longestGapSeconds(double fromSeconds, double toSeconds) {
        return most(gapNanos, fromSeconds, toSeconds) / 1e9;
    }

    /** Number of steps between two moments in which a gap of at least this length ended. */
    public synchronized int gaps(double fromSeconds, double toSeconds, double leastSeconds) {
        int count = 0;
        for (int step = step(fromSeconds); step < Math.min(steps, toSeconds / STEP_SECONDS); step++) {
            count += gapNanos[step] >= leastSeconds * 1e9 ? 1 : 0;
        }
        return count;
    }

    /** The highest latency of operations that ended in the steps between two moments, in seconds. */
    public synchronized double slowestSeconds(double fromSeconds, double toSeconds) {
        return most(slowestNanos, fromSeconds, toSeconds) / 1e9;
    }

    private long most(long[] nanos, double fromSeconds, double toSeconds) {
        long most = 0;
        for (int step = step(fromSeconds); step < Math.min(steps, toSeconds / STEP_SECONDS); step++) {
            most = Math.max(most, nanos[step]);
        }
        return most;
    }

    private static int step(double seconds) {
        return (int) Math.floor(seconds / STEP_SECONDS);
    }
}
