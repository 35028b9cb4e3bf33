package io.sdds.brick.range;

/**
 * Balances neighbours under one parent. A full leaf gives records to a neighbour that has room. A node that holds too
 * little takes entries from its neighbour, or is merged with it. Merging nodes and balancing inner nodes need no
 * memory.
 */
final class Neighbours {

    /** Least room of a neighbour that is given records, so that the move is worth a new separator. */
    private static final int ROOM_MIN = Nodes.LEAF_KEYS / 8;

    /** Two nodes are merged when the merged node is at most so full, so that the next insert need not split it. */
    private static final int MERGED_EIGHTHS_MAX = 7;

    private final Tree tree;
    private final Nodes nodes;
    private final Path path;
    private final Heads heads;

    Neighbours(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.path = tree.path;
        this.heads = tree.heads;
    }

    /**
     * Moves records from the full leaf that the path ends at to the emptier one of its neighbours.
     *
     * @return false if the neighbours have no room, or there is no memory; nothing has changed then
     */
    boolean relieve(boolean reserved) {
        int above = path.depth() - 1;
        if (above < 0) {
            return false;
        }
        int left = above(above, -1);
        int right = above(above, 1);
        if (Nodes.LEAF_KEYS - Math.min(left, right) < ROOM_MIN) {
            return false;
        }
        int separator = left < right ? path.child(above) - 1 : path.child(above);
        int both = Math.min(left, right) + Nodes.LEAF_KEYS;
        return balanceLeaves(above, separator, both / 2, reserved);
    }

    /** Number of records of the leaf beside the path's leaf; the most that a leaf can have if there is no such leaf. */
    private int above(int above, int side) {
        long parent = path.node(above);
        int child = path.child(above) + side;
        return child < 0 || child > nodes.count(parent) ? Nodes.LEAF_KEYS : nodes.count(nodes.child(parent, child));
    }

    /** Whether a node holds so little that it should be merged with its neighbour or take entries from it. */
    boolean isPoor(long node) {
        return nodes.count(node) < nodes.capacity(node) / 4;
    }

    /** Refills the leaf that the path ends at, and the nodes above it, if they hold too little. */
    void enrich() {
        int at = path.depth();
        while (at > 0 && isPoor(at == path.depth() ? path.leaf() : path.node(at))) {
            enrich(at);
            at--;
        }
        if (at == 0) {
            dropIdleRoot();
        }
    }

    /** Merges the node of the path at a depth with a neighbour, or balances the two nodes. */
    void enrich(int at) {
        long parent = path.node(at - 1);
        int child = path.child(at - 1);
        int separator = child < nodes.count(parent) ? child : child - 1;
        long left = nodes.child(parent, separator);
        long right = nodes.child(parent, separator + 1);
        boolean leaves = nodes.isLeaf(left);
        int both = nodes.count(left) + nodes.count(right);
        boolean empty = nodes.count(left) == 0 || nodes.count(right) == 0;
        if (both + (leaves ? 0 : 1) <= nodes.capacity(left) / 8 * MERGED_EIGHTHS_MAX || leaves && empty) {
            merge(at - 1, separator, left, right);
        } else if (leaves) {
            // Without memory for another separator the leaf stays as it is.
            balanceLeaves(at - 1, separator, both / 2, true);
        } else {
            balanceInner(at - 1, separator, both / 2);
        }
    }

    /** Drops a root that has no records, or only one child. */
    void dropIdleRoot() {
        while (!tree.isEmpty() && nodes.count(tree.root()) == 0) {
            long root = tree.root();
            boolean leaf = nodes.isLeaf(root);
            tree.root(leaf ? 0 : nodes.child(root, 0), leaf ? 0 : tree.height() - 1);
            nodes.free(root);
        }
    }

    /** The separator before the left one of two neighbours, 0 if there is none. */
    private long lowerFence(int above, int separator) {
        return separator > 0 ? nodes.key(path.node(above), separator - 1) : path.lowerFence(above);
    }

    /** The separator behind the right one of two neighbours, 0 if there is none. */
    private long upperFence(int above, int separator) {
        long parent = path.node(above);
        return separator + 1 < nodes.count(parent) ? nodes.key(parent, separator + 1) : path.upperFence(above);
    }

    private void merge(int above, int separator, long left, long right) {
        long parent = path.node(above);
        long between = nodes.key(parent, separator);
        long lower = lowerFence(above, separator);
        long upper = upperFence(above, separator);
        int leftCount = nodes.count(left);
        int rightCount = nodes.count(right);
        boolean leaves = nodes.isLeaf(left);
        boolean sameHeads = leaves && leftCount > 0 && nodes.prefix(left) == nodes.prefix(right);
        int start = leaves ? leftCount : leftCount + 1;
        nodes.setCount(left, start + rightCount);
        nodes.move(right, 0, left, start, rightCount);
        if (leaves) {
            nodes.link(left, nodes.next(right));
        } else {
            nodes.setKey(left, leftCount, between);
            nodes.setChild(left, start, nodes.child(right, 0));
        }
        nodes.addLoad(left, nodes.records(right), nodes.bytes(right));
        nodes.free(right);
        nodes.close(parent, separator, 1);
        if (leaves) {
            tree.separators.free(between);
        }
        if (nodes.count(left) > 0) {
            heads.settle(left, sameHeads, lower, upper);
        }
    }

    /** Moves records so that the left one of two leaves has {@code leftCount}; false if there is no memory. */
    private boolean balanceLeaves(int above, int separator, int leftCount, boolean reserved) {
        long parent = path.node(above);
        long left = nodes.child(parent, separator);
        long right = nodes.child(parent, separator + 1);
        int moved = nodes.count(left) - leftCount;
        long last = moved >= 0 ? nodes.key(left, leftCount - 1) : nodes.key(right, -moved - 1);
        long first = moved > 0 ? nodes.key(left, leftCount) : nodes.key(right, Math.max(0, -moved));
        long between = tree.separators.between(last, first, reserved);
        if (between == 0) {
            return false;
        }
        boolean sameHeads = nodes.prefix(left) == nodes.prefix(right);
        moveRecords(left, right, leftCount);
        heads.settle(left, sameHeads || moved > 0, lowerFence(above, separator), between);
        heads.settle(right, sameHeads || moved <= 0, between, upperFence(above, separator));
        tree.separators.free(nodes.key(parent, separator));
        setSeparator(above, separator, between);
        return true;
    }

    private void moveRecords(long left, long right, int leftCount) {
        int before = nodes.count(left);
        int moved = before - leftCount;
        if (moved > 0) {
            tree.moveLoad(left, right, moved, tree.slotBytes(left, leftCount, before));
            nodes.open(right, 0, moved);
            nodes.move(left, leftCount, right, 0, moved);
            nodes.setCount(left, leftCount);
        } else {
            tree.moveLoad(right, left, -moved, tree.slotBytes(right, 0, -moved));
            nodes.setCount(left, leftCount);
            nodes.move(right, 0, left, before, -moved);
            nodes.close(right, 0, -moved);
        }
    }

    private void setSeparator(int above, int separator, long key) {
        long parent = path.node(above);
        nodes.setKey(parent, separator, key);
        if (heads.make(parent, separator)) {
            heads.fit(parent, path.lowerFence(above), path.upperFence(above));
        }
    }

    /**
     * Moves separators and children through the parent so that the left one of two inner nodes has {@code leftCount}.
     */
    private void balanceInner(int above, int separator, int leftCount) {
        long parent = path.node(above);
        long left = nodes.child(parent, separator);
        long right = nodes.child(parent, separator + 1);
        long between = nodes.key(parent, separator);
        long moving = nodes.count(left) - leftCount;
        long up = moving > 0
                ? moveRight(left, right, between, (int) moving)
                : moveLeft(left, right, between, (int) -moving);
        heads.renew(left, lowerFence(above, separator), up);
        heads.renew(right, up, upperFence(above, separator));
        setSeparator(above, separator, up);
    }

    /** Moves entries to the right node; returns the separator that is then between the two nodes. */
    private long moveRight(long left, long right, long between, int moved) {
        int kept = nodes.count(left) - moved;
        long up = nodes.key(left, kept);
        long firstChild = nodes.child(right, 0);
        nodes.open(right, 0, moved);
        nodes.move(left, kept + 1, right, 0, moved - 1);
        nodes.setKey(right, moved - 1, between);
        nodes.setChild(right, moved, firstChild);
        nodes.setChild(right, 0, nodes.child(left, kept + 1));
        nodes.setCount(left, kept);
        moveChildrenLoad(left, right, right, 0, moved);
        return up;
    }

    private long moveLeft(long left, long right, long between, int moved) {
        int before = nodes.count(left);
        long up = nodes.key(right, moved - 1);
        nodes.setCount(left, before + moved);
        nodes.setKey(left, before, between);
        nodes.setChild(left, before + 1, nodes.child(right, 0));
        nodes.move(right, 0, left, before + 1, moved - 1);
        nodes.setChild(right, 0, nodes.child(right, moved));
        nodes.close(right, 0, moved);
        moveChildrenLoad(right, left, left, before + 1, moved);
        return up;
    }

    /** Counts {@code moved} children, from {@code first} on of {@code holder}, as having moved. */
    private void moveChildrenLoad(long from, long to, long holder, int first, int moved) {
        for (int i = first; i < first + moved; i++) {
            long child = nodes.child(holder, i);
            tree.moveLoad(from, to, nodes.records(child), nodes.bytes(child));
        }
    }
}
