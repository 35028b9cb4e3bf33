package io.sdds.bench.queries;

import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.Setting;
import io.sdds.bench.load.Settings;
import java.time.Duration;

/** Settings of the measurement of look-ups. */
public record LookupSettings(
        @Setting("--table NAME: Set the name of the table. The command drops the table.")
        String table,

        @Setting("--rows N: Set the number of rows of about 100 bytes.")
        int rows,

        @Setting("--threads N: Set the number of threads.") int threads,
        @Setting("--rounds N: Set the number of rounds.") int rounds,

        @Setting("--warmup TIME: Set the warm-up time of each run.")
        Duration warmup,

        @Setting("--duration TIME: Set the measured time of each run.")
        Duration duration) {
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
        Settings.requireWithin("rows", rows, 1, LoadSettings.KEYS_MAX);
        Settings.requireWithin("threads", threads, 1, THREADS_MAX);
        Settings.requireWithin("rounds", rounds, 1, ROUNDS_MAX);
        Settings.requireTimes(warmup, duration);
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
