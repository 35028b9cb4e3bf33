package io.sdds.cli.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Schedule of key generations. Each generation of keys is in full use for some seconds, and in occasional use for as
 * long again. So the history of each key stays short, and can be checked and dropped during the run.
 *
 * @param beganNanos start of the first generation, by the monotonic clock of the machine
 * @param perGeneration number of keys of each generation
 */
record Keys(long beganNanos, int perGeneration) {
    private static final long GENERATION_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int ALIVE = 2;

    /** The generation in full use at an instant; the first is 0. */
    int generation(long nanos) {
        return (int) (Math.max(0, nanos - beganNanos) / GENERATION_NANOS);
    }

    /** The instant from which on clients start no operation on the keys of a generation. */
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
