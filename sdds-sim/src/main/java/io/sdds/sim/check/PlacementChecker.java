package io.sdds.sim.check;

import io.sdds.core.addressing.LinearHashing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that each partition has one holder, and that the file state (i, n) addresses each key to its partition. */
public final class PlacementChecker {
    private PlacementChecker() {}

    /** A partition on a brick, with the pseudo-keys of its records. */
    public record Held(String brick, int partition, int level, List<Long> pseudoKeys) {
        public Held {
            pseudoKeys = List.copyOf(pseudoKeys);
        }
    }

    /**
     * Describes all faults, one line each.
     *
     * @param partitions number of partitions of the table (M)
     * @param lost lost partitions
     * @param held all other partitions on their bricks, while the cluster is at rest
     */
    public static List<String> check(int partitions, Set<Integer> lost, List<Held> held) {
        List<String> wrong = new ArrayList<>();
        Map<Integer, Held> byNumber = new HashMap<>();
        for (Held partition : held) {
            Held other = byNumber.put(partition.partition(), partition);
            if (other != null) {
                wrong.add("partition " + partition.partition() + " is held by " + other.brick() + " and by "
                        + partition.brick());
            }
            checkOne(partitions, partition, wrong);
        }
        for (int a = 0; a < partitions; a++) {
            Held holder = byNumber.get(a);
            if (holder == null && !lost.contains(a)) {
                wrong.add("partition " + a + " of " + partitions + " is held by nobody");
            } else if (holder != null && lost.contains(a)) {
                wrong.add("partition " + a + " is held by " + holder.brick() + " and counts as lost");
            }
        }
        return wrong;
    }

    private static void checkOne(int partitions, Held held, List<String> wrong) {
        String where = "partition " + held.partition() + " at " + held.brick();
        if (held.partition() >= partitions) {
            wrong.add(where + " is beyond the file of " + partitions);
            return;
        }
        int level = LinearHashing.levelOf(held.partition(), partitions);
        if (held.level() != level) {
            wrong.add(where + " is of level " + held.level() + " instead of " + level);
        }
        Set<Long> seen = new HashSet<>();
        for (long pseudoKey : held.pseudoKeys()) {
            int right = LinearHashing.address(pseudoKey, partitions);
            if (right != held.partition()) {
                wrong.add(where + " holds pseudo-key " + Long.toHexString(pseudoKey) + " of partition " + right);
            }
            if (!seen.add(pseudoKey)) {
                wrong.add(where + " holds pseudo-key " + Long.toHexString(pseudoKey) + " twice");
            }
        }
    }
}
