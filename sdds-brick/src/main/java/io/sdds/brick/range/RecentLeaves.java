package io.sdds.brick.range;

import java.util.Arrays;

/**
 * Where searches for the last keys ended, by the keys' pseudo-keys: an operation whose leaf was touched ahead needs no
 * second way down. A guess: the record with the key may be elsewhere by now, but a leaf that is given is one of the
 * tree.
 */
final class RecentLeaves {
    /** More than a batch has requests. */
    private static final int ENTRIES = 64;

    private static final int NOWHERE = Integer.MAX_VALUE;

    private final Nodes nodes;
    private final long[] hashes = new long[ENTRIES];
    private final long[] leaves = new long[ENTRIES];
    private final int[] indexes = new int[ENTRIES];
    private int generation;

    RecentLeaves(Nodes nodes) {
        this.nodes = nodes;
    }

    private static int at(long hash) {
        return (int) hash & ENTRIES - 1;
    }

    /** A search for a key with this pseudo-key ends at this leaf. */
    void note(long hash, long leaf) {
        if (generation != nodes.generation()) {
            generation = nodes.generation();
            Arrays.fill(leaves, 0);
        }
        hashes[at(hash)] = hash;
        leaves[at(hash)] = leaf;
        indexes[at(hash)] = NOWHERE;
    }

    /** At this place of the leaf that was noted. */
    void noteIndex(long hash, int index) {
        indexes[at(hash)] = index;
    }

    /** 0 if there is none. */
    long leaf(long hash) {
        return hashes[at(hash)] == hash && generation == nodes.generation() ? leaves[at(hash)] : 0;
    }

    /** The record at the place noted in a {@link #leaf} that is given; 0 if there is none. */
    long record(long hash, long leaf) {
        int index = indexes[at(hash)];
        return index < nodes.count(leaf) ? nodes.key(leaf, index) : 0;
    }
}
