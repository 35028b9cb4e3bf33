package io.sdds.bench.load;

/** Hears of operations that ended well, from any thread. */
interface Ends {
    /** One has ended that took so long; {@code nowNanos} is of {@link System#nanoTime}. */
    void add(long nowNanos, long nanos);
}
