package io.sdds.bench.load;

import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.time.Duration;

/**
 * Settings of the measurement of growing tables.
 *
 * @param split how the tables split
 * @param ratePerSecond 0 measures half of the saturation rate
 */
public record GrowthSettings(
        @Setting("--table PREFIX: Set the prefix of the table names. The command drops the tables.")
        String table,

        @Setting("--kind hash|range: Set the kind of the table.")
        TableKind kind,

        @Setting("--keys N: Set the number of records before the growth.")
        int keys,

        @Setting("--factor N: Set the factor by which the records grow.")
        int growth,

        @Setting("--capacity RECORDS: Set the capacity of a partition. A lower capacity causes more splits.")
        long capacityRecords,

        SplitPolicy split,

        @Setting("--value BYTES: Set the length of a value.")
        int valueBytes,

        @Setting("--rate N: Set the operations started a second. Default: half the rate of a closed loop.")
        long ratePerSecond,

        @Setting("--warmup TIME: Set the warm-up time before the first run.")
        Duration warmup,

        @Setting("--duration TIME: Set the duration of each run.")
        Duration duration,

        @Setting("--pairs N: Set the number of pairs of runs.")
        int pairs,

        @Setting("--replicas N: Set the copies of each partition, 1 to 5.")
        int replicas) {

    public static final int GROWTH_MAX = 100;
    public static final int PAIRS_MAX = 100;

    private static final GrowthSettings DEFAULTS = new GrowthSettings(
            "bench-growth",
            TableKind.HASH,
            100_000,
            4,
            6_250,
            SplitPolicy.DEFAULT,
            150,
            0,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            5,
            1);

    public GrowthSettings {
        Settings.requireWithin("growth", growth, 2, GROWTH_MAX);
        Settings.requireWithin("keys", keys, 1, LoadSettings.KEYS_MAX / growth);
        Settings.requireWithin("pairs", pairs, 1, PAIRS_MAX);
        Settings.requireWithin("capacity", capacityRecords, 1, Long.MAX_VALUE);
        Settings.requireWithin("replicas", replicas, 1, TableSpec.REPLICAS_MAX);
        Settings.requireWithin("rate", ratePerSecond, 0, LoadSettings.RATE_MAX);
    }

    /**
     * From 100,000 to 400,000 records of 150 bytes, in partitions of 6,250, in 10 s; five pairs at half of saturation.
     */
    public static GrowthSettings defaults() {
        return DEFAULTS;
    }
}
