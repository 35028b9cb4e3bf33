package io.sdds.brick.range;

import java.lang.foreign.MemorySegment;

/** Finds records of a range bucket by their place in the order of keys, also records that have expired. */
public final class NearestRecords {

    private final Tree tree;
    private final Nodes nodes;

    NearestRecords(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
    }

    /** The record with the lowest key, 0 if there is none. */
    public long first() {
        return tree.isEmpty() ? 0 : nodes.key(tree.descendToFirst(), 0);
    }

    /** The record with the highest key, 0 if there is none. */
    public long last() {
        return tree.isEmpty() ? 0 : atOrBeside(tree.descendToLast(), nodes.count(tree.path.leaf()) - 1);
    }

    /** The record with the highest key that is not above this key, 0 if there is none. */
    public long floor(MemorySegment key, long keyOffset, int keyLength) {
        int sought = seek(key, keyOffset, keyLength);
        return beside(Search.isFound(sought) ? Search.index(sought) : Search.index(sought) - 1);
    }

    /** The record with the lowest key that is not below this key, 0 if there is none. */
    public long ceiling(MemorySegment key, long keyOffset, int keyLength) {
        return beside(Search.index(seek(key, keyOffset, keyLength)));
    }

    /** The record with the highest key below this key, 0 if there is none. */
    public long lower(MemorySegment key, long keyOffset, int keyLength) {
        return beside(Search.index(seek(key, keyOffset, keyLength)) - 1);
    }

    /** The record with the lowest key above this key, 0 if there is none. */
    public long higher(MemorySegment key, long keyOffset, int keyLength) {
        int sought = seek(key, keyOffset, keyLength);
        return beside(Search.index(sought) + (Search.isFound(sought) ? 1 : 0));
    }

    private int seek(MemorySegment key, long keyOffset, int keyLength) {
        return tree.isEmpty() ? 0 : tree.seek(tree.descend(key, keyOffset, keyLength), key, keyOffset, keyLength);
    }

    private long beside(int index) {
        return tree.isEmpty() ? 0 : atOrBeside(tree.path.leaf(), index);
    }

    /**
     * The record at an index of a leaf. Index -1 is the last record of the leaf before, and the leaf's count is the
     * first record of the next leaf.
     */
    private long atOrBeside(long leaf, int index) {
        if (index < 0) {
            long previous = nodes.previous(leaf);
            return previous == 0 ? 0 : nodes.key(previous, nodes.count(previous) - 1);
        }
        if (index < nodes.count(leaf)) {
            return nodes.key(leaf, index);
        }
        long next = nodes.next(leaf);
        return next == 0 ? 0 : nodes.key(next, 0);
    }
}
