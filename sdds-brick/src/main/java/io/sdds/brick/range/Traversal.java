package io.sdds.brick.range;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/** Walks over the records of a range, along the leaves, by batches. */
final class Traversal {

    /* A walk first looks for both ends of the range, so that it reads no key on the way. Records lie anywhere in
     * memory. A walk touches all cache lines of a batch of records, and the whole next leaf, before anybody reads the
     * records, so that the memory accesses overlap. The larger a batch is, the less a walk waits for memory. Batches
     * grow as a walk goes on, so that a short walk touches little in vain. */

    private static final int FIRST_BATCH = 16;

    private final Tree tree;
    private final Nodes nodes;
    private final RecordStore store;
    private final SlotSpace slots;

    /** The ends of the range: the leaf and index of the first record, and the leaf and index behind the last record. */
    private long firstLeaf;

    private int firstIndex;
    private long lastLeaf;
    private int endIndex;

    private boolean descending;
    private boolean ended;

    /** The leaf and index of the next record of an ascending walk; of a descending walk, the index behind it. */
    private long leaf;

    private int index;
    private int batchRecords;
    private long touched;

    Traversal(Tree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.store = tree.store;
        this.slots = store.slots();
    }

    /** See {@link RangeBucket#begin}. */
    void begin(KeyRange range, boolean descends) {
        descending = descends;
        batchRecords = FIRST_BATCH;
        ended = tree.isEmpty() || range.isEmpty();
        if (ended) {
            return;
        }
        find(range);
        leaf = descends ? lastLeaf : firstLeaf;
        index = descends ? endIndex : firstIndex;
        ended = firstLeaf == lastLeaf && firstIndex >= endIndex;
        touchLeaf(neighbour());
    }

    private void find(KeyRange range) {
        KeyRange.Bound low = range.low;
        firstLeaf = low.present ? tree.descend(low.key, low.offset, low.length) : tree.descendToFirst();
        firstIndex = low.present ? index(firstLeaf, low, !low.inclusive) : 0;
        KeyRange.Bound high = range.high;
        lastLeaf = high.present ? tree.descend(high.key, high.offset, high.length) : tree.descendToLast();
        endIndex = high.present ? index(lastLeaf, high, high.inclusive) : nodes.count(lastLeaf);
    }

    /** Number of records of the leaf that are below the bound, or at it. */
    private int index(long ofLeaf, KeyRange.Bound bound, boolean countEqual) {
        int sought = tree.seek(ofLeaf, bound.key, bound.offset, bound.length);
        return Search.index(sought) + (countEqual && Search.isFound(sought) ? 1 : 0);
    }

    /** See {@link RangeBucket#next}, without regard to expired records. */
    boolean next(RecordBatch batch, int recordsMax) {
        batch.clear();
        int wanted = Math.min(batchRecords, recordsMax);
        batchRecords = Math.min(2 * batchRecords, RecordBatch.RECORDS_MAX);
        while (!ended && batch.size() < wanted) {
            int from = batch.size();
            if (descending) {
                takeDown(batch, wanted - from);
            } else {
                takeUp(batch, wanted - from);
            }
            touched += store.touch(batch, from);
        }
        return !ended;
    }

    private void takeUp(RecordBatch batch, int most) {
        MemorySegment chunk = slots.segment(leaf);
        long at = slots.offset(leaf);
        int leafEnd = leaf == lastLeaf ? endIndex : nodes.count(leaf);
        int end = Math.min(leafEnd, index + most);
        for (; index < end; index++) {
            batch.add(Nodes.leafKey(chunk, at, index));
        }
        if (index >= leafEnd) {
            goOn();
        }
    }

    private void takeDown(RecordBatch batch, int most) {
        MemorySegment chunk = slots.segment(leaf);
        long at = slots.offset(leaf);
        int leafStart = leaf == firstLeaf ? firstIndex : 0;
        int start = Math.max(leafStart, index - most);
        while (index > start) {
            batch.add(Nodes.leafKey(chunk, at, --index));
        }
        if (index <= leafStart) {
            goOn();
        }
    }

    /** Goes on to the next leaf of the walk, which has been touched, and touches the leaf behind it. */
    private void goOn() {
        long next = neighbour();
        ended = next == 0;
        if (!ended) {
            leaf = next;
            index = descending ? nodes.count(next) : 0;
            touchLeaf(neighbour());
        }
    }

    /** The next leaf of the walk; 0 behind the last one. */
    private long neighbour() {
        if (descending) {
            return leaf == firstLeaf ? 0 : nodes.previous(leaf);
        }
        return leaf == lastLeaf ? 0 : nodes.next(leaf);
    }

    private void touchLeaf(long next) {
        if (next != 0) {
            touched += tree.search.touch(next);
        }
    }

    /** A value that depends on all touched bytes, so that the touches are not optimised away. */
    long touched() {
        return touched;
    }
}
