package io.sdds.bench.load;

import java.util.Arrays;

/**
 * The course of a run, a tenth of a second at a time: how many operations ended well, for how long none did, and how
 * long they took. Times are seconds since its beginning. Thread-safe.
 */
public final class Pace implements CompletionListener {
    /** Of one step of the course. */
    public static final double STEP_SECONDS = 0.1;

    private static final long STEP_NANOS = 100_000_000;
    private static final int STEPS_FIRST = 1024;

    private final long beginNanos;
    private long[] ended = new long[STEPS_FIRST];
    /** The longest while without an end that ended in each step. */
    private long[] gapNanos = new long[STEPS_FIRST];

    private long[] slowestNanos = new long[STEPS_FIRST];
    private long lastNanos;
    private int steps;

    /** Nothing has ended yet. */
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

    /** Steps up to the last one in which an operation ended. */
    public synchronized int steps() {
        return steps;
    }

    /** Operations a second that ended in a step. */
    public synchronized double perSecond(int step) {
        return step < ended.length ? ended[step] / STEP_SECONDS : 0;
    }

    /** Operations a second in the whole steps between two moments; 0 when there is none. */
    public synchronized double perSecond(double fromSeconds, double toSeconds) {
        int from = (int) Math.ceil(fromSeconds / STEP_SECONDS);
        int to = (int) Math.floor(toSeconds / STEP_SECONDS);
        double sum = 0;
        for (int step = from; step < to; step++) {
            sum += perSecond(step);
        }
        return to <= from ? 0 : sum / (to - from);
    }

    /** Seconds from a moment until the end of the first step that reaches a rate; infinite when none does. */
    public synchronized double secondsUntil(double fromSeconds, double perSecond) {
        for (int step = step(fromSeconds); step < steps; step++) {
            if (perSecond(step) >= perSecond) {
                return (step + 1) * STEP_SECONDS - fromSeconds;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** The longest while without an end of those that ended in the steps between two moments, in seconds. */
    public synchronized double longestGapSeconds(double fromSeconds, double toSeconds) {
        return most(gapNanos, fromSeconds, toSeconds) / 1e9;
    }

    /** Steps between two moments in which a while of so long without an end ended. */
    public synchronized int gaps(double fromSeconds, double toSeconds, double leastSeconds) {
        int count = 0;
        for (int step = step(fromSeconds); step < Math.min(steps, toSeconds / STEP_SECONDS); step++) {
            count += gapNanos[step] >= leastSeconds * 1e9 ? 1 : 0;
        }
        return count;
    }

    /** The slowest operation of those that ended in the steps between two moments, in seconds. */
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
