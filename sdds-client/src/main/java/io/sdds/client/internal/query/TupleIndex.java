package io.sdds.client.internal.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tuples in the order in which they came, found by the bytes of their first columns. A query has a hundred thousand
 * groups and more, and each part of a table has most of them, so that a search makes no objects.
 */
final class TupleIndex {
    private static final int SLOTS_MIN = 64;

    /** Multipliers that spread hashes whose low bits are alike, as those of texts of digits are (MurmurHash3). */
    private static final int SPREAD_FIRST = 0x85ebca6b;

    private static final int SPREAD_SECOND = 0xc2b2ae35;

    private final int keys;
    private final List<List<byte @Nullable []>> tuples = new ArrayList<>();
    /** For each slot the place of a tuple plus one; 0: none. */
    private int[] slots = new int[SLOTS_MIN];
    /** For each slot the hash of its tuple. */
    private int[] hashes = new int[SLOTS_MIN];

    /** @param keys columns that tuples are found by */
    TupleIndex(int keys) {
        this.keys = keys;
    }

    /** Adds a tuple unless there is one with the same keys. Returns that one, or null. */
    @Nullable
    List<byte @Nullable []> putIfAbsent(List<byte @Nullable []> tuple) {
        int hash = hash(tuple);
        int slot = hash & slots.length - 1;
        while (slots[slot] != 0) {
            List<byte @Nullable []> there = tuples.get(slots[slot] - 1);
            if (hashes[slot] == hash && hasSameKeys(there, tuple)) {
                return there;
            }
            slot = slot + 1 & slots.length - 1;
        }
        tuples.add(tuple);
        slots[slot] = tuples.size();
        hashes[slot] = hash;
        if (2 * tuples.size() > slots.length) {
            grow();
        }
        return null;
    }

    private int hash(List<byte @Nullable []> tuple) {
        int hash = 0;
        for (int k = 0; k < keys; k++) {
            hash = spread(hash * 31 + Arrays.hashCode(tuple.get(k)));
        }
        return hash;
    }

    private static int spread(int number) {
        int hash = (number ^ number >>> 16) * SPREAD_FIRST;
        hash = (hash ^ hash >>> 13) * SPREAD_SECOND;
        return hash ^ hash >>> 16;
    }

    private boolean hasSameKeys(List<byte @Nullable []> one, List<byte @Nullable []> other) {
        for (int k = 0; k < keys; k++) {
            if (!Arrays.equals(one.get(k), other.get(k))) {
                return false;
            }
        }
        return true;
    }

    private void grow() {
        int[] oldSlots = slots;
        int[] oldHashes = hashes;
        slots = new int[2 * oldSlots.length];
        hashes = new int[slots.length];
        for (int k = 0; k < oldSlots.length; k++) {
            if (oldSlots[k] != 0) {
                int slot = oldHashes[k] & slots.length - 1;
                while (slots[slot] != 0) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = oldSlots[k];
                hashes[slot] = oldHashes[k];
            }
        }
    }

    /** All tuples, in the order in which they came. */
    List<List<byte @Nullable []>> tuples() {
        return new ArrayList<>(tuples);
    }
}
