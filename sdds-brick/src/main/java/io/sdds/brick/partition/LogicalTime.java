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
 * its way is not counted, so a record lives so much longer.
 *
 * <p>While a partition's writes go through its group's log, {@link #nanos} is what the last entry was stamped with,
 * decided or not, and the bucket's time that of the last one that was applied. Else both are the same.
 */
public final class LogicalTime {
    private final Bucket bucket;
    private long nanos;

    /** At whoever leads: ahead of its clock by so much. */
    private long aheadNanos;

    private boolean begun;
    private boolean held;

    LogicalTime(Bucket bucket) {
        this.bucket = bucket;
    }

    /** T, as the last write was stamped. */
    public long nanos() {
        return nanos;
    }

    /** Whether there is any: writes are stamped. */
    public boolean hasBegun() {
        return begun;
    }

    /** Whether it stands still until {@link #release}. */
    public boolean isHeld() {
        return held;
    }

    /** Moves T on by what has passed on this brick's clock, and answers it. It begins with the first call. */
    public long advance(long nowNanos) {
        bucket.timeNanos(stamp(nowNanos));
        return nanos;
    }

    /** As {@link #advance}, for an entry of the log: the bucket's T follows when the entry is applied. */
    public long stamp(long nowNanos) {
        if (!begun) {
            begun = true;
            goOn(nowNanos);
        }
        if (!held) {
            nanos = Math.max(nanos, nowNanos + aheadNanos);
        }
        return nanos;
    }

    /** T goes on with this brick's clock from where it is: it has begun to lead. */
    public void goOn(long nowNanos) {
        aheadNanos = nanos - nowNanos;
    }

    /** T stands still for so long. */
    public void hold(long forNanos) {
        aheadNanos -= forNanos;
    }

    /** T stands still until {@link #release}; answers it. */
    public long hold() {
        held = true;
        return nanos;
    }

    public void release(long nowNanos) {
        if (held) {
            held = false;
            goOn(nowNanos);
        }
    }

    /** Another brick leads: nothing is held here. */
    public void end() {
        held = false;
    }

    /** T is that of the records that were shipped here. */
    public void from(long shippedNanos) {
        nanos = shippedNanos;
        begun = shippedNanos > 0;
        bucket.timeNanos(shippedNanos);
    }

    /** An entry of the log has this T, which may be later. */
    public void atLeast(long entryNanos) {
        nanos = Math.max(nanos, entryNanos);
        begun |= nanos > 0;
    }

    /** From here on T is at least {@code timeNanos}: that of the partition from which this one's records came. */
    public void atLeast(long timeNanos, long nowNanos) {
        nanos = Math.max(nanos, timeNanos);
        bucket.timeNanos(nanos);
        aheadNanos = Math.max(nanos - nowNanos, begun ? aheadNanos : Long.MIN_VALUE);
        begun = true;
    }
}
