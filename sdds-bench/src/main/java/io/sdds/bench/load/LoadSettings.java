package io.sdds.bench.load;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a load.
 *
 * @param services number of logical services, which differ only in their random keys
 * @param keys operations draw their keys from these records uniformly
 * @param ratePerSecond 0 for a closed loop, in which an operation starts when another ends. Otherwise operations start
 *     at this rate, independent of outstanding operations (no coordinated omission); services and pipeline then only
 *     limit the preload
 * @param seed seed of keys and values
 * @param history has the preload too. With a history values are unique, and the throughput is not meaningful
 */
public record LoadSettings(
        @Setting("--mode read|write|mixed: Set the kind of operations.")
        LoadMode mode,

        @Setting("--clients N: Set the number of logical clients in this process.")
        int services,

        @Setting("--pipeline N: Set the outstanding operations of each client.")
        int pipeline,

        @Setting("--value BYTES: Set the length of a value.")
        int valueBytes,

        @Setting("--keys N: Set the number of records, which are written first.")
        int keys,

        @Setting("--warmup TIME: Set the warm-up time.") Duration warmup,
        @Setting("--duration TIME: Set the measured time.") Duration duration,

        @Setting("--rate N: Start so many operations a second. Latency counts from the scheduled start of an operation."
                + " Default: a closed loop.")
        long ratePerSecond,

        long seed,

        @Setting("--history FILE: Write each operation to FILE as a line of JSON, for a check. Slows the load.")
        @Nullable
        Path history) {

    /** Limit of services times pipeline. */
    public static final int OUTSTANDING_MAX = 32_768;

    public static final int KEYS_MAX = 50_000_000;
    /** Limit of the rate, many times the throughput of a machine, as overload needs. */
    public static final long RATE_MAX = 1_000_000_000;

    private static final int VALUE_BYTES_MAX = 16 << 20;

    private static final LoadSettings DEFAULTS = new LoadSettings(
            LoadMode.READ, 2, 100, 150, 100_000, Duration.ofSeconds(5), Duration.ofSeconds(10), 0, 42, null);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a setting is out of range; the message names setting, value and range
     */
    public LoadSettings {
        Settings.requireWithin("clients", services, 1, OUTSTANDING_MAX);
        Settings.requireWithin("pipeline", pipeline, 1, OUTSTANDING_MAX / services);
        Settings.requireWithin("value", valueBytes, 0, VALUE_BYTES_MAX);
        Settings.requireWithin("keys", keys, 1, KEYS_MAX);
        Settings.requireWithin("rate", ratePerSecond, 0, RATE_MAX);
        Settings.requireTimes(warmup, duration);
    }

    /**
     * A closed loop of reads: 2 services with 100 outstanding operations each, 100,000 records of 150 bytes, 10 s after
     * 5 s of warm-up.
     */
    public static LoadSettings defaults() {
        return DEFAULTS;
    }

    public LoadSettings withMode(LoadMode newMode) {
        return new LoadSettings(
                newMode, services, pipeline, valueBytes, keys, warmup, duration, ratePerSecond, seed, history);
    }

    public LoadSettings withServices(int count, int outstandingEach) {
        return new LoadSettings(
                mode, count, outstandingEach, valueBytes, keys, warmup, duration, ratePerSecond, seed, history);
    }

    public LoadSettings withRecords(int count, int newValueBytes) {
        return new LoadSettings(
                mode, services, pipeline, newValueBytes, count, warmup, duration, ratePerSecond, seed, history);
    }

    public LoadSettings withTimes(Duration newWarmup, Duration newDuration) {
        return new LoadSettings(
                mode, services, pipeline, valueBytes, keys, newWarmup, newDuration, ratePerSecond, seed, history);
    }

    public LoadSettings withRate(long operationsPerSecond) {
        return new LoadSettings(
                mode, services, pipeline, valueBytes, keys, warmup, duration, operationsPerSecond, seed, history);
    }

    public LoadSettings withHistory(@Nullable Path file) {
        return new LoadSettings(
                mode, services, pipeline, valueBytes, keys, warmup, duration, ratePerSecond, seed, file);
    }

    public LoadSettings withSeed(long newSeed) {
        return new LoadSettings(
                mode, services, pipeline, valueBytes, keys, warmup, duration, ratePerSecond, newSeed, history);
    }

    /** Limit of outstanding operations. */
    public int outstanding() {
        return services * pipeline;
    }
}
