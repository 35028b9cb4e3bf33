package io.sdds.cli.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Which keys are in use when: a generation of them for some seconds, and for as long again now and then. So each key's
 * history stays short and can be checked, and forgotten, while the run goes on.
 *
 * @param beganNanos of the machine's monotonic clock
 * @param perGeneration keys
 */
record Keys(long beganNanos, int perGeneration) {
    private static final long GENERATION_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int ALIVE = 2;

    /** The generation in use at an instant, from 0 on. */
    int generation(long nanos) {
        return (int) (Math.max(0, nanos - beganNanos) / GENERATION_NANOS);
    }

    /** When nobody begins anything on a generation's keys any more. */
    long overNanos(int generation) {
        return beganNanos + (generation + ALIVE) * GENERATION_NANOS;
    }

    String key(int generation, int number) {
        return "k" + generation + "." + number;
    }

    List<String> all(int generation) {
        List<String> keys = new ArrayList<>();
        for (int k = 0; k < perGeneration; k++) {
            keys.add(key(generation, k));
        }
        return keys;
    }

    /** The generation of a key. */
    static int generationOf(String key) {
        return Integer.parseInt(key.substring(1, key.indexOf('.')));
    }
}
