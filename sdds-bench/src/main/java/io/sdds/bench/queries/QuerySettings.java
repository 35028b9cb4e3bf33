package io.sdds.bench.queries;

import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.Setting;
import io.sdds.bench.load.Settings;
import io.sdds.core.model.TableKind;
import java.time.Duration;
import java.util.List;

/** Settings of the measurement of queries. */
public record QuerySettings(
        @Setting("--table PREFIX: Set the prefix of the table names. The command drops the tables.")
        String table,

        @Setting("--kind hash|range: Set the kind of the table. Default: a table of each kind.")
        List<TableKind> kinds,

        @Setting("--rows N: Set the number of rows of about 100 bytes.")
        int rows,

        @Setting("--rounds N: Set the number of rounds of all queries; 0: no queries.")
        int rounds,

        @Setting("--cancels N: Set the number of cancelled queries; 0: none.")
        int cancels,

        @Setting("--pairs N: Set the number of pairs of runs of gets, without and with a query; 0: none.")
        int pairs,

        @Setting("--keys N: Set the number of records for the gets.")
        int keys,

        @Setting("--warmup TIME: Set the warm-up time of queries and gets.")
        Duration warmup,

        @Setting("--duration TIME: Set the measured time of each run of gets.")
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
        Settings.requireWithin("rows", rows, SampleTable.GROUPS, LoadSettings.KEYS_MAX);
        Settings.requireWithin("rounds", rounds, 0, REPEATS_MAX);
        Settings.requireWithin("cancels", cancels, 0, REPEATS_MAX);
        Settings.requireWithin("pairs", pairs, 0, REPEATS_MAX);
        Settings.requireWithin("keys", keys, 1, LoadSettings.KEYS_MAX);
        Settings.requireTimes(warmup, duration);
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
}
