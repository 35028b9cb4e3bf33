package io.sdds.bench.jdbc;

import io.sdds.bench.load.LoadSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the measurement of JDBC drivers.
 *
 * @param peers the databases beside SDDS
 * @param postgresql URL of a PostgreSQL server; null: one is started, where PostgreSQL is installed
 * @param rows number of accounts that selects, updates and joins choose from
 * @param threads number of threads beside one, each with a connection of its own
 * @param rounds rounds of all blocks, of which the medians are taken
 * @param warmup time of each block before the rounds
 * @param duration measured time of each block
 * @param batchRows rows that are inserted in batches, in all rounds
 * @param deadline time after which no further round begins
 */
public record JdbcSettings(
        List<Peer> peers,
        @Nullable String postgresql,
        int rows,
        int threads,
        int rounds,
        Duration warmup,
        Duration duration,
        int batchRows,
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
        requireWithin("rows", rows, 1, LoadSettings.KEYS_MAX);
        requireWithin("threads", threads, 2, THREADS_MAX);
        requireWithin("rounds", rounds, 1, ROUNDS_MAX);
        requireWithin("batch-rows", batchRows, 0, LoadSettings.KEYS_MAX);
        requireWithin("warmup in ms", warmup.toMillis(), 0, Integer.MAX_VALUE);
        requireWithin("duration in ms", duration.toMillis(), 1, Integer.MAX_VALUE);
        requireWithin("deadline in ms", deadline.toMillis(), 1, Integer.MAX_VALUE);
    }

    private static void requireWithin(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " of " + value + " is not within " + least + " to " + most);
        }
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
