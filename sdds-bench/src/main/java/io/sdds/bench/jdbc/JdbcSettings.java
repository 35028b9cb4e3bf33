package io.sdds.bench.jdbc;

import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.Setting;
import io.sdds.bench.load.Settings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of the measurement of JDBC drivers. */
public record JdbcSettings(
        @Setting("--peers NAMES: Choose the other databases: postgresql, h2 and duckdb, or none. Default: all.")
        List<Peer> peers,

        @Setting(
                "--postgresql URL: Use the server of this JDBC URL. Default: start one, where PostgreSQL is installed.")
        @Nullable
        String postgresql,

        @Setting("--rows N: Set the number of rows to choose from.")
        int rows,

        @Setting("--threads N: Set the number of threads beside one.")
        int threads,

        @Setting("--rounds N: Set the number of rounds.") int rounds,

        @Setting("--warmup TIME: Set the warm-up time of each block.")
        Duration warmup,

        @Setting("--duration TIME: Set the measured time of each block.")
        Duration duration,

        @Setting("--batch-rows N: Set the number of rows that are inserted in batches.")
        int batchRows,

        @Setting("--deadline TIME: Begin no further block after this time.")
        Duration deadline) {
    /** Rows of a batch. */
    static final int BATCH = 1_000;

    private static final int THREADS_MAX = 90;
    private static final int ROUNDS_MAX = 1_000;

    private static final JdbcSettings DEFAULTS = new JdbcSettings(
            List.of(Peer.values()),
            null,
            20_000,
            20,
            5,
            Duration.ofSeconds(1),
            Duration.ofMillis(300),
            100_000,
            Duration.ofMinutes(3));

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a setting is out of range; the message names setting, value and range
     */
    public JdbcSettings {
        peers = List.copyOf(peers);
        Settings.requireWithin("rows", rows, 1, LoadSettings.KEYS_MAX);
        Settings.requireWithin("threads", threads, 2, THREADS_MAX);
        Settings.requireWithin("rounds", rounds, 1, ROUNDS_MAX);
        Settings.requireWithin("batch-rows", batchRows, 0, LoadSettings.KEYS_MAX);
        Settings.requireWithin("warmup in ms", warmup.toMillis(), 0, Integer.MAX_VALUE);
        Settings.requireWithin("duration in ms", duration.toMillis(), 1, Integer.MAX_VALUE);
        Settings.requireWithin("deadline in ms", deadline.toMillis(), 1, Integer.MAX_VALUE);
    }

    /** All databases, 20,000 rows, 1 and 20 threads, five rounds of 300 ms; three minutes at most. */
    public static JdbcSettings defaults() {
        return DEFAULTS;
    }

    /** Settings of a measurement that ends within seconds. Its figures mean little. */
    public JdbcSettings quick() {
        return new JdbcSettings(
                peers,
                postgresql,
                Math.min(rows, 500),
                Math.min(threads, 2),
                1,
                Duration.ZERO,
                Duration.ofMillis(20),
                Math.min(batchRows, BATCH),
                deadline);
    }
}
