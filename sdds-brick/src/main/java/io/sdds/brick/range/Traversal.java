package io.sdds.brick.range;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/** Walks over the records of a range, along the leaves. */
final class Traversal {

    /* A walk first looks for both ends of the range, so that it reads no key on the way. Records lie anywhere in
     * memory. Before a walk visits a group of records, it touches all their cache lines, and the whole next leaf, so
     * that the memory accesses overlap. The larger a group is, the less a walk waits for memory. Groups grow up to a
     * whole leaf as a walk goes on, so that a short walk touches little in vain. */

    private static final int FIRST_GROUP = 16;

    private final Tree tree;
    private final Nodes nodes;
    private final RecordStore store;
    private final SlotSpace slots;

    /** The ends of the range: the leaf and index of the first record, and the leaf and index behind the last record. */
    private long firstLeaf;

    private int firstIndex;
    private long lastLeaf;
    private int endIndex;
    private int group;
    private long touched;

    Traversal(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.store = tree.store;
        this.slots = store.slots();
    }

    /** Visits records in ascending order; returns whether the end of the range was reached. */
    boolean ascend(KeyRange range, RangeVisitor visitor) {
        if (tree.isEmpty() || range.isEmpty()) {
            return true;
        }
        find(range);
        int from = firstIndex;
        for (long leaf = firstLeaf; leaf != lastLeaf; leaf = nodes.next(leaf), from = 0) {
            if (!ascend(leaf, from, nodes.count(leaf), visitor)) {
                return false;
            }
        }
        return ascend(lastLeaf, from, endIndex, visitor);
    }

    /** Visits records in descending order; returns whether the beginning of the range was reached. */
    boolean descend(KeyRange range, RangeVisitor visitor) {
        if (tree.isEmpty() || range.isEmpty()) {
            return true;
        }
        find(range);
        int end = endIndex;
        long leaf = lastLeaf;
        while (leaf != firstLeaf) {
            if (!descend(leaf, 0, end, visitor)) {
                return false;
            }
            leaf = nodes.previous(leaf);
            end = nodes.count(leaf);
        }
        return descend(leaf, firstIndex, end, visitor);
    }

    private void find(KeyRange range) {
        group = FIRST_GROUP;
        KeyRange.Bound low = range.low;
        firstLeaf = low.present ? tree.descend(low.key, low.offset, low.length) : tree.descendToFirst();
        firstIndex = low.present ? index(firstLeaf, low, !low.inclusive) : 0;
        KeyRange.Bound high = range.high;
        lastLeaf = high.present ? tree.descend(high.key, high.offset, high.length) : tree.descendToLast();
        endIndex = high.present ? index(lastLeaf, high, high.inclusive) : nodes.count(lastLeaf);
    }

    /** Number of records of the leaf that are below the bound, or at it. */
    private int index(long leaf, KeyRange.Bound bound, boolean countEqual) {
        int sought = tree.seek(leaf, bound.key, bound.offset, bound.length);
        return Search.index(sought) + (countEqual && Search.isFound(sought) ? 1 : 0);
    }

    private boolean ascend(long leaf, int from, int end, RangeVisitor visitor) {
        MemorySegment chunk = slots.segment(leaf);
        long at = slots.offset(leaf);
        touchLeaf(leaf == lastLeaf ? 0 : nodes.next(leaf));
        for (int next = from; next < end; ) {
            int groupEnd = Math.min(next + group, end);
            touch(leaf, next, groupEnd);
            for (; next < groupEnd; next++) {
                if (!visitor.visit(Nodes.leafKey(chunk, at, next))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean descend(long leaf, int from, int end, RangeVisitor visitor) {
        MemorySegment chunk = slots.segment(leaf);
        long at = slots.offset(leaf);
        touchLeaf(leaf == firstLeaf ? 0 : nodes.previous(leaf));
        for (int last = end; last > from; ) {
            int groupStart = Math.max(from, last - group);
            touch(leaf, groupStart, last);
            while (last > groupStart) {
                if (!visitor.visit(Nodes.leafKey(chunk, at, --last))) {
                    return false;
                }
            }
        }
        return true;
    }

    private void touchLeaf(long leaf) {
        if (leaf != 0) {
            touched += tree.search.touch(leaf);
        }
    }

    private void touch(long leaf, int from, int end) {
        touched += store.touchAll(leaf, Nodes.leafKeyAt(from), Nodes.LEAF_ENTRY_BYTES, end - from);
        group = Math.min(2 * group, Nodes.LEAF_KEYS);
    }

    /** A value that depends on all touched bytes, so that the touches are not optimised away. */
    long touched() {
        return touched;
    }
}
