package io.sdds.coordinator.control.placement;

import io.sdds.coordinator.state.Command;
import io.sdds.core.model.BrickWeight;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the brick of a partition: the brick whose memory is least filled, then the brick with the fewest partitions,
 * then the brick with the lowest number. Fill is compared in hundredths of a percent of a brick's limit, so that bricks
 * of different sizes fill alike and noise does not decide. Fill and partitions are divided by the brick's capacity
 * weight ({@link WeightedLoad}).
 */
public final class Placement {
    private static final int FILL_UNITS = 10_000;

    private static final Comparator<Candidate> LEAST_LOADED = Comparator.comparingLong(Candidate::fill)
            .thenComparingLong(candidate -> WeightedLoad.withOneMore(candidate.partitions(), candidate.weight()))
            .thenComparingInt(Candidate::brick);

    private Placement() {}

    /**
     * A brick that is up.
     *
     * @param bytes bytes of records on the brick and on their way to it
     * @param roomBytes bytes that new copies may take, beside those on their way and the last 5 % of the memory
     * @param avoid whether the brick failed as a target lately
     * @param weight the capacity weight in hundredths
     */
    public record Candidate(
            int brick,
            long incarnation,
            long bytes,
            long limitBytes,
            long roomBytes,
            int partitions,
            boolean avoid,
            int weight) {
        /** A brick whose memory is taken by its records alone. */
        public Candidate(
                int brick, long incarnation, long bytes, long limitBytes, int partitions, boolean avoid, int weight) {
            this(brick, incarnation, bytes, limitBytes, limitBytes - bytes, partitions, avoid, weight);
        }

        /** A brick of weight 1. */
        public Candidate(int brick, long incarnation, long bytes, long limitBytes, int partitions, boolean avoid) {
            this(brick, incarnation, bytes, limitBytes, partitions, avoid, BrickWeight.DEFAULT_HUNDREDTHS);
        }

        public Command.Host host() {
            return new Command.Host(brick, incarnation);
        }

        /**
         * Whether a copy fits. A copy takes a quarter more than the bytes of its records, for indexes and for slots
         * that are longer than their records.
         */
        public boolean hasRoomFor(long copyBytes) {
            return copyBytes == 0 || copyBytes + copyBytes / 4 <= roomBytes;
        }

        /** This brick with one more copy on its way to it. */
        public Candidate withOneMore(long copyBytes) {
            return new Candidate(
                    brick,
                    incarnation,
                    bytes + copyBytes,
                    limitBytes,
                    roomBytes - copyBytes,
                    partitions + 1,
                    avoid,
                    weight);
        }

        long fill() {
            return limitBytes <= 0 ? FILL_UNITS : (long) (WeightedLoad.fill(bytes, limitBytes, weight) * FILL_UNITS);
        }
    }

    /** The least loaded brick; null when there is none. */
    public static @Nullable Candidate forNewPartition(List<Candidate> candidates) {
        return candidates.stream().min(LEAST_LOADED).orElse(null);
    }

    /** All bricks, the least loaded first. */
    public static List<Candidate> inOrder(List<Candidate> candidates) {
        return candidates.stream().sorted(LEAST_LOADED).toList();
    }

    /**
     * Chooses the bricks of the partitions of a new table: for each partition {@code replicas} different bricks, the
     * primary's first. Each brick gets primaries by its weight. Backups follow the primary in the order of the next
     * primaries, so that backups spread by weight, too.
     *
     * @param bricks at least {@code replicas}, the least loaded first
     */
    public static List<Candidate> spread(List<Candidate> bricks, int partitions, int replicas) {
        List<Candidate> primaries = turns(bricks, partitions + bricks.size());
        List<Candidate> hosts = new ArrayList<>();
        for (int a = 0; a < partitions; a++) {
            Stream.concat(primaries.subList(a, a + bricks.size()).stream(), bricks.stream())
                    .distinct()
                    .limit(replicas)
                    .forEach(hosts::add);
        }
        return hosts;
    }

    /** Lets bricks take turns, each as often as its weight says. Equal bricks take turns in their order. */
    private static List<Candidate> turns(List<Candidate> bricks, int count) {
        int[] taken = new int[bricks.size()];
        List<Candidate> turns = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            int next = 0;
            for (int b = 1; b < taken.length; b++) {
                long load = WeightedLoad.withOneMore(taken[b], bricks.get(b).weight());
                next = load
                                < WeightedLoad.withOneMore(
                                        taken[next], bricks.get(next).weight())
                        ? b
                        : next;
            }
            taken[next]++;
            turns.add(bricks.get(next));
        }
        return turns;
    }

    /**
     * The bricks for the group of a split's child: the least loaded bricks. The first of them is another brick than the
     * primary of the parent if possible, so that primaries spread. Empty if avoided bricks leave too few.
     */
    static List<Candidate> forChildGroup(List<Candidate> candidates, int replicas, int parentBrick) {
        int wanted = Math.min(replicas, candidates.size());
        List<Candidate> members = new ArrayList<>(inOrder(candidates).stream()
                .filter(c -> !c.avoid())
                .limit(wanted)
                .toList());
        if (members.size() < wanted) {
            return List.of();
        }
        if (members.size() > 1 && members.getFirst().brick() == parentBrick) {
            members.add(members.removeFirst());
        }
        return members;
    }

    /**
     * The brick for a split's child: another brick than the parent's if there is one. Null if all such bricks are to be
     * avoided, so that the split waits.
     */
    static @Nullable Candidate forChild(List<Candidate> candidates, int parentBrick) {
        List<Candidate> others =
                candidates.stream().filter(c -> c.brick() != parentBrick).toList();
        List<Candidate> eligible = others.isEmpty() ? candidates : others;
        return eligible.stream().filter(c -> !c.avoid()).min(LEAST_LOADED).orElse(null);
    }
}
