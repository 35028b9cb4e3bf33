package io.sdds.client.internal.routing;

import java.util.random.RandomGenerator;

/**
 * How long to wait before trying again: doubled each time, with jitter, so that clients don't come back all at once.
 */
final class Backoff {
    private static final long SHORTEST_NANOS = 2_000_000;
    static final long LONGEST_NANOS = 200_000_000;

    private Backoff() {}

    /** Between half and one and a half of 2 ms, doubled for each attempt before up to 200 ms. */
    static long nanos(int attempts, RandomGenerator random) {
        long mean = Math.min(LONGEST_NANOS, SHORTEST_NANOS << Math.min(attempts, 20));
        return jittered(mean, random);
    }

    /** Between half and one and a half of the mean. */
    static long jittered(long meanNanos, RandomGenerator random) {
        return meanNanos / 2 + random.nextLong(meanNanos + 1);
    }
}
