package io.sdds.brick.range;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.ExpiryTimes;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;

/**
 * The bucket of one range partition: its records in key order, unsigned and lexicographic, found through a B+-tree with
 * linked leaves. After A. W. Diène, W. Litwin, "Performance Measurements of RP*: A Scalable Distributed Data Structure
 * for Range Partitioning" (2000), section 2, whose tree has three levels and gives no memory back; this one has as many
 * as it needs, and does.
 *
 * <p>Records are named by references into the {@link RecordStore}; a reference found is valid until the bucket is next
 * changed or maintained.
 *
 * <p>One thread. No method blocks or takes longer than a few nodes on one way through the tree need, unless it says so.
 */
public final class RangeBucket implements Bucket {

    /* A node is 1 KiB: heads of keys and references, see Nodes. An inner node's keys are separators of its own,
     * shortened (Separators); eight bytes of each key, behind what all keys of the node have in common, stand in the
     * node itself (Heads), so that a search reads no key but the one it ends at. To find a record among a million costs
     * two waits for memory: one for its leaf, whose lines are loaded together, and one for the record.
     *
     * Memory beyond key and value: 14 bytes of header, 3.5 of rounding on average, about 15 of leaves, less than 1 of
     * what is above them.
     *
     * Every node counts the records below it and their bytes, so that the median and the number of records in a range
     * cost one way down. What takes memory takes all of it before it changes anything; what must not fail (a remove, a
     * cut) takes none. */

    private static final int FILL_PERCENT_MIN = 50;
    private static final int FILL_PERCENT_MAX = 100;

    private final RecordStore store;
    private final Tree tree;
    private final Nodes nodes;
    private final RecentLeaves recent;
    private final Changes changes;
    private final Ranks ranks;
    private final SplitKeys splitKeys;
    private final Traversal traversal;
    private final Disposal disposal;
    private final Cut cut;
    private final Defragmentation defragmentation;
    private final ExpiryTimes expiries;
    private final Sweep sweep;
    private boolean released;

    /** Bytes of the longest key that was ever put. */
    private int longestKey;

    /**
     * An empty bucket, holding no off-heap memory.
     *
     * @param store of the stage
     */
    public RangeBucket(RecordStore store) {
        this.store = store;
        this.tree = new Tree(store);
        this.nodes = tree.nodes;
        this.recent = new RecentLeaves(tree);
        Neighbours neighbours = new Neighbours(tree);
        this.changes = new Changes(tree, neighbours);
        this.ranks = new Ranks(tree);
        this.splitKeys = new SplitKeys(tree, ranks, changes);
        this.traversal = new Traversal(tree);
        this.disposal = new Disposal(tree);
        this.cut = new Cut(tree, neighbours, disposal);
        this.defragmentation = new Defragmentation(tree);
        this.expiries = new ExpiryTimes(store);
        this.sweep = new Sweep(tree, changes, expiries);
    }

    @Override
    public long records() {
        return tree.isEmpty() ? 0 : nodes.records(tree.root());
    }

    @Override
    public long bytes() {
        return tree.isEmpty() ? 0 : nodes.bytes(tree.root());
    }

    /** The stage's, in which its records are. */
    public RecordStore store() {
        return store;
    }

    /** Bytes of nodes and separators, those of a dropped part not yet freed included. */
    public long indexBytes() {
        return tree.indexBytes();
    }

    @Override
    public long find(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long ref = recent.find(hash, key, keyOffset, keyLength);
        if (ref == 0) {
            return find(key, keyOffset, keyLength);
        }
        return expiries.hasExpired(ref) ? 0 : ref;
    }

    /**
     * The record with a key.
     *
     * @return its reference, or 0 if there is none or it has expired
     */
    public long find(MemorySegment key, long keyOffset, int keyLength) {
        return findIn(touchLeaf(key, keyOffset, keyLength), key, keyOffset, keyLength);
    }

    /**
     * Loads the leaf that a search for the key ends at. To be done for all keys of a batch before {@link #touchRecord},
     * so that the memory accesses overlap.
     *
     * @return the leaf, to be given to {@link #touchRecord} and {@link #findIn} before the bucket is changed or
     *     maintained; 0 if there is none
     */
    public long touchLeaf(MemorySegment key, long keyOffset, int keyLength) {
        return tree.isEmpty() ? 0 : tree.descend(key, keyOffset, keyLength);
    }

    /**
     * Loads the beginning of the record that is most likely the one with this key. To be done for all keys of a batch
     * before they are looked up.
     *
     * @param leaf what {@link #touchLeaf} answered
     * @return a number to be consumed, so that the access isn't optimised away
     */
    public int touchRecord(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        int index = candidate(leaf, key, keyOffset, keyLength);
        return index < 0 ? 0 : store.touch(nodes.key(leaf, index));
    }

    private int candidate(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        return leaf == 0 ? -1 : tree.search.candidate(leaf, key, keyOffset, keyLength);
    }

    @Override
    public long touchIndex(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long leaf = touchLeaf(key, keyOffset, keyLength);
        recent.note(hash, leaf);
        return leaf;
    }

    @Override
    public int touchRecord(long leaf, long hash, MemorySegment key, long keyOffset, int keyLength) {
        int index = candidate(leaf, key, keyOffset, keyLength);
        if (index < 0) {
            return 0;
        }
        recent.noteIndex(hash, index);
        return store.touch(nodes.key(leaf, index));
    }

    /**
     * As {@link #find}, without the way down.
     *
     * @param leaf what {@link #touchLeaf} answered
     */
    public long findIn(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        if (leaf == 0) {
            return 0;
        }
        int sought = tree.seek(leaf, key, keyOffset, keyLength);
        long ref = Search.isFound(sought) ? nodes.key(leaf, Search.index(sought)) : 0;
        return ref == 0 || expiries.hasExpired(ref) ? 0 : ref;
    }

    @Override
    public long timeNanos() {
        return expiries.timeNanos();
    }

    @Override
    public void timeNanos(long nanos) {
        expiries.timeNanos(nanos);
    }

    @Override
    public boolean mayExpire() {
        return expiries.any();
    }

    @Override
    public boolean mayHoldExpired() {
        return expiries.anyExpired();
    }

    @Override
    public PutResult put(
            long hash,
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            boolean reserved) {
        checkNotReleased();
        expiries.has(expiry);
        long old = recent.find(hash, key, keyOffset, keyLength);
        return old != 0 && store.overwrite(old, value, valueOffset, valueLength, version, expiry, false)
                ? PutResult.REPLACED
                : changes.put(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
    }

    /** As the other {@code put}, of a record that doesn't expire. */
    public PutResult put(
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            boolean reserved) {
        return put(
                key, keyOffset, keyLength, value, valueOffset, valueLength, version, RecordStore.NO_EXPIRY, reserved);
    }

    /**
     * Inserts a record, or replaces the value, version and expiry of the one with this key; in place if the slot is of
     * the right size. A value no longer than the old one, with an expiry if that had one, is never refused.
     *
     * @param expiry in the table's logical time, or {@link RecordStore#NO_EXPIRY}
     * @param reserved whether the last 5 % of the memory may be used
     * @throws IllegalArgumentException if key or value are longer than allowed, or the key is empty
     * @throws IllegalStateException if the bucket has been released
     */
    public PutResult put(
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            boolean reserved) {
        checkNotReleased();
        expiries.has(expiry);
        longestKey = Math.max(longestKey, keyLength);
        return changes.put(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
    }

    /**
     * As {@link #put}, for records that come in ascending order: does no search while each key is above all keys held,
     * and fills leaves to a percentage, so that records arriving later find room. With a lower key it is a put.
     *
     * @param fillPercent of a leaf's room, from 50 to 100
     */
    public PutResult append(
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            int fillPercent,
            boolean reserved) {
        checkNotReleased();
        if (fillPercent < FILL_PERCENT_MIN || fillPercent > FILL_PERCENT_MAX) {
            throw new IllegalArgumentException("fillPercent must be in 50..100: " + fillPercent);
        }
        expiries.has(expiry);
        longestKey = Math.max(longestKey, keyLength);
        if (!changes.isAboveAll(key, keyOffset, keyLength)) {
            return changes.put(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
        }
        long ref = store.write(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
        return changes.append(ref, fillPercent, reserved);
    }

    @Override
    public int indexSlotBytes() {
        return Nodes.BYTES;
    }

    /**
     * Each may split one node of each level, and a root that is split gets another one above it. Then there is one
     * level more; but the new root has room for many separators, so that only one of many puts that follow can split
     * that, too. The first put into an empty bucket takes a leaf.
     */
    @Override
    public int indexSlots(int puts) {
        return puts * (tree.height() + 2);
    }

    /** To put one leaf right takes one separator, which is a part of a key on either side. */
    @Override
    public int keptKeyBytes(int keyLength) {
        return Math.max(longestKey, keyLength);
    }

    private void checkNotReleased() {
        if (released) {
            throw new IllegalStateException("bucket has been released");
        }
    }

    @Override
    public boolean remove(long hash, MemorySegment key, long keyOffset, int keyLength) {
        return remove(key, keyOffset, keyLength);
    }

    /**
     * Removes the record with a key. Needs no memory.
     *
     * @return whether there was one that had not expired
     * @throws IllegalStateException if the bucket has been released
     */
    public boolean remove(MemorySegment key, long keyOffset, int keyLength) {
        checkNotReleased();
        boolean present = !expiries.anyExpired() || find(key, keyOffset, keyLength) != 0;
        return changes.remove(key, keyOffset, keyLength) && present;
    }

    /**
     * The record with the lowest key, 0 if there is none. As the five that follow, it doesn't ask whether a record has
     * expired.
     */
    public long first() {
        return tree.isEmpty() ? 0 : nodes.key(tree.descendToFirst(), 0);
    }

    /** The record with the highest key, 0 if there is none. */
    public long last() {
        return tree.isEmpty() ? 0 : atOrBeside(tree.descendToLast(), nodes.count(tree.path.leaf()) - 1);
    }

    /** The record with the highest key that isn't above this one, 0 if there is none. */
    public long floor(MemorySegment key, long keyOffset, int keyLength) {
        int sought = seek(key, keyOffset, keyLength);
        return beside(Search.isFound(sought) ? Search.index(sought) : Search.index(sought) - 1);
    }

    /** The record with the lowest key that isn't below this one, 0 if there is none. */
    public long ceiling(MemorySegment key, long keyOffset, int keyLength) {
        return beside(Search.index(seek(key, keyOffset, keyLength)));
    }

    /** The record with the highest key below this one, 0 if there is none. */
    public long lower(MemorySegment key, long keyOffset, int keyLength) {
        return beside(Search.index(seek(key, keyOffset, keyLength)) - 1);
    }

    /** The record with the lowest key above this one, 0 if there is none. */
    public long higher(MemorySegment key, long keyOffset, int keyLength) {
        int sought = seek(key, keyOffset, keyLength);
        return beside(Search.index(sought) + (Search.isFound(sought) ? 1 : 0));
    }

    private int seek(MemorySegment key, long keyOffset, int keyLength) {
        return tree.isEmpty() ? 0 : tree.seek(tree.descend(key, keyOffset, keyLength), key, keyOffset, keyLength);
    }

    private long beside(int index) {
        return tree.isEmpty() ? 0 : atOrBeside(tree.path.leaf(), index);
    }

    /**
     * The record at an index of a leaf; at -1 the last one of the leaf before, at its count the first one of the next.
     */
    private long atOrBeside(long leaf, int index) {
        if (index < 0) {
            long previous = nodes.previous(leaf);
            return previous == 0 ? 0 : nodes.key(previous, nodes.count(previous) - 1);
        }
        if (index < nodes.count(leaf)) {
            return nodes.key(leaf, index);
        }
        long next = nodes.next(leaf);
        return next == 0 ? 0 : nodes.key(next, 0);
    }

    /**
     * Visits the records of a range that have not expired in ascending order, until there are no more or the visitor
     * has enough. A walk over many steps goes on behind the last key of the step before; it sees each record that is
     * there throughout exactly once, however the bucket changes between steps.
     *
     * @return whether the end of the range was reached
     */
    public boolean ascend(KeyRange range, RangeVisitor visitor) {
        return traversal.ascend(range, unexpired(visitor));
    }

    /** As {@link #ascend}, in descending order. */
    public boolean descend(KeyRange range, RangeVisitor visitor) {
        return traversal.descend(range, unexpired(visitor));
    }

    private RangeVisitor unexpired(RangeVisitor visitor) {
        return expiries.anyExpired() ? ref -> expiries.hasExpired(ref) || visitor.visit(ref) : visitor;
    }

    /**
     * Records in a range, those included that have expired and are not yet swept. Costs two ways down, however many
     * there are.
     */
    public long count(KeyRange range) {
        return ranks.count(range);
    }

    /** The keys at which an RP* split may divide the records. */
    public SplitKeys splitKeys() {
        return splitKeys;
    }

    /** Records above a key: what {@link #dropAbove} would take away. */
    public long recordsAbove(MemorySegment key, long keyOffset, int keyLength) {
        ranks.countBelow(key, keyOffset, keyLength, true);
        return records() - ranks.records();
    }

    /** As {@link #bytes}, of the records above a key. */
    public long bytesAbove(MemorySegment key, long keyOffset, int keyLength) {
        ranks.countBelow(key, keyOffset, keyLength, true);
        return bytes() - ranks.bytes();
    }

    /**
     * The end of an RP* split: records above this key are no longer there. Needs no memory. {@link #records} and
     * {@link #bytes} are right at once; memory comes back as {@link #maintain} is called.
     *
     * @throws IllegalStateException if the bucket has been released
     */
    public void dropAbove(MemorySegment key, long keyOffset, int keyLength) {
        checkNotReleased();
        cut.dropAbove(key, keyOffset, keyLength);
    }

    /**
     * Goes on with the sweep that frees the records that have expired, or begins one if there may be such records;
     * without them does nothing. References found before are void.
     *
     * @param leaves most leaves to look at
     * @return whether so many had expired that going on at once pays
     */
    public boolean sweep(int leaves) {
        return !released && sweep.run(leaves);
    }

    @Override
    public void release() {
        if (!tree.isEmpty()) {
            disposal.add(tree.root());
            tree.root(0, 0);
        }
        released = true;
        expiries.clear();
    }

    @Override
    public boolean maintain(int workUnits) {
        int left = workUnits;
        while (left > 0) {
            int done = disposal.step();
            if (done == 0) {
                done = defragmentation.step();
            }
            if (done == 0) {
                return false;
            }
            left -= done;
        }
        return true;
    }

    /** The tree, for the checks of tests. */
    Tree tree() {
        return tree;
    }
}
