package io.sdds.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Settings of the measurement of a cluster under overload.
 *
 * @param connections each client has a connection to each brick
 * @param factors 1 is always included, because the other steps are compared with it
 * @param outstanding 0 to search for the number
 */
public record OverloadSettings(
        @Setting("--mode read|write|mixed: Set the kind of operations.")
        LoadMode mode,

        @Setting("--connections N: Set the number of clients in this process for the saturating load.")
        int connections,

        @Setting("--value BYTES: Set the length of a value.")
        int valueBytes,

        @Setting("--keys N: Set the number of records, which are written first.")
        int keys,

        @Setting("--steps X: Set the multiples of the saturating load. 1 is always included.")
        List<Double> factors,

        @Setting("--warmup TIME: Set the warm-up time before each step.")
        Duration warmup,

        @Setting("--duration TIME: Set the duration of each step.")
        Duration duration,

        @Setting("--outstanding N: Set the outstanding operations that saturate the cluster. Default: search for the"
                + " number.")
        int outstanding) {

    public static final double FACTOR_MAX = 100;
    private static final int CONNECTIONS_MAX = 1000;

    private static final OverloadSettings DEFAULTS = new OverloadSettings(
            LoadMode.READ,
            2,
            150,
            100_000,
            List.of(0.5, 1.0, 2.0, 10.0),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            0);

    public OverloadSettings {
        Settings.requireWithin("connections", connections, 1, CONNECTIONS_MAX);
        if (factors.isEmpty() || factors.stream().anyMatch(factor -> !(factor > 0 && factor <= FACTOR_MAX))) {
            throw new IllegalArgumentException("steps of " + factors + " are not within 0 to " + FACTOR_MAX);
        }
        Settings.requireWithin("outstanding", outstanding, 0, LoadSettings.OUTSTANDING_MAX);
        factors = factors.contains(1.0)
                ? List.copyOf(factors)
                : Stream.concat(Stream.of(1.0), factors.stream()).toList();
    }

    /**
     * Reads of 100,000 records of 150 bytes through 2 connections at 0.5, 1, 2 and 10 times the saturating load, 10 s
     * each.
     */
    public static OverloadSettings defaults() {
        return DEFAULTS;
    }

    /** Load settings of one step. */
    LoadSettings load(int services, int pipeline, Duration stepWarmup, Duration stepDuration) {
        return LoadSettings.defaults()
                .withMode(mode)
                .withServices(services, pipeline)
                .withRecords(keys, valueBytes)
                .withTimes(stepWarmup, stepDuration);
    }
}
