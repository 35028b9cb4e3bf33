package io.sdds.brick.range;

import java.lang.foreign.MemorySegment;

/**
 * Counts records without a look at each record, because every node knows the number of records below it. A count reads
 * the children of one node on each level.
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

    /** Bytes of the slots of the records that the last count counted. */
    long bytes() {
        return bytes;
    }

    /** Counts the records below a key, and the record of the key itself if {@code inclusive}. */
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

    /** Number of records in a range. */
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

    /** The record that has {@code rank} records below it. The rank is below the number of records. */
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
