package io.sdds.bench.paper;

import io.sdds.bench.load.OverloadSettings;
import java.time.Duration;
import java.util.List;

/**
 * Sizes and durations of experiments.
 *
 * @param name name of the scale in results
 * @param records records inserted to build a table; LH*LH: 235,000
 * @param partitions approximate number of partitions at the end of a build
 * @param comparedRecords records inserted to build a table in experiments that compare many builds
 * @param largeCapacity capacity of a partition in records, in experiments with long splits
 * @param clients numbers of clients that build, beginning with one
 * @param repeats repetitions of paired measurements
 * @param keys number of keys that are read
 * @param valueSizes sizes of values that are read, in bytes
 * @param loads offered loads, as multiples of the saturating load
 * @param saturating outstanding reads that saturate the bricks; 0 to search for the number
 * @param loadedBricks numbers of bricks under these loads
 * @param copiedKeys keys of a partition whose copy is lost and restored; Gribble et al.: 100 MB
 * @param bucketUnit the smallest bucket of the experiments by bucket size; LH*RS: 5,000 records
 * @param buckets sizes of buckets, as multiples of the smallest
 * @param slices sizes of the slices of a recovery, in records
 * @param persons numbers of persons that are joined by a nested loop; AMOS-SDDS: 1,000 to 6,000
 * @param packets persons of a packet of a distributed nested loop
 * @param joiningBricks numbers of bricks that join; AMOS-SDDS: up to six
 * @param manyPersons numbers of persons that are joined as the planner chooses
 * @param steady duration of each stretch of a run whose course is recorded
 * @param saturated duration of the saturation of bricks in the experiment on imbalance
 * @param warmup warm-up time before each measurement under steady load
 * @param duration duration of each measurement under steady load
 * @param overloaded duration of each step of load up to saturation and beyond
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
        int bucketUnit,
        List<Integer> buckets,
        List<Integer> slices,
        List<Integer> persons,
        List<Integer> packets,
        List<Integer> joiningBricks,
        List<Integer> manyPersons,
        Duration steady,
        Duration saturated,
        Duration warmup,
        Duration duration,
        Duration overloaded) {

    /** The sizes of the papers. An experiment takes one to five minutes. */
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
            50_000,
            List.of(1, 2, 5, 10),
            List.of(1, 4, 16, 64, 256),
            List.of(1_000, 2_000, 3_000, 4_000, 5_000, 6_000),
            List.of(1, 5, 10, 50, 100, 500),
            List.of(1, 2, 3, 4, 5, 6),
            List.of(100_000, 1_000_000),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            OverloadSettings.defaults().duration());

    /** Small sizes, for a run of a few seconds. The run only shows that the experiments work. */
    public static final Scale QUICK = new Scale(
            "quick",
            3_000,
            32,
            2_000,
            1_000,
            List.of(1, 2, 4, 8),
            1,
            1_000,
            List.of(50, 1000, 8000, 64_000),
            List.of(1.0, 2.0, 10.0),
            200,
            List.of(1, 2),
            6_000,
            500,
            List.of(1, 10),
            List.of(1, 64),
            List.of(500, 1_000),
            List.of(10, 50),
            List.of(1, 2),
            List.of(2_000),
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
        buckets = List.copyOf(buckets);
        slices = List.copyOf(slices);
        persons = List.copyOf(persons);
        packets = List.copyOf(packets);
        joiningBricks = List.copyOf(joiningBricks);
        manyPersons = List.copyOf(manyPersons);
    }

    /** The highest number of persons that are joined by a nested loop. */
    int personsMost() {
        return persons.get(persons.size() - 1);
    }

    /** The highest number of clients that build. */
    int clientsMost() {
        return clients.get(clients.size() - 1);
    }
}
