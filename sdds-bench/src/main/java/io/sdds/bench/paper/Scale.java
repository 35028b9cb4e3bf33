package io.sdds.bench.paper;

import io.sdds.bench.load.OverloadSettings;
import java.time.Duration;
import java.util.List;

/**
 * How large experiments are.
 *
 * @param name for those who read results
 * @param records inserted to build a table; LH*LH: 235,000
 * @param partitions a build ends with, about
 * @param comparedRecords inserted to build a table where builds of several kinds are compared, over and over
 * @param largeCapacity records a partition is meant to hold where splits are to be long
 * @param clients that build, from one on
 * @param repeats of what is compared in pairs
 * @param keys that are read
 * @param valueSizes that are read, in bytes
 * @param loads offered, as multiples of the saturating load
 * @param saturating reads outstanding; 0 finds it out
 * @param loadedBricks how many bricks are loaded so
 * @param copiedKeys of a partition whose copy is lost and made anew; Gribble et al.: 100 MB
 * @param steady each stretch of a run whose course is watched
 * @param saturated how long bricks are kept saturated to see whether they drift apart
 * @param warmup before each measurement under steady load
 * @param duration of each measurement under steady load
 * @param overloaded each step of load up to saturation and beyond
 */
public record Scale(
        String name,
        int records,
        int partitions,
        int comparedRecords,
        int largeCapacity,
        List<Integer> clients,
        int repeats,
        int keys,
        List<Integer> valueSizes,
        List<Double> loads,
        int saturating,
        List<Integer> loadedBricks,
        int copiedKeys,
        Duration steady,
        Duration saturated,
        Duration warmup,
        Duration duration,
        Duration overloaded) {

    /** The papers' own sizes, in a minute to five an experiment. */
    public static final Scale FULL = new Scale(
            "full",
            235_000,
            256,
            120_000,
            130_000,
            List.of(1, 2, 3, 4, 5, 6, 7, 8),
            3,
            100_000,
            List.of(50, 200, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000),
            OverloadSettings.defaults().factors(),
            0,
            List.of(1, 4),
            600_000,
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            OverloadSettings.defaults().duration());

    /** The same in a few seconds; shows that everything works, and nothing else. */
    public static final Scale QUICK = new Scale(
            "quick",
            6_000,
            32,
            4_000,
            2_000,
            List.of(1, 2, 4, 8),
            1,
            2_000,
            List.of(50, 1000, 8000, 64_000),
            List.of(1.0, 2.0, 10.0),
            200,
            List.of(1, 2),
            20_000,
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofMillis(50),
            Duration.ofMillis(150),
            Duration.ofMillis(150));

    public Scale {
        clients = List.copyOf(clients);
        valueSizes = List.copyOf(valueSizes);
        loads = List.copyOf(loads);
        loadedBricks = List.copyOf(loadedBricks);
    }

    /**
     * The same with steps of another length of load up to saturation and beyond.
     *
     * @throws IllegalArgumentException when they would take no time
     */
    public Scale withOverloaded(Duration step) {
        if (!step.isPositive()) {
            throw new IllegalArgumentException("duration of " + step + " is not positive");
        }
        return new Scale(
                name,
                records,
                partitions,
                comparedRecords,
                largeCapacity,
                clients,
                repeats,
                keys,
                valueSizes,
                loads,
                saturating,
                loadedBricks,
                copiedKeys,
                steady,
                saturated,
                warmup,
                duration,
                step);
    }

    /** The most clients that build. */
    int clientsMost() {
        return clients.get(clients.size() - 1);
    }
}
