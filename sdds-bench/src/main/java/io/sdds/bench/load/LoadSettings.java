package io.sdds.bench.load;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much load, of which kind, for how long.
 *
 * @param services logical services, that differ in nothing but their random keys
 * @param pipeline operations each keeps outstanding
 * @param valueBytes length of each value
 * @param keys records written beforehand; keys are drawn from them uniformly
 * @param warmup load before anything is measured
 * @param duration load that is measured
 * @param ratePerSecond 0: a closed loop, in which an operation begins as one ends. Else operations begin at this rate,
 *     whatever is outstanding, and latency counts from when each was due (no coordinated omission); services and
 *     pipeline then only bound the preload
 * @param seed of keys and values
 * @param history where each operation is noted, the preload's too; null for none. Values are unique then, and
 *     throughput is no figure
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

    /** Services times pipeline, at most. */
    public static final int OUTSTANDING_MAX = 32_768;

    public static final int KEYS_MAX = 50_000_000;
    /** Many times what a machine can do, as overload asks for. */
    public static final long RATE_MAX = 1_000_000_000;

    private static final int VALUE_BYTES_MAX = 16 << 20;

    private static final LoadSettings DEFAULTS = new LoadSettings(
            LoadMode.READ, 2, 100, 150, 100_000, Duration.ofSeconds(5), Duration.ofSeconds(10), 0, 42, null);

    /**
     * Checks ranges.
     *
     * @throws IllegalArgumentException naming the setting, its value and what was expected
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
     * A closed loop of reads: 2 services with 100 outstanding each, 100,000 records of 150 bytes, 10 s after 5 s of
     * warm-up.
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

    /** Operations outstanding at most. */
    public int outstanding() {
        return services * pipeline;
    }

    private static void requireWithin(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " of " + value + " is not within " + least + " to " + most);
        }
    }
}
