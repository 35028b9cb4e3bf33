package io.sdds.brick.range;

import java.util.Arrays;

/**
 * Makes room for a record in a full leaf. Some records go to a neighbour that has room; without such a neighbour the
 * leaf is split. Both take all memory that they need before they change anything.
 */
final class LeafGrowth {

    /* A full leaf whose neighbours are full, too, is split in the middle. So leaves are about four fifths full after
     * inserts in random order. When records come in ascending order, each right behind the record before, the leaf is
     * split at the place of the next record, and the left part stays full. Inner nodes are split by the same rule. */

    private final Tree tree;
    private final Nodes nodes;
    private final Path path;
    private final Heads heads;
    private final Neighbours neighbours;

    /** Nodes taken for the split under way. */
    private int[] spares = new int[8];

    private int spareCount;

    LeafGrowth(Tree tree, Neighbours neighbours) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.path = tree.path;
        this.heads = tree.heads;
        this.neighbours = neighbours;
    }

    /** Makes a leaf the root of an empty tree; false if there is no memory. */
    boolean plant(boolean reserved) {
        long leaf = nodes.allocate(reserved);
        if (leaf == 0) {
            return false;
        }
        nodes.clear(leaf, 0);
        tree.root(leaf, 0);
        return true;
    }

    /**
     * Makes room around place {@code index} of the full leaf that the path ends at. The caller has to look for the
     * record's place again.
     *
     * @param record the record that is going to be put there
     * @return false if there is no memory; nothing has changed then
     */
    boolean makeRoom(int index, long record, boolean reserved) {
        if (nodes.isAscending(path.leaf(), index)) {
            return split(index, record, reserved);
        }
        return neighbours.relieve(reserved) || split(Nodes.LEAF_KEYS / 2, record, reserved);
    }

    /**
     * Splits the leaf that the path ends at: the records from {@code index} on go to a new leaf.
     *
     * @param record the record that is going to be put behind all others, if {@code index} is behind them
     * @return false if there is no memory; nothing has changed then
     */
    boolean split(int index, long record, boolean reserved) {
        long leaf = path.leaf();
        if (!takeSpares(nodesNeeded(), reserved)) {
            return false;
        }
        long upper = index < nodes.count(leaf) ? nodes.key(leaf, index) : record;
        long separator = tree.separators.between(nodes.key(leaf, index - 1), upper, reserved);
        if (separator == 0) {
            freeSpares();
            return false;
        }
        addAbove(separator, splitLeaf(leaf, index, separator));
        return true;
    }

    /** Number of new nodes: a leaf, an inner node for each full node right above, and a root if all these are full. */
    private int nodesNeeded() {
        int above = path.depth() - 1;
        while (above >= 0 && nodes.count(path.node(above)) == Nodes.INNER_KEYS) {
            above--;
        }
        return path.depth() - above + (above < 0 ? 1 : 0);
    }

    private boolean takeSpares(int count, boolean reserved) {
        if (count > spares.length) {
            spares = Arrays.copyOf(spares, 2 * count);
        }
        while (spareCount < count) {
            long node = nodes.allocate(reserved);
            if (node == 0) {
                freeSpares();
                return false;
            }
            spares[spareCount++] = (int) node;
        }
        return true;
    }

    private void freeSpares() {
        while (spareCount > 0) {
            nodes.free(popSpare());
        }
    }

    private long popSpare() {
        return Integer.toUnsignedLong(spares[--spareCount]);
    }

    private long splitLeaf(long leaf, int index, long separator) {
        long right = popSpare();
        nodes.clear(right, 0);
        int moved = nodes.count(leaf) - index;
        long bytes = tree.slotBytes(leaf, index, index + moved);
        nodes.move(leaf, index, right, 0, moved);
        nodes.setCount(leaf, index);
        nodes.setCount(right, moved);
        tree.moveLoad(leaf, right, moved, bytes);
        nodes.link(right, nodes.next(leaf));
        nodes.link(leaf, right);
        keepHeads(leaf, right, moved);
        heads.narrow(leaf, path.lowerFence(path.depth()), separator);
        heads.narrow(right, separator, path.upperFence(path.depth()));
        return right;
    }

    /** Lets the heads of the new node leave out the same prefix. A node without keys has no prefix. */
    private void keepHeads(long node, long right, int moved) {
        if (moved > 0) {
            nodes.setPrefix(right, nodes.prefix(node));
            nodes.setVerified(right, nodes.isVerified(node));
        }
    }

    /** Puts a new node, and the separator before it, into the parent of the leaf. Splits full nodes above. */
    private void addAbove(long separator, long node) {
        long key = separator;
        long child = node;
        for (int at = path.depth() - 1; at >= 0; at--) {
            long inner = path.node(at);
            int index = path.child(at);
            long lower = path.lowerFence(at);
            long upper = path.upperFence(at);
            if (nodes.count(inner) < Nodes.INNER_KEYS) {
                add(inner, index, key, child, lower, upper);
                return;
            }
            int middle = index == Nodes.INNER_KEYS ? Nodes.INNER_KEYS - 1 : Nodes.INNER_KEYS / 2;
            long above = nodes.key(inner, middle);
            long right = splitInner(inner, middle);
            if (index <= middle) {
                add(inner, index, key, child, lower, above);
            } else {
                add(right, index - middle - 1, key, child, above, upper);
            }
            countRight(inner, right);
            heads.narrow(inner, lower, above);
            heads.narrow(right, above, upper);
            key = above;
            child = right;
        }
        addRoot(key, child);
    }

    private void add(long inner, int index, long key, long child, long lowerFence, long upperFence) {
        nodes.open(inner, index, 1);
        nodes.setKey(inner, index, key);
        nodes.setChild(inner, index + 1, child);
        if (heads.make(inner, index)) {
            heads.fit(inner, lowerFence, upperFence);
        }
    }

    /**
     * Moves the entries behind {@code middle} to a new node. The separator at {@code middle} is between the two nodes.
     */
    private long splitInner(long inner, int middle) {
        long right = popSpare();
        nodes.clear(right, nodes.level(inner));
        int moved = nodes.count(inner) - middle - 1;
        nodes.setChild(right, 0, nodes.child(inner, middle + 1));
        nodes.move(inner, middle + 1, right, 0, moved);
        nodes.setCount(right, moved);
        nodes.setCount(inner, middle);
        keepHeads(inner, right, moved);
        return right;
    }

    private void countRight(long inner, long right) {
        int count = nodes.count(right);
        long records = 0;
        long bytes = 0;
        for (int i = 0; i <= count; i++) {
            records += nodes.records(nodes.child(right, i));
            bytes += nodes.bytes(nodes.child(right, i));
        }
        tree.moveLoad(inner, right, records, bytes);
    }

    private void addRoot(long key, long child) {
        long left = tree.root();
        long root = popSpare();
        nodes.clear(root, tree.height() + 1);
        nodes.setChild(root, 0, left);
        nodes.addLoad(root, nodes.records(left) + nodes.records(child), nodes.bytes(left) + nodes.bytes(child));
        add(root, 0, key, child, 0, 0);
        tree.root(root, tree.height() + 1);
    }
}
