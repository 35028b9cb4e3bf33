package io.sdds.brick.group;

import java.util.function.LongSupplier;

/**
 * Limits how many writes of a group may wait for votes (Nichols and Jacobson 2012, "Controlling Queue Delay"). A burst
 * may fill all room of the log, because a burst ends. When writes are refused for want of room again and again for a
 * whole interval, the queue is a standing queue. A standing queue makes all writes wait longer, and lowers the
 * throughput, because the uncommitted entries no longer fit the processor's caches. So only {@link #WRITES_MAX} writes
 * may wait then, until no write has been refused for an interval. The admission of a stage uses the same rule.
 */
final class CoDelAdmission {
    /**
     * Writes that may wait in a standing queue. Fewer would make the batches small when many connections share the
     * batches. More would not fit the caches (docs/performance.md, overload).
     */
    static final int WRITES_MAX = 2048;

    static final long INTERVAL_NANOS = 100_000_000L;

    private final LongSupplier clock;
    private boolean standing;
    private boolean refused;
    private long firstRefusedNanos;
    private long lastRefusedNanos;

    /** @param clock read only when a write may have to be refused */
    CoDelAdmission(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Whether the next write may wait.
     *
     * @param waiting number of writes that wait
     * @param room whether the log has room for the write
     */
    boolean admits(long waiting, boolean room) {
        if (room && (!standing || waiting < WRITES_MAX)) {
            return true;
        }
        long now = clock.getAsLong();
        if (!refused || now - lastRefusedNanos > INTERVAL_NANOS) {
            standing = false;
            if (room) {
                refused = false;
                return true;
            }
            firstRefusedNanos = now;
        }
        refused = true;
        lastRefusedNanos = now;
        standing |= now - firstRefusedNanos > INTERVAL_NANOS;
        return false;
    }
}
