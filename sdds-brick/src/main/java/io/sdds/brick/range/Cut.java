package io.sdds.brick.range;

import java.lang.foreign.MemorySegment;

/** Cuts the keys above a key off a tree. A cut costs one way down the tree and needs no memory. */
final class Cut {

    /* Each inner node on the way to the key loses the children behind the way. The leaf loses its records above the
     * key. The nodes on the way are then the last nodes of the tree. Nodes that hold too little are refilled from
     * the root down, because a node is refilled from a neighbour. */

    private final Tree tree;
    private final Nodes nodes;
    private final Path path;
    private final Neighbours neighbours;
    private final SubtreeReclaimer reclaimer;

    Cut(Tree tree, Neighbours neighbours, SubtreeReclaimer reclaimer) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.path = tree.path;
        this.neighbours = neighbours;
        this.reclaimer = reclaimer;
    }

    /** Drops all keys above this key. */
    void dropAbove(MemorySegment key, long keyOffset, int keyLength) {
        if (tree.isEmpty()) {
            return;
        }
        cutLeaf(tree.descend(key, keyOffset, keyLength), key, keyOffset, keyLength);
        for (int at = path.depth() - 1; at >= 0; at--) {
            cutInner(path.node(at), path.child(at));
        }
        neighbours.dropIdleRoot();
        int depth = 1;
        while (depth <= tree.height()) {
            depth = enrichLast(depth) + 1;
        }
        neighbours.dropIdleRoot();
    }

    private void cutLeaf(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        int sought = tree.seek(leaf, key, keyOffset, keyLength);
        int kept = Search.index(sought) + (Search.isFound(sought) ? 1 : 0);
        int count = nodes.count(leaf);
        nodes.addLoad(leaf, kept - count, -tree.slotBytes(leaf, kept, count));
        reclaimer.freeRecords(leaf, kept);
        nodes.link(leaf, 0);
        openEnd(leaf);
    }

    private void cutInner(long node, int lastChild) {
        int count = nodes.count(node);
        for (int i = lastChild + 1; i <= count; i++) {
            reclaimer.add(nodes.child(node, i));
        }
        reclaimer.freeSeparators(node, lastChild);
        long records = 0;
        long bytes = 0;
        for (int i = 0; i <= lastChild; i++) {
            records += nodes.records(nodes.child(node, i));
            bytes += nodes.bytes(nodes.child(node, i));
        }
        nodes.addLoad(node, records - nodes.records(node), bytes - nodes.bytes(node));
        openEnd(node);
    }

    /** The node has no separator behind it any more, so any key above the node may be searched in it. */
    private void openEnd(long node) {
        nodes.setPrefix(node, nodes.count(node) == 0 ? 0 : nodes.prefix(node));
        nodes.setVerified(node, nodes.prefix(node) > 0);
    }

    /** Refills the last node at a depth if it holds too little. Returns the depth of the node's level after that. */
    private int enrichLast(int depth) {
        tree.descendToLast();
        long node = depth == path.depth() ? path.leaf() : path.node(depth);
        if (!neighbours.isPoor(node)) {
            return depth;
        }
        int height = tree.height();
        neighbours.enrich(depth);
        neighbours.dropIdleRoot();
        return depth - (height - tree.height());
    }
}
