package io.sdds.client.internal.routing;

import java.util.random.RandomGenerator;

/**
 * The pauses between attempts. A pause doubles with each attempt and has jitter, so that clients do not come back all
 * at once.
 */
final class Backoff {
    private static final long SHORTEST_NANOS = 2_000_000;
    static final long LONGEST_NANOS = 200_000_000;

    private Backoff() {}

    /**
     * A random time between half and one and a half of the mean. The mean is 2 ms, doubled for each earlier attempt up
     * to 200 ms.
     */
    static long nanos(int attempts, RandomGenerator random) {
        long mean = Math.min(LONGEST_NANOS, SHORTEST_NANOS << Math.min(attempts, 20));
        return jittered(mean, random);
    }

    /** A random time between half and one and a half of the mean. */
    static long jittered(long meanNanos, RandomGenerator random) {
        return meanNanos / 2 + random.nextLong(meanNanos + 1);
    }
}
