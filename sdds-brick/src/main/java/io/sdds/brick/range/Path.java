package io.sdds.brick.range;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The way from the root of a tree to one of its leaves. Each operation takes the way anew, in the same object. The path
 * is valid until the tree is next changed.
 *
 * <p>A node's depth is the number of nodes above it.
 */
final class Path {

    private final Nodes nodes;
    private final Search search;

    private int[] refs = new int[8];
    private int[] children = new int[8];
    private int depth;
    private long leaf;
    private long touched;

    Path(Nodes nodes, Search search) {
        this.nodes = nodes;
        this.search = search;
    }

    /** Goes from the root, {@code height} levels above the leaves, to the leaf that the key belongs to. */
    long descend(long root, int height, MemorySegment key, long keyOffset, int keyLength) {
        ensure(height);
        long node = root;
        for (int i = 0; i < height; i++) {
            node = enter(i, node, Search.child(search.seek(node, key, keyOffset, keyLength)));
        }
        touched += search.touch(node);
        return arrive(height, node);
    }

    /** Goes from the root to the first leaf. */
    long descendToFirst(long root, int height) {
        ensure(height);
        long node = root;
        for (int i = 0; i < height; i++) {
            node = enter(i, node, 0);
        }
        return arrive(height, node);
    }

    /** Goes from the root to the last leaf. */
    long descendToLast(long root, int height) {
        ensure(height);
        long node = root;
        for (int i = 0; i < height; i++) {
            node = enter(i, node, nodes.count(node));
        }
        return arrive(height, node);
    }

    private void ensure(int height) {
        if (height > refs.length) {
            refs = Arrays.copyOf(refs, 2 * height);
            children = Arrays.copyOf(children, 2 * height);
        }
    }

    private long enter(int at, long node, int child) {
        refs[at] = (int) node;
        children[at] = child;
        return nodes.child(node, child);
    }

    private long arrive(int height, long node) {
        depth = height;
        leaf = node;
        return node;
    }

    /** The depth of the leaf. */
    int depth() {
        return depth;
    }

    long leaf() {
        return leaf;
    }

    /** The inner node at a depth. */
    long node(int at) {
        return Integer.toUnsignedLong(refs[at]);
    }

    /** Index of the child at which the way goes on, in the inner node at a depth. */
    int child(int at) {
        return children[at];
    }

    /** Sets the new reference of the node at a depth. */
    void relocated(int at, long node) {
        if (at == depth) {
            leaf = node;
        } else {
            refs[at] = (int) node;
        }
    }

    /** The separator before the node at a depth: no key of the node is below it. 0 if there is none. */
    long lowerFence(int at) {
        for (int i = at - 1; i >= 0; i--) {
            if (children[i] > 0) {
                return nodes.key(node(i), children[i] - 1);
            }
        }
        return 0;
    }

    /** The separator behind the node at a depth: all keys of the node are below it. 0 if there is none. */
    long upperFence(int at) {
        for (int i = at - 1; i >= 0; i--) {
            if (children[i] < nodes.count(node(i))) {
                return nodes.key(node(i), children[i]);
            }
        }
        return 0;
    }

    /** Has all nodes of the path count records that were added to the leaf or, with negative numbers, removed. */
    void addLoad(long records, long bytes) {
        for (int i = 0; i < depth; i++) {
            nodes.addLoad(node(i), records, bytes);
        }
        nodes.addLoad(leaf, records, bytes);
    }

    /** A value that depends on all loaded bytes, so that the loads are not optimised away. */
    long touched() {
        return touched;
    }
}
