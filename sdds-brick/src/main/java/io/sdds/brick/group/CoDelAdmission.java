package io.sdds.brick.group;

import java.util.function.LongSupplier;

/**
 * How many writes may wait for the votes of a group. A burst may be as long as there is room; it will be over. Where
 * there has been no room again and again for a whole interval, a queue stands: all wait longer in it, and fewer get
 * done, since what is undecided no longer fits the processor's caches. From then on fewer may wait, until for as long
 * nothing had to be refused (Nichols and Jacobson 2012, "Controlling Queue Delay"; the stage does the same at its
 * door).
 */
final class CoDelAdmission {
    /**
     * Of a standing queue: fewer make batches small when many connections share them, more don't fit the caches
     * (docs/performance.md, overload).
     */
    static final int WRITES_MAX = 2048;

    static final long INTERVAL_NANOS = 100_000_000L;

    private final LongSupplier clock;
    private boolean standing;
    private boolean refused;
    private long firstRefusedNanos;
    private long lastRefusedNanos;

    /** @param clock asked only where a write may have to be refused */
    CoDelAdmission(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Whether the next write may wait.
     *
     * @param undecided how many do
     * @param room whether there is any for it
     */
    boolean admits(long undecided, boolean room) {
        if (room && (!standing || undecided < WRITES_MAX)) {
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
