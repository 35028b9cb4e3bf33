package io.sdds.client;

import java.util.SplittableRandom;

/** Seeds of random tests: printed, and replayed with {@code -Dsdds.seed=}. */
public final class Seeds {
    private Seeds() {}

    /** A seed that the test's output names. */
    public static long next(String test) {
        Long given = Long.getLong("sdds.seed");
        long seed = given == null ? System.nanoTime() : given;
        System.out.println(test + " runs with -Dsdds.seed=" + seed);
        return seed;
    }

    /** A source of randomness whose seed the test's output names. */
    public static SplittableRandom random(String test) {
        return new SplittableRandom(next(test));
    }
}
