package io.sdds.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Settings of the measurement of a cluster under overload.
 *
 * @param connections number of clients for the saturating load; each has a connection to each brick
 * @param valueBytes length of each value
 * @param keys number of records written before the load
 * @param factors multiples of the saturating load; 1 is always included, because the other steps are compared with it
 * @param warmup warm-up time of each step
 * @param duration duration of each step
 * @param outstanding outstanding operations that saturate the cluster; 0 to search for the number
 */
public record OverloadSettings(
        LoadMode mode,
        int connections,
        int valueBytes,
        int keys,
        List<Double> factors,
        Duration warmup,
        Duration duration,
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
        if (connections < 1 || connections > CONNECTIONS_MAX) {
            throw new IllegalArgumentException(
                    "connections of " + connections + " is not within 1 to " + CONNECTIONS_MAX);
        }
        if (factors.isEmpty() || factors.stream().anyMatch(factor -> !(factor > 0 && factor <= FACTOR_MAX))) {
            throw new IllegalArgumentException("steps of " + factors + " are not within 0 to " + FACTOR_MAX);
        }
        if (outstanding < 0 || outstanding > LoadSettings.OUTSTANDING_MAX) {
            throw new IllegalArgumentException(
                    "outstanding of " + outstanding + " is not within 0 to " + LoadSettings.OUTSTANDING_MAX);
        }
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
