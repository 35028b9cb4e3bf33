package io.sdds.brick.map;

import io.sdds.core.model.KeySpan;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells which partition of a range table has which keys. Spans come from the coordinators' map, and from splits and
 * merges that this brick has handed over since. The last span counts. While the two sources disagree, two partitions
 * may seem to have a key; then the partition with the higher lower bound has the key. An idle column has the span
 * {@link KeySpan#EMPTY} and is found by its number alone.
 */
public final class SpanIndex {
    private final Map<Integer, KeySpan> byNumber = new HashMap<>();
    private final TreeMap<byte[], Integer> byLow = new TreeMap<>(Arrays::compareUnsigned);

    /** The span of a partition; null when the partition's span is not known. */
    public @Nullable KeySpan of(int partition) {
        return byNumber.get(partition);
    }

    /** Whether a number is known as that of an idle column. */
    public boolean isIdle(int column) {
        KeySpan span = byNumber.get(column);
        return span != null && span.isEmpty();
    }

    /** The partition that has a key; -1 when no known partition has the key. */
    public int holding(byte[] key) {
        return known(byLow.lowerEntry(key));
    }

    /** The partition that has the keys right above a key; the first partition for an empty key. */
    public int holdingAbove(byte[] key) {
        return known(byLow.floorEntry(key));
    }

    /** The partitions that have keys above {@code key}, in the order of their keys. */
    public Collection<Integer> above(byte[] key) {
        byte[] first = byLow.floorKey(key);
        return (first == null ? byLow : byLow.tailMap(first, true)).values();
    }

    /** The partition that has the highest keys. */
    public int last() {
        return known(byLow.lastEntry());
    }

    private static int known(Map.@Nullable Entry<byte[], Integer> entry) {
        return entry == null ? -1 : entry.getValue();
    }

    void put(int partition, KeySpan span) {
        remove(partition);
        byNumber.put(partition, span);
        if (!span.isEmpty()) {
            byLow.put(span.low(), partition);
        }
    }

    void remove(int partition) {
        KeySpan before = byNumber.remove(partition);
        if (before != null) {
            byLow.remove(before.low(), partition);
        }
    }

    /** A partition has given keys to a new partition. */
    void divide(int parent, int child, KeySpan moved) {
        KeySpan whole = byNumber.get(parent);
        if (whole != null) {
            put(parent, whole.upTo(moved.low()));
        }
        put(child, moved);
    }

    /** A partition has taken the keys of its right neighbour, and the neighbour is gone. */
    void join(int left, int right, KeySpan moved) {
        KeySpan span = byNumber.get(left);
        if (span != null) {
            put(left, span.upTo(moved.high()));
        }
        remove(right);
    }
}
