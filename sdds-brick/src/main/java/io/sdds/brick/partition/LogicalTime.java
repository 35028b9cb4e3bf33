package io.sdds.brick.partition;

import io.sdds.brick.bucket.Bucket;

/**
 * A partition's logical time T, by which its records expire (docs/design/writes.md, rule 18). Expired means expiry ≤ T.
 * T moves only in turns of the partition's own stage: with each write of a partition whose records can expire, with a
 * tick each 100 ms, and at HANDOVER; never while a read runs. So every operation finds all records as they are at one
 * T, whatever machines' clocks say.
 *
 * <p>T counts the nanoseconds that have passed on the clock of whoever holds the partition, and is handed on with it:
 * two clocks are never compared. It never goes back, and never runs ahead of the time that has passed since a record
 * was put: a record lives at least as long as was asked, by the clocks of its holders. The time that a HANDOVER is on
 * its way is not counted, so a record lives so much longer. The time of a replica group is in its log
 * ({@code io.sdds.brick.group}).
 */
public final class LogicalTime {
    private final Bucket bucket;
    private long aheadNanos;
    private boolean begun;

    LogicalTime(Bucket bucket) {
        this.bucket = bucket;
    }

    /** Moves T on by what has passed on this brick's clock, and answers it. It begins with the first call. */
    public long advance(long nowNanos) {
        if (!begun) {
            atLeast(0, nowNanos);
        }
        bucket.timeNanos(nowNanos + aheadNanos);
        return bucket.timeNanos();
    }

    /** T stands still for so long. */
    public void hold(long nanos) {
        aheadNanos -= nanos;
    }

    /** From here on T is at least {@code timeNanos}: that of the partition from which this one's records came. */
    public void atLeast(long timeNanos, long nowNanos) {
        bucket.timeNanos(timeNanos);
        aheadNanos = Math.max(bucket.timeNanos() - nowNanos, begun ? aheadNanos : Long.MIN_VALUE);
        begun = true;
    }
}
