package io.sdds.sim.check;

import io.sdds.core.model.KeySpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the partitions of a range table tile all keys, that each partition has one holder, and that each key is
 * in the partition whose span contains the key.
 */
public final class RangePlacementChecker {
    private RangePlacementChecker() {}

    /** A partition on a brick, with the keys of its records in stored order. */
    public record Held(String brick, int partition, KeySpan span, List<byte[]> keys) {
        public Held {
            keys = List.copyOf(keys);
        }
    }

    /**
     * Describes all faults, one line each.
     *
     * @param spans spans of all partitions of the table, by number
     * @param lost lost partitions
     * @param held all other partitions on their bricks, while the cluster is at rest
     */
    public static List<String> check(Map<Integer, KeySpan> spans, Set<Integer> lost, List<Held> held) {
        List<String> wrong = new ArrayList<>();
        checkTiling(spans, wrong);
        Map<Integer, Held> byNumber = new HashMap<>();
        for (Held partition : held) {
            Held other = byNumber.put(partition.partition(), partition);
            if (other != null) {
                wrong.add("partition " + partition.partition() + " is held by " + other.brick() + " and by "
                        + partition.brick());
            }
            checkOne(spans.get(partition.partition()), partition, wrong);
        }
        spans.keySet().forEach(number -> {
            Held holder = byNumber.get(number);
            if (holder == null && !lost.contains(number)) {
                wrong.add("partition " + number + " is held by nobody");
            } else if (holder != null && lost.contains(number)) {
                wrong.add("partition " + number + " is held by " + holder.brick() + " and counts as lost");
            }
        });
        return wrong;
    }

    private static void checkTiling(Map<Integer, KeySpan> spans, List<String> wrong) {
        TreeMap<byte[], KeySpan> byLow = new TreeMap<>(Arrays::compareUnsigned);
        spans.values().forEach(span -> byLow.put(span.low(), span));
        if (byLow.size() != spans.size()) {
            wrong.add("two partitions begin at the same key: " + spans);
        }
        byte[] reached = new byte[0];
        for (KeySpan span : byLow.values()) {
            if (!Arrays.equals(span.low(), reached)) {
                wrong.add("between " + KeySpan.text(reached) + " and " + span + " keys belong to none or to two");
            }
            reached = span.high();
        }
        if (reached.length != 0) {
            wrong.add("keys above " + KeySpan.text(reached) + " belong to none");
        }
    }

    private static void checkOne(@Nullable KeySpan right, Held held, List<String> wrong) {
        String where = "partition " + held.partition() + " at " + held.brick();
        if (right == null) {
            wrong.add(where + " is none of the table's");
            return;
        }
        if (!right.equals(held.span())) {
            wrong.add(where + " has the keys " + held.span() + " instead of " + right);
        }
        byte[] before = new byte[0];
        for (byte[] key : held.keys()) {
            if (!right.holds(key)) {
                wrong.add(where + " of " + right + " holds key " + KeySpan.text(key));
            }
            if (Arrays.compareUnsigned(before, key) >= 0) {
                wrong.add(where + " holds key " + KeySpan.text(key) + " out of order or twice");
            }
            before = key;
        }
    }
}
