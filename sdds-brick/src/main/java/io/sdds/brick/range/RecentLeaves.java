package io.sdds.brick.range;

import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Remembers the leaves at which searches for the last keys ended, by the pseudo-keys of these keys. So an operation
 * whose leaf was touched ahead needs no second way down the tree. A remembered leaf is a guess: it is a leaf of the
 * tree, but the record may have moved to another leaf.
 */
final class RecentLeaves {
    /** Number of remembered leaves: more than a batch has requests. */
    private static final int ENTRIES = 64;

    private static final int NOWHERE = Integer.MAX_VALUE;

    private final Tree tree;
    private final Nodes nodes;
    private final RecordStore store;
    private final long[] hashes = new long[ENTRIES];
    private final long[] leaves = new long[ENTRIES];
    private final int[] indexes = new int[ENTRIES];
    private int generation;

    RecentLeaves(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.store = tree.store;
    }

    private static int at(long hash) {
        return (int) hash & ENTRIES - 1;
    }

    /** Notes that a search for a key with this pseudo-key ends at a leaf. */
    void note(long hash, long leaf) {
        if (generation != nodes.generation()) {
            generation = nodes.generation();
            Arrays.fill(leaves, 0);
        }
        hashes[at(hash)] = hash;
        leaves[at(hash)] = leaf;
        indexes[at(hash)] = NOWHERE;
    }

    /** Notes the index of the record in the leaf that was noted. */
    void noteIndex(long hash, int index) {
        indexes[at(hash)] = index;
    }

    /**
     * Finds the record with a key in the leaf that was noted for the key's pseudo-key.
     *
     * @return reference of the record, expired or not; 0 if no leaf was noted, or if the record is not in that leaf,
     *     though it may be in another one
     */
    long find(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long leaf = leaf(hash);
        if (leaf == 0) {
            return 0;
        }
        long ref = record(hash, leaf);
        if (ref != 0 && store.keyEquals(ref, key, keyOffset, keyLength)) {
            return ref;
        }
        int sought = tree.seek(leaf, key, keyOffset, keyLength);
        if (!Search.isFound(sought)) {
            return 0;
        }
        // A search presumes that the key is within the bounds of the leaf. The key was when the leaf was noted. The
        // bounds may have changed since, so the whole key is compared.
        ref = nodes.key(leaf, Search.index(sought));
        return store.keyEquals(ref, key, keyOffset, keyLength) ? ref : 0;
    }

    /** The leaf that was noted for a pseudo-key; 0 if there is none. */
    private long leaf(long hash) {
        return hashes[at(hash)] == hash && generation == nodes.generation() ? leaves[at(hash)] : 0;
    }

    /** The record at the index that was noted with a leaf; 0 if no index was noted. */
    private long record(long hash, long leaf) {
        int index = indexes[at(hash)];
        return index < nodes.count(leaf) ? nodes.key(leaf, index) : 0;
    }
}
