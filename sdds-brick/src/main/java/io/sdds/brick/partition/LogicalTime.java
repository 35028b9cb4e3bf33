package io.sdds.brick.partition;

/**
 * A partition's logical time T, by which its records expire (docs/design/writes.md, rule 18). Expired means expiry ≤ T.
 * T moves only in turns of the partition's own stage: with each write of a partition whose records can expire, with a
 * tick each 100 ms, and at HANDOVER. T never moves while a read runs. So every operation finds all records as they are
 * at one T, whatever the clocks of the machines say.
 *
 * <p>T counts the nanoseconds that have passed on the clock of the brick that leads the partition. T moves with the
 * partition from brick to brick, so two clocks are never compared. T never goes back. From the put of a record on, T
 * advances by no more than the time that has passed. So a record lives at least as long as its writer asked. A member
 * that begins to lead counts the time since it got the last entry of the log ({@link #takeOver}). T does not count the
 * time that a HANDOVER takes, so a record may live longer by that time.
 *
 * <p>{@link #nanos} is the T of the last entry of the group's log, committed or not. The bucket has the T of the last
 * entry that was applied. While the partition's writes go past the log, both are the same.
 */
public final class LogicalTime {
    private long nanos;

    /** When this brick's clock last moved T, or the T of an entry came here. T was at least this old then. */
    private long knownNanos;

    /** How far T is ahead of this brick's clock, while this brick leads. */
    private long aheadNanos;

    private boolean begun;
    private boolean held;

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
    public long stamp(long nowNanos) {
        if (!begun) {
            begun = true;
            resume(nowNanos);
        }
        if (!held) {
            nanos = Math.max(nanos, nowNanos + aheadNanos);
        }
        knownNanos = nowNanos;
        return nanos;
    }

    /** T goes on from its present value with this brick's clock. */
    private void resume(long nowNanos) {
        aheadNanos = nanos - nowNanos;
    }

    /**
     * This brick has begun to lead. T has gone on since the last entry of the log came here, because the brick that led
     * stamped this entry before.
     */
    public void takeOver() {
        resume(knownNanos);
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
    public void from(long shippedNanos, long nowNanos) {
        nanos = shippedNanos;
        knownNanos = nowNanos;
        begun = shippedNanos > 0;
    }

    /** Moves T on to the T of an entry of the log that has come now, if that is later. */
    public void atLeast(long entryNanos, long nowNanos) {
        if (entryNanos >= nanos) {
            nanos = entryNanos;
            knownNanos = nowNanos;
        }
        begun |= nanos > 0;
    }
}
