package io.sdds.brick.memory;

import java.util.Random;

/** The seed of a random test: printed, and taken from -Dsdds.seed= to replay. */
public final class Seed {

    private Seed() {}

    /** A random source for the named test; {@code run} tells the runs of one test apart. */
    public static Random random(String test, int run) {
        Long given = Long.getLong("sdds.seed");
        long seed = given != null ? given : System.nanoTime() * 31 + run;
        System.out.println(test + ": -Dsdds.seed=" + seed);
        return new Random(seed);
    }
}
