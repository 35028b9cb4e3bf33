package io.sdds.bench.queries;

import io.sdds.bench.load.LoadSettings;
import java.time.Duration;

/**
 * Settings of the measurement of look-ups.
 *
 * @param table name of the table, which is created and dropped
 * @param rows number of rows of about 100 bytes
 * @param threads number of threads, each with one look-up at a time
 * @param rounds rounds of all runs in turn, of which the medians are taken
 * @param warmup time of each run before the rounds
 * @param duration measured time of each run
 */
public record LookupSettings(String table, int rows, int threads, int rounds, Duration warmup, Duration duration) {
    private static final int THREADS_MAX = 1_000;
    private static final int ROUNDS_MAX = 1_000;

    private static final LookupSettings DEFAULTS =
            new LookupSettings("bench-lookups", 100_000, 8, 5, Duration.ofSeconds(10), Duration.ofSeconds(3));

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a setting is out of range; the message names setting, value and range
     */
    public LookupSettings {
        QuerySettings.requireWithin("rows", rows, 1, LoadSettings.KEYS_MAX);
        QuerySettings.requireWithin("threads", threads, 1, THREADS_MAX);
        QuerySettings.requireWithin("rounds", rounds, 1, ROUNDS_MAX);
        if (warmup.isNegative()) {
            throw new IllegalArgumentException("warmup of " + warmup.toMillis() + " ms is negative");
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("duration of " + duration.toMillis() + " ms is not positive");
        }
    }

    /** 100,000 rows, 8 threads, five rounds of 3 s. */
    public static LookupSettings defaults() {
        return DEFAULTS;
    }

    /** Settings of a measurement that ends within seconds. Its figures mean little. */
    public LookupSettings quick() {
        return new LookupSettings(
                table,
                Math.min(rows, 2_000),
                threads,
                Math.min(rounds, 2),
                Duration.ofMillis(100),
                Duration.ofMillis(200));
    }
}
