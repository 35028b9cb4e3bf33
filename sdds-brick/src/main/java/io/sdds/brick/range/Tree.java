package io.sdds.brick.range;

import io.sdds.brick.bucket.RankedRecords;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;

/**
 * The state of a B+-tree, which the classes that work on the tree share. An empty tree has no nodes.
 *
 * <p>Except during a change, an inner node has at least one separator and two children, and a leaf at least one record.
 */
final class Tree {

    final RecordStore store;
    final RankedRecords records;
    final Nodes nodes;
    final Separators separators;
    final Heads heads;
    final Search search;

    /** The way to the leaf that the current operation works on. */
    final Path path;

    private long root;
    private int height;

    Tree(RecordStore store, RankedRecords records) {
        this.store = store;
        this.records = records;
        this.nodes = new Nodes(store.slots());
        this.separators = new Separators(store);
        this.heads = new Heads(store, nodes);
        this.search = new Search(store, nodes);
        this.path = new Path(nodes, search);
    }

    /** The root, 0 if the tree is empty. */
    long root() {
        return root;
    }

    boolean isEmpty() {
        return root == 0;
    }

    /** Number of levels above the leaves. */
    int height() {
        return height;
    }

    /** Makes a node the root. */
    void root(long node, int levelsAboveLeaves) {
        root = node;
        height = levelsAboveLeaves;
    }

    /** Takes the new reference of the root, which was moved in memory. */
    void rootRelocated(long node) {
        root = node;
    }

    /** Takes {@link #path} to the leaf that the key belongs to; the tree isn't empty. */
    long descend(MemorySegment key, long keyOffset, int keyLength) {
        return path.descend(root, height, key, keyOffset, keyLength);
    }

    /** Takes {@link #path} to the first leaf; the tree isn't empty. */
    long descendToFirst() {
        return path.descendToFirst(root, height);
    }

    /** Takes {@link #path} to the last leaf; the tree isn't empty. */
    long descendToLast() {
        return path.descendToLast(root, height);
    }

    /** The index at which a key stands, or would stand, in a leaf; see {@link Search#seek}. */
    int seek(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        return search.seek(leaf, key, keyOffset, keyLength);
    }

    /** Bytes of nodes and separators. */
    long indexBytes() {
        return nodes.bytesOfNodes() + separators.bytes();
    }

    /** Bytes of the slots of some records of a leaf. */
    long slotBytes(long leaf, int from, int end) {
        long bytes = 0;
        for (int i = from; i < end; i++) {
            bytes += store.slotBytes(nodes.key(leaf, i));
        }
        return bytes;
    }

    /** Counts records and bytes as moved from one node to another of the same parent. */
    void moveLoad(long from, long to, long records, long bytes) {
        nodes.addLoad(from, -records, -bytes);
        nodes.addLoad(to, records, bytes);
    }
}
