package io.sdds.brick.range;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/**
 * Moves nodes and records of the tree out of the chunks of memory that are being evacuated. A step works on one leaf,
 * in key order, and on the inner nodes of which this is the first leaf. A round looks at each record once.
 */
final class TreeEvacuation {

    /** Bytes of moved records after which a step ends. The next step goes on with the same leaf. */
    private static final long BYTES_PER_STEP = 16 << 10;

    /** Numbers of records looked at, of records moved and of bytes moved, each of which is a unit of work. */
    private static final int LOOKED_PER_UNIT = 16;

    private static final int MOVED_PER_UNIT = 4;
    private static final int BYTES_PER_UNIT = 4 << 10;

    private final Tree tree;
    private final Nodes nodes;
    private final Path path;
    private final RecordStore store;
    private final SlotSpace slots;
    private int round;
    private boolean walking;
    private int movedRecords;
    private long movedBytes;

    /** The next leaf begins at this key or above it. The cursor is empty at the beginning of a walk. */
    private byte[] cursor = new byte[64];

    private MemorySegment cursorSegment = MemorySegment.ofArray(cursor);
    private int cursorLength;

    TreeEvacuation(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.path = tree.path;
        this.store = tree.store;
        this.slots = store.slots();
        this.round = slots.evacuationRound();
    }

    /**
     * Works on one leaf, or chooses the chunks to evacuate.
     *
     * @return units of work done; 0 if there was nothing to do
     */
    int step() {
        if (!walking) {
            if (round == slots.evacuationRound()) {
                return slots.planEvacuation() ? 1 : 0;
            }
            round = slots.evacuationRound();
            cursorLength = 0;
        }
        movedRecords = 0;
        movedBytes = 0;
        walking = !tree.isEmpty() && relocateLeaf();
        return 1
                + Nodes.LEAF_KEYS / LOOKED_PER_UNIT
                + movedRecords / MOVED_PER_UNIT
                + (int) (movedBytes / BYTES_PER_UNIT);
    }

    /** Works on one leaf; returns whether more leaves follow. */
    private boolean relocateLeaf() {
        long leaf = cursorLength == 0 ? tree.descendToFirst() : tree.descend(cursorSegment, 0, cursorLength);
        relocateNodes();
        leaf = path.leaf();
        if (!relocateRecords(leaf)) {
            return true;
        }
        long fence = path.upperFence(path.depth());
        if (fence == 0) {
            return false;
        }
        keepCursor(fence);
        return true;
    }

    private void keepCursor(long separator) {
        cursorLength = store.keyLength(separator);
        if (cursorLength > cursor.length) {
            cursor = new byte[cursorLength];
            cursorSegment = MemorySegment.ofArray(cursor);
        }
        MemorySegment.copy(store.segment(separator), store.keyOffset(separator), cursorSegment, 0, cursorLength);
    }

    /**
     * Moves the nodes of the path, from the root down, and the separators of the nodes that the path enters by their
     * first child.
     */
    private void relocateNodes() {
        boolean first = true;
        for (int at = path.depth(); at >= 0; at--) {
            long node = at == path.depth() ? path.leaf() : path.node(at);
            if (slots.isEvacuating(node)) {
                node = relocateNode(at, node);
            }
            if (at < path.depth()) {
                first &= path.child(at) == 0;
                relocateSeparators(node, first);
            }
        }
    }

    private long relocateNode(int at, long node) {
        long to = nodes.relocate(node);
        if (to == node) {
            return node;
        }
        if (at == 0) {
            tree.rootRelocated(to);
        } else {
            nodes.setChild(path.node(at - 1), path.child(at - 1), to);
        }
        if (at == path.depth()) {
            nodes.link(nodes.previous(to), to);
            nodes.link(to, nodes.next(to));
        }
        path.relocated(at, to);
        return to;
    }

    private void relocateSeparators(long node, boolean wanted) {
        int count = wanted ? nodes.count(node) : 0;
        for (int i = 0; i < count; i++) {
            long separator = nodes.key(node, i);
            if (slots.isEvacuating(separator)) {
                nodes.setKey(node, i, slots.relocate(separator));
            }
        }
    }

    /** Moves records of a leaf; returns whether all records of the leaf have been looked at. */
    private boolean relocateRecords(long leaf) {
        int count = nodes.count(leaf);
        for (int i = 0; i < count; i++) {
            long record = nodes.key(leaf, i);
            if (slots.isEvacuating(record)) {
                if (movedBytes >= BYTES_PER_STEP) {
                    return false;
                }
                relocateRecord(leaf, i, record);
            }
        }
        return true;
    }

    private void relocateRecord(long leaf, int index, long record) {
        long to = tree.records.relocate(record);
        if (to != record) {
            nodes.setKey(leaf, index, to);
            movedRecords++;
            movedBytes += slots.slotBytes(to);
        }
    }
}
