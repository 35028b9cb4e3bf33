package io.sdds.brick.range;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/**
 * Moves what the tree holds out of the chunks of memory that are to be emptied. One leaf at a time, in key order, with
 * the nodes above it when it is their first; each record is looked at once a round.
 */
final class Defragmentation {

    /** Bytes of records moved after which a step ends; the next one goes on with the same leaf. */
    private static final long BYTES_PER_STEP = 16 << 10;

    /** So many records looked at, so many of them moved, and so many bytes of these are a unit of work each. */
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

    /** The key that the next leaf begins with at the earliest; none at the beginning of a walk. */
    private byte[] cursor = new byte[64];

    private MemorySegment cursorSegment = MemorySegment.ofArray(cursor);
    private int cursorLength;

    Defragmentation(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.path = tree.path;
        this.store = tree.store;
        this.slots = store.slots();
        this.round = slots.evacuationRound();
    }

    /**
     * Works on one leaf, or on the choice of the chunks to be emptied; answers the units of work that this was, 0:
     * there was nothing to do.
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

    /** Says whether there is more to walk. */
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
     * The nodes of the path, from the root down, and the separators of those that the path enters by their first child.
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

    /** Says whether all of them have been looked at. */
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
        long to = slots.relocate(record);
        if (to != record) {
            nodes.setKey(leaf, index, to);
            movedRecords++;
            movedBytes += slots.slotBytes(to);
        }
    }
}
