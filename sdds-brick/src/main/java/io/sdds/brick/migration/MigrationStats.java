package io.sdds.brick.migration;

import io.sdds.core.model.MigrationCounters;

/** Counts what one migration has cost its source. */
final class MigrationStats {
    private static final long NANOS_PER_MICRO = 1_000L;
    private static final long NOT_WAITING = Long.MIN_VALUE;

    private long records;
    private int rounds;
    private long parked;
    private long refused;
    private int timeouts;
    private long waitedNanos;
    private long longestWaitNanos;
    private long waitingSinceNanos = NOT_WAITING;

    /** A copy begins, for the first time or again. */
    void roundBegan() {
        rounds++;
    }

    /** The cursor has sent a record; changes of records that were sent do not count. */
    void recordSent() {
        records++;
    }

    /** From now on writes to the moving keys wait. */
    void writesWait(long nowNanos) {
        if (waitingSinceNanos == NOT_WAITING) {
            waitingSinceNanos = nowNanos;
        }
    }

    /** Writes to the moving keys wait no longer. */
    void writesGoOn(long nowNanos) {
        if (waitingSinceNanos != NOT_WAITING) {
            long nanos = nowNanos - waitingSinceNanos;
            waitedNanos += nanos;
            longestWaitNanos = Math.max(longestWaitNanos, nanos);
            waitingSinceNanos = NOT_WAITING;
        }
    }

    /** A request waits for the switch. */
    void requestParked() {
        parked++;
    }

    /** A request is answered BUSY: the target is behind, the switch takes too long, or too many requests wait. */
    void requestRefused() {
        refused++;
    }

    /** The target was too slow: the switch was put off. */
    void switchTimedOut() {
        timeouts++;
    }

    /** What the migration has cost, as it ends. */
    MigrationCounters counters(boolean committed, long sentBytes) {
        return new MigrationCounters(
                committed ? 1 : 0,
                committed ? 0 : 1,
                records,
                sentBytes,
                rounds,
                waitedNanos / NANOS_PER_MICRO,
                longestWaitNanos / NANOS_PER_MICRO,
                parked,
                refused,
                timeouts);
    }

    @Override
    public String toString() {
        return records + " records in " + rounds + " rounds, writes waited " + waitedNanos / NANOS_PER_MICRO
                + " us, " + longestWaitNanos / NANOS_PER_MICRO + " us at most, " + parked + " requests parked, "
                + refused + " refused, " + timeouts + " time-outs";
    }
}
