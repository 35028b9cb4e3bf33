package io.sdds.brick.migration;

/**
 * How fast the copies of a stage leave, all of its joins and moves together: recovery and moves leave most of the stage
 * and of the network to the clients.
 */
public final class MigrationPace {
    /** Of each stage: a brick of eight stages fills a network of a gigabit a second. */
    public static final long BYTES_PER_SECOND = 16L << 20;

    private static final double NANOS_PER_BYTE = 1e9 / BYTES_PER_SECOND;

    private long freeNanos;

    /** A pace that has not begun. */
    public MigrationPace(long nowNanos) {
        this.freeNanos = nowNanos;
    }

    /** How long nothing may leave yet; 0 when something may. */
    long waitNanos(long nowNanos) {
        return Math.max(0, freeNanos - nowNanos);
    }

    /** So much leaves now. Time in which nothing left is not made up for. */
    void spend(long nowNanos, int bytes) {
        freeNanos = Math.max(freeNanos, nowNanos) + (long) (bytes * NANOS_PER_BYTE);
    }
}
