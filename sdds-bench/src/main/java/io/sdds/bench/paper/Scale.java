package io.sdds.bench.paper;

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
 * @param services that keep 100 reads outstanding each, from few to many
 * @param loadedBricks how many bricks these are put on
 * @param warmup before each measurement under steady load
 * @param duration of each measurement under steady load
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
        List<Integer> services,
        List<Integer> loadedBricks,
        Duration warmup,
        Duration duration) {

    /** The papers' own sizes, in about a minute an experiment. */
    public static final Scale FULL = new Scale(
            "full",
            235_000,
            256,
            150_000,
            90_000,
            List.of(1, 2, 3, 4, 5, 6, 7, 8),
            3,
            100_000,
            List.of(50, 100, 200, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000),
            List.of(1, 2, 4, 8, 16, 32, 64),
            List.of(1, 2, 4),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2));

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
            List.of(1, 10),
            List.of(1, 2),
            Duration.ofMillis(50),
            Duration.ofMillis(150));

    public Scale {
        clients = List.copyOf(clients);
        valueSizes = List.copyOf(valueSizes);
        services = List.copyOf(services);
        loadedBricks = List.copyOf(loadedBricks);
    }

    /** The most clients that build. */
    int clientsMost() {
        return clients.get(clients.size() - 1);
    }
}
