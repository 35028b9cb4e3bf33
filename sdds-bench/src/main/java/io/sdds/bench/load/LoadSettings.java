package io.sdds.bench.load;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a load.
 *
 * @param services number of logical services, which differ only in their random keys
 * @param pipeline outstanding operations of each service
 * @param valueBytes length of each value
 * @param keys number of records written before the load; operations draw their keys from these records uniformly
 * @param warmup time of the load before the measurement
 * @param duration measured time
 * @param ratePerSecond 0 for a closed loop, in which an operation starts when another ends. Otherwise operations start
 *     at this rate, independent of outstanding operations, and latency counts from the scheduled start (no coordinated
 *     omission); services and pipeline then only limit the preload
 * @param seed seed of keys and values
 * @param history file for each operation, including the preload; null for none. With a history values are unique, and
 *     the throughput is not meaningful
 */
public record LoadSettings(
        LoadMode mode,
        int services,
        int pipeline,
        int valueBytes,
        int keys,
        Duration warmup,
        Duration duration,
        long ratePerSecond,
        long seed,
        @Nullable Path history) {

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
        requireWithin("clients", services, 1, OUTSTANDING_MAX);
        requireWithin("pipeline", pipeline, 1, OUTSTANDING_MAX / services);
        requireWithin("value", valueBytes, 0, VALUE_BYTES_MAX);
        requireWithin("keys", keys, 1, KEYS_MAX);
        requireWithin("rate", ratePerSecond, 0, RATE_MAX);
        if (warmup.isNegative()) {
            throw new IllegalArgumentException("warmup of " + warmup.toMillis() + " ms is negative");
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("duration of " + duration.toMillis() + " ms is not positive");
        }
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

    private static void requireWithin(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " of " + value + " is not within " + least + " to " + most);
        }
    }
}
