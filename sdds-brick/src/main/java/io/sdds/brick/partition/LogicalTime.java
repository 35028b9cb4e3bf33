package io.sdds.brick.partition;

import io.sdds.brick.bucket.Bucket;

/**
 * A partition's logical time T, by which its records expire (docs/design/writes.md, rule 18). Expired means expiry ≤ T.
 * T moves only in turns of the partition's own stage: with each write of a partition whose records can expire, with a
 * tick each 100 ms, and at HANDOVER. T never moves while a read runs. So every operation finds all records as they are
 * at one T, whatever the clocks of the machines say.
 *
 * <p>T counts the nanoseconds that have passed on the clock of the brick that leads the partition. T moves with the
 * partition from brick to brick, so two clocks are never compared. T never goes back. From the put of a record on, T
 * advances by no more than the time that has passed on the clocks of the leading bricks. So a record lives at least as
 * long as its writer asked. T does not count the time that a HANDOVER takes, so a record may live longer by that time.
 *
 * <p>While a partition's writes go through its group's log, {@link #nanos} is the T of the last entry, committed or
 * not, and the bucket has the T of the last entry that was applied. Otherwise both are the same.
 */
public final class LogicalTime {
    private final Bucket bucket;
    private long nanos;

    /** How far T is ahead of this brick's clock, while this brick leads. */
    private long aheadNanos;

    private boolean begun;
    private boolean held;

    LogicalTime(Bucket bucket) {
        this.bucket = bucket;
    }

    /** T, with which the last write was stamped. */
    public long nanos() {
        return nanos;
    }

    /** Whether T has begun, so that writes are stamped. */
    public boolean hasBegun() {
        return begun;
    }

    /** Whether T stands still until {@link #release}. */
    public boolean isHeld() {
        return held;
    }

    /** Moves T on by the time that has passed on this brick's clock, and returns T. T begins with the first call. */
    public long advance(long nowNanos) {
        bucket.timeNanos(stamp(nowNanos));
        return nanos;
    }

    /**
     * Moves T on as {@link #advance} does, for an entry of the log. The bucket's T follows when the entry is applied.
     */
    public long stamp(long nowNanos) {
        if (!begun) {
            begun = true;
            resume(nowNanos);
        }
        if (!held) {
            nanos = Math.max(nanos, nowNanos + aheadNanos);
        }
        return nanos;
    }

    /** This brick has begun to lead: T goes on from its present value with this brick's clock. */
    public void resume(long nowNanos) {
        aheadNanos = nanos - nowNanos;
    }

    /** Lets T stand still for some time. */
    public void hold(long forNanos) {
        aheadNanos -= forNanos;
    }

    /** Lets T stand still until {@link #release}, and returns T. */
    public long hold() {
        held = true;
        return nanos;
    }

    public void release(long nowNanos) {
        if (held) {
            held = false;
            resume(nowNanos);
        }
    }

    /** Another brick leads: T is not held here any more. */
    public void end() {
        held = false;
    }

    /** Sets T to the T of the records that were shipped here. */
    public void from(long shippedNanos) {
        nanos = shippedNanos;
        begun = shippedNanos > 0;
        bucket.timeNanos(shippedNanos);
    }

    /** Moves T on to the T of an entry of the log, if that is later. */
    public void atLeast(long entryNanos) {
        nanos = Math.max(nanos, entryNanos);
        begun |= nanos > 0;
    }
}
