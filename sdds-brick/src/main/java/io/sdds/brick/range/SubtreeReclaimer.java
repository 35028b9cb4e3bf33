package io.sdds.brick.range;

import java.util.Arrays;

/** Frees subtrees that are no longer part of the tree, a few records at a time. */
final class SubtreeReclaimer {

    private static final int RECORDS_PER_STEP = 16;

    /** Number of children of an inner node, with their separators, that is a unit of work. */
    private static final int CHILDREN_PER_UNIT = 16;

    private final Tree tree;
    private final Nodes nodes;

    /** Roots of the subtrees that are still to be freed. */
    private int[] pending = new int[8];

    private int pendingCount;

    SubtreeReclaimer(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
    }

    /** Adds a subtree that is to be freed. */
    void add(long node) {
        nodes.cutOff();
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, 2 * pendingCount);
        }
        pending[pendingCount++] = (int) node;
    }

    /** Whether no subtree waits to be freed. */
    boolean isIdle() {
        return pendingCount == 0;
    }

    /**
     * Frees an inner node or some records of a leaf.
     *
     * @return units of work done; 0 if there was nothing to do
     */
    int step() {
        if (pendingCount == 0) {
            return 0;
        }
        long node = Integer.toUnsignedLong(pending[--pendingCount]);
        if (nodes.isLeaf(node)) {
            freeSome(node);
            return 1;
        }
        int children = nodes.count(node);
        freeInner(node);
        return 1 + children / CHILDREN_PER_UNIT;
    }

    private void freeSome(long leaf) {
        int count = nodes.count(leaf);
        int kept = Math.max(0, count - RECORDS_PER_STEP);
        freeRecords(leaf, kept);
        if (kept == 0) {
            nodes.free(leaf);
        } else {
            add(leaf);
        }
    }

    private void freeInner(long node) {
        int count = nodes.count(node);
        for (int i = 0; i <= count; i++) {
            add(nodes.child(node, i));
        }
        freeSeparators(node, 0);
        nodes.free(node);
    }

    /** Frees the records of a leaf from {@code from} on. */
    void freeRecords(long leaf, int from) {
        int count = nodes.count(leaf);
        for (int i = from; i < count; i++) {
            tree.records.free(nodes.key(leaf, i));
        }
        nodes.setCount(leaf, from);
    }

    /** Frees the separators of an inner node from {@code from} on. */
    void freeSeparators(long node, int from) {
        int count = nodes.count(node);
        for (int i = from; i < count; i++) {
            tree.separators.free(nodes.key(node, i));
        }
        nodes.setCount(node, from);
    }
}
