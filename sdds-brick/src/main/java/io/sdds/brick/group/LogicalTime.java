package io.sdds.brick.group;

import io.sdds.core.node.Env;

/**
 * A partition's logical time, in nanoseconds, as a member of its group knows it: what its last prepared entry was
 * stamped with (docs/design/writes.md, rule 18). It never goes back; at the primary it goes on with the clock, unless
 * it is held.
 */
final class LogicalTime {
    private final Env env;
    private long nanos;

    /** At the primary: ahead of its clock by so much. */
    private long aheadNanos;

    private boolean begun;
    private boolean held;

    LogicalTime(Env env) {
        this.env = env;
    }

    long nanos() {
        return nanos;
    }

    /** Whether there is any: entries are stamped. */
    boolean hasBegun() {
        return begun;
    }

    boolean isHeld() {
        return held;
    }

    /** It goes on from what the partition's records were shipped with. */
    void from(long shippedNanos) {
        nanos = shippedNanos;
        begun = shippedNanos > 0;
    }

    /** An entry of a later time was received. */
    void atLeast(long entryNanos) {
        nanos = Math.max(nanos, entryNanos);
        begun |= nanos > 0;
    }

    /** At the primary: as late as its clock says; what it is then. */
    long advance() {
        if (!begun) {
            begun = true;
            goOn();
        }
        if (!held) {
            nanos = Math.max(nanos, env.nowNanos() + aheadNanos);
        }
        return nanos;
    }

    /** From now on it goes on with the clock from where it is: this member has begun to lead. */
    void goOn() {
        aheadNanos = nanos - env.nowNanos();
    }

    /** It stands still until {@link #release}. */
    long hold() {
        held = true;
        return nanos;
    }

    void release() {
        if (held) {
            held = false;
            goOn();
        }
    }

    /** This member does not lead: it holds nothing. */
    void end() {
        held = false;
    }

    /** It stands still until the clock has caught up so much; what it is. */
    long setBack(long byNanos) {
        long now = advance();
        aheadNanos -= byNanos;
        return now;
    }
}
