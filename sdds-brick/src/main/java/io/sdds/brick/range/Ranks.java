package io.sdds.brick.range;

import java.lang.foreign.MemorySegment;

/**
 * Counts records by position, not one by one: every node knows how many are below it. Costs O(depth) nodes' children.
 */
final class Ranks {

    private final Tree tree;
    private final Nodes nodes;
    private long records;
    private long bytes;

    Ranks(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
    }

    /** Records that the last count counted. */
    long records() {
        return records;
    }

    /** Bytes of their slots. */
    long bytes() {
        return bytes;
    }

    /** Counts the records below a key; with the key itself if {@code inclusive}. */
    void countBelow(MemorySegment key, long keyOffset, int keyLength, boolean inclusive) {
        records = 0;
        bytes = 0;
        if (tree.isEmpty()) {
            return;
        }
        long leaf = tree.descend(key, keyOffset, keyLength);
        Path path = tree.path;
        for (int at = 0; at < path.depth(); at++) {
            addChildren(path.node(at), path.child(at));
        }
        int sought = tree.seek(leaf, key, keyOffset, keyLength);
        int index = Search.index(sought) + (inclusive && Search.isFound(sought) ? 1 : 0);
        records += index;
        bytes += tree.slotBytes(leaf, 0, index);
    }

    private void addChildren(long node, int end) {
        for (int i = 0; i < end; i++) {
            long child = nodes.child(node, i);
            records += nodes.records(child);
            bytes += nodes.bytes(child);
        }
    }

    /** Records in a range. */
    long count(KeyRange range) {
        if (tree.isEmpty() || range.isEmpty()) {
            return 0;
        }
        long below = countBelow(range.low, !range.low.inclusive, 0);
        return countBelow(range.high, range.high.inclusive, nodes.records(tree.root())) - below;
    }

    private long countBelow(KeyRange.Bound bound, boolean inclusive, long ifAbsent) {
        if (!bound.present) {
            return ifAbsent;
        }
        countBelow(bound.key, bound.offset, bound.length, inclusive);
        return records;
    }

    /** The record that {@code rank} others are below; the rank is below the number of records. */
    long select(long rank) {
        long left = rank;
        long node = tree.root();
        while (!nodes.isLeaf(node)) {
            int i = 0;
            long child = nodes.child(node, 0);
            while (left >= nodes.records(child)) {
                left -= nodes.records(child);
                child = nodes.child(node, ++i);
            }
            node = child;
        }
        return nodes.key(node, (int) left);
    }
}
