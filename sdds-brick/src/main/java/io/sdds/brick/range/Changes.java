package io.sdds.brick.range;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.bucket.RankedRecords;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;

/** Puts records into a tree and removes records from the tree. */
final class Changes {

    /**
     * Number of places before the end of the last leaf that count as its end, because several writers of ascending keys
     * may overtake one another.
     */
    private static final int NEAR_END = 16;

    private static final int ASCENDING_MAX = 64;
    private static final int ASCENDING_FALL = 8;

    private final RecordStore store;
    private final RankedRecords records;
    private final Tree tree;
    private final Nodes nodes;
    private final Path path;
    private final Heads heads;
    private final Neighbours neighbours;
    private final LeafGrowth growth;

    /** A counter that rises with each insert near the end, and falls faster with each insert elsewhere. */
    private int ascending;

    Changes(Tree tree, Neighbours neighbours) {
        this.store = tree.store;
        this.records = tree.records;
        this.tree = tree;
        this.nodes = tree.nodes;
        this.path = tree.path;
        this.heads = tree.heads;
        this.neighbours = neighbours;
        this.growth = new LeafGrowth(tree, neighbours);
    }

    /** See {@link RangeBucket#put}. */
    PutResult put(
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            boolean reserved) {
        int sought = 0;
        if (!tree.isEmpty()) {
            sought = tree.seek(tree.descend(key, keyOffset, keyLength), key, keyOffset, keyLength);
        }
        int index = Search.index(sought);
        long old = Search.isFound(sought) ? nodes.key(path.leaf(), index) : 0;
        if (old != 0 && records.overwrite(old, value, valueOffset, valueLength, version, expiry, false)) {
            return PutResult.REPLACED;
        }
        records.beforeWrite(old);
        long ref = store.write(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
        if (old == 0) {
            return insert(ref, index, reserved);
        }
        if (ref != 0) {
            replace(index, old, ref);
            return PutResult.REPLACED;
        }
        // Without room for another slot a shorter value can still go into the old one.
        boolean fits = records.overwrite(old, value, valueOffset, valueLength, version, expiry, true);
        return fits ? PutResult.REPLACED : PutResult.FULL;
    }

    private void noteOrder(int index) {
        boolean nearEnd = index >= nodes.count(path.leaf()) - NEAR_END && nodes.next(path.leaf()) == 0;
        ascending = nearEnd ? Math.min(ASCENDING_MAX, ascending + 1) : Math.max(0, ascending - ASCENDING_FALL);
    }

    /** See {@link SplitKeys#isFilledAscending}. */
    boolean isAscending() {
        return ascending > ASCENDING_MAX / 2;
    }

    private void replace(int index, long old, long ref) {
        nodes.setKey(path.leaf(), index, ref);
        path.addLoad(0, store.slotBytes(ref) - store.slotBytes(old));
        records.replaced(old, ref);
    }

    /** Puts a new record (0: there was no memory for it) at its place in the leaf that the path ends at. */
    private PutResult insert(long ref, int index, boolean reserved) {
        if (ref == 0) {
            return PutResult.FULL;
        }
        int at = index;
        if (!tree.isEmpty()) {
            noteOrder(index);
        }
        if (tree.isEmpty()) {
            if (!growth.plant(reserved)) {
                return refuse(ref);
            }
            tree.descendToFirst();
        } else if (nodes.count(path.leaf()) == Nodes.LEAF_KEYS) {
            if (!growth.makeRoom(index, ref, reserved)) {
                return refuse(ref);
            }
            at = seekAgain(ref);
        }
        add(ref, at);
        return PutResult.INSERTED;
    }

    private PutResult refuse(long ref) {
        store.free(ref);
        return PutResult.FULL;
    }

    private int seekAgain(long ref) {
        MemorySegment key = store.segment(ref);
        long keyOffset = store.keyOffset(ref);
        int keyLength = store.keyLength(ref);
        return Search.index(tree.seek(tree.descend(key, keyOffset, keyLength), key, keyOffset, keyLength));
    }

    private void add(long ref, int index) {
        long leaf = path.leaf();
        nodes.open(leaf, index, 1);
        nodes.setKey(leaf, index, ref);
        nodes.noteInsert(leaf, index);
        if (heads.make(leaf, index)) {
            heads.fit(leaf, path.lowerFence(path.depth()), path.upperFence(path.depth()));
        }
        path.addLoad(1, store.slotBytes(ref));
        records.inserted(ref);
    }

    /** Whether the key is above all keys of the tree. If so, the path ends at the last leaf. */
    boolean isAboveAll(MemorySegment key, long keyOffset, int keyLength) {
        if (tree.isEmpty()) {
            return true;
        }
        long leaf = tree.descendToLast();
        long last = nodes.key(leaf, nodes.count(leaf) - 1);
        return store.compareKey(last, key, keyOffset, keyLength, 0) < 0;
    }

    /** Puts a new record (0: there was no memory for it) behind all others; the path ends at the last leaf. */
    PutResult append(long ref, int fillPercent, boolean reserved) {
        if (ref == 0 || tree.isEmpty()) {
            return insert(ref, 0, reserved);
        }
        int count = nodes.count(path.leaf());
        if (count * 100 >= Nodes.LEAF_KEYS * fillPercent) {
            if (!growth.split(count, ref, reserved)) {
                return refuse(ref);
            }
            tree.descendToLast();
            count = 0;
        }
        add(ref, count);
        return PutResult.INSERTED;
    }

    /** See {@link RangeBucket#remove}. */
    boolean remove(MemorySegment key, long keyOffset, int keyLength) {
        if (tree.isEmpty()) {
            return false;
        }
        long leaf = tree.descend(key, keyOffset, keyLength);
        int sought = tree.seek(leaf, key, keyOffset, keyLength);
        if (!Search.isFound(sought)) {
            return false;
        }
        long ref = nodes.key(leaf, Search.index(sought));
        path.addLoad(-1, -store.slotBytes(ref));
        nodes.close(leaf, Search.index(sought), 1);
        records.free(ref);
        if (neighbours.isPoor(leaf)) {
            neighbours.enrich();
        }
        return true;
    }
}
