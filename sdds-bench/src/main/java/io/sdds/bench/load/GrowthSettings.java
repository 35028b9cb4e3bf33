package io.sdds.bench.load;

import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import java.time.Duration;

/**
 * How to measure what growing costs those who use a table meanwhile.
 *
 * @param table prefix of the names of the tables that are made, and dropped again
 * @param kind of the tables
 * @param keys records in a table before it grows
 * @param growth how many times as many there are at the end
 * @param capacityRecords of a partition: the fewer, the more splits
 * @param split how the tables split
 * @param valueBytes length of each value
 * @param ratePerSecond operations begun; 0 finds out what half of saturation is
 * @param warmup before the first pair
 * @param duration of each run
 * @param pairs of runs, one quiet, one growing
 * @param replicas of each partition
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
