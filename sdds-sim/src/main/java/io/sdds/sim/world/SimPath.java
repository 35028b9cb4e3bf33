package io.sdds.sim.world;

/** The faults, at present, of the way from one node to another. */
public final class SimPath {
    long usualExtraNanos;
    long slowUntilNanos;
    long slowExtraNanos;
    long cloggedUntilNanos;
    long partitionedUntilNanos;
    boolean oneWay;
    long refusedUntilNanos;
    int flips;

    /** The time until which all that is sent waits at its sender. */
    public long heldUntilNanos() {
        return Math.max(cloggedUntilNanos, partitionedUntilNanos);
    }

    /** The fault that holds what is sent, if any fault does. */
    RareEvent heldBy(long nowNanos) {
        return partitionedUntilNanos <= nowNanos
                ? RareEvent.CLOGGED
                : oneWay ? RareEvent.PARTITIONED_ONE_WAY : RareEvent.PARTITIONED;
    }

    /** Nanoseconds that are added to a delay. */
    long extraNanos(long nowNanos, Coverage coverage) {
        if (slowUntilNanos <= nowNanos) {
            return usualExtraNanos;
        }
        coverage.hit(RareEvent.SLOWED);
        return slowExtraNanos;
    }

    /** Whether one bit of what is sent now is to be flipped; it is flipped once. */
    boolean takesFlip() {
        if (flips == 0) {
            return false;
        }
        flips--;
        return true;
    }

    void heal() {
        flips = 0;
        usualExtraNanos = 0;
        slowUntilNanos = 0;
        cloggedUntilNanos = 0;
        partitionedUntilNanos = 0;
        refusedUntilNanos = 0;
    }
}
