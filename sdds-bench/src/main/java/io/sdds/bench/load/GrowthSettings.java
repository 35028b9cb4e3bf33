package io.sdds.bench.load;

import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import java.time.Duration;

/**
 * Settings of the measurement of growing tables.
 *
 * @param table prefix of the names of the tables, which are created and dropped
 * @param kind of the tables
 * @param keys records in a table before the growth
 * @param growth factor by which the number of records grows
 * @param capacityRecords capacity of a partition; a lower capacity causes more splits
 * @param split how the tables split
 * @param valueBytes length of each value
 * @param ratePerSecond operations started a second; 0 measures half of the saturation rate
 * @param warmup warm-up time before the first pair
 * @param duration duration of each run
 * @param pairs number of pairs of runs, one at rest and one growing
 * @param replicas copies of each partition
 */
public record GrowthSettings(
        String table,
        TableKind kind,
        int keys,
        int growth,
        long capacityRecords,
        SplitPolicy split,
        int valueBytes,
        long ratePerSecond,
        Duration warmup,
        Duration duration,
        int pairs,
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
        requireWithin("growth", growth, 2, GROWTH_MAX);
        requireWithin("keys", keys, 1, LoadSettings.KEYS_MAX / growth);
        requireWithin("pairs", pairs, 1, PAIRS_MAX);
        requireWithin("capacity", capacityRecords, 1, Long.MAX_VALUE);
        requireWithin("rate", ratePerSecond, 0, LoadSettings.RATE_MAX);
    }

    /**
     * From 100,000 to 400,000 records of 150 bytes, in partitions of 6,250, in 10 s; five pairs at half of saturation.
     */
    public static GrowthSettings defaults() {
        return DEFAULTS;
    }

    private static void requireWithin(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " of " + value + " is not within " + least + " to " + most);
        }
    }
}
