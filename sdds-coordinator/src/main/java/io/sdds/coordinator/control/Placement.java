package io.sdds.coordinator.control;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a partition goes: to the brick whose memory is least filled, then to the one with fewest partitions, then to the lowest number. Fill is compared in
 * hundredths of a percent of a brick's limit, so that bricks of different size fill alike and noise does not decide.
 */
final class Placement {
    private static final int FILL_UNITS = 10_000;

    private static final Comparator<Candidate> LEAST_LOADED = Comparator.comparingLong(Candidate::fill)
            .thenComparingInt(Candidate::partitions)
            .thenComparingInt(Candidate::brick);

    private Placement() {}

    /**
     * A brick that is up.
     *
     * @param bytes of records, with what is on its way there
     * @param avoid whether it failed at this lately
     */
    record Candidate(int brick, long incarnation, long bytes, long limitBytes, int partitions, boolean avoid) {
        long fill() {
            return limitBytes <= 0 ? FILL_UNITS : (long) ((double) bytes * FILL_UNITS / limitBytes);
        }
    }

    /** The least loaded brick; null when there is none. */
    static @Nullable Candidate forNewPartition(List<Candidate> candidates) {
        return candidates.stream().min(LEAST_LOADED).orElse(null);
    }

    /** All bricks, the least loaded first. */
    static List<Candidate> inOrder(List<Candidate> candidates) {
        return candidates.stream().sorted(LEAST_LOADED).toList();
    }

    /**
     * The brick for a split's child: another than the parent's whenever there is another, even if that means to wait for one that failed lately (null then).
     */
    static @Nullable Candidate forChild(List<Candidate> candidates, int parentBrick) {
        List<Candidate> others =
                candidates.stream().filter(c -> c.brick() != parentBrick).toList();
        List<Candidate> eligible = others.isEmpty() ? candidates : others;
        return eligible.stream().filter(c -> !c.avoid()).min(LEAST_LOADED).orElse(null);
    }
}
