package io.sdds.bench.queries;

import io.sdds.bench.load.LoadSettings;
import io.sdds.core.model.TableKind;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the measurement of queries.
 *
 * @param table prefix of the names of the tables, which are created and dropped
 * @param kinds kinds of the tables, one table each
 * @param rows number of rows of about 100 bytes in each table
 * @param rounds rounds of all queries, of which the medians are taken; 0 leaves the queries out
 * @param cancels number of queries that are cancelled; 0 leaves them out
 * @param pairs pairs of gets without and with a scan; 0 leaves the gets out
 * @param keys number of records of the table of the gets
 * @param warmup time for which queries, and gets, are repeated before they are measured
 * @param duration measured time of each run of gets
 */
public record QuerySettings(
        String table,
        List<TableKind> kinds,
        int rows,
        int rounds,
        int cancels,
        int pairs,
        int keys,
        Duration warmup,
        Duration duration) {

    private static final int REPEATS_MAX = 1000;

    private static final QuerySettings DEFAULTS = new QuerySettings(
            "bench-queries",
            List.of(TableKind.RANGE, TableKind.HASH),
            1_000_000,
            5,
            20,
            5,
            100_000,
            Duration.ofSeconds(5),
            Duration.ofSeconds(5));

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a setting is out of range; the message names setting, value and range
     */
    public QuerySettings {
        kinds = List.copyOf(kinds);
        requireWithin("rows", rows, SampleTable.GROUPS, LoadSettings.KEYS_MAX);
        requireWithin("rounds", rounds, 0, REPEATS_MAX);
        requireWithin("cancels", cancels, 0, REPEATS_MAX);
        requireWithin("pairs", pairs, 0, REPEATS_MAX);
        requireWithin("keys", keys, 1, LoadSettings.KEYS_MAX);
        if (warmup.isNegative()) {
            throw new IllegalArgumentException("warmup of " + warmup.toMillis() + " ms is negative");
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("duration of " + duration.toMillis() + " ms is not positive");
        }
    }

    /** A range table and a hash table of 1,000,000 rows; five rounds, 20 cancels, five pairs of 5 s. */
    public static QuerySettings defaults() {
        return DEFAULTS;
    }

    /** Settings of a measurement that ends within seconds. Its figures mean little. */
    public QuerySettings quick() {
        return new QuerySettings(
                table,
                kinds,
                Math.min(rows, 20_000),
                Math.min(rounds, 3),
                Math.min(cancels, 3),
                Math.min(pairs, 1),
                Math.min(keys, 1_000),
                Duration.ofMillis(100),
                Duration.ofMillis(200));
    }

    static void requireWithin(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " of " + value + " is not within " + least + " to " + most);
        }
    }
}
