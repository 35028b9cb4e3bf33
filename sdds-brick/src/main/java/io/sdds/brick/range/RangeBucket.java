package io.sdds.brick.range;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.ExpiryTimes;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.bucket.RankVisitor;
import io.sdds.brick.bucket.RankedRecords;
import io.sdds.brick.bucket.RecordRanks;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;

/**
 * The bucket of one range partition. It holds the records in key order (unsigned, lexicographic) in a B+-tree with
 * linked leaves. After A. W. Diène, W. Litwin, "Performance Measurements of RP*: A Scalable Distributed Data Structure
 * for Range Partitioning" (2000), section 2. The tree of the paper has three levels and gives no memory back; this tree
 * has as many levels as it needs, and gives memory back.
 *
 * <p>Records are named by references into the {@link RecordStore}. A returned reference is valid until the bucket is
 * next changed or maintained.
 *
 * <p>One thread uses a bucket. No method blocks, or visits more than a few nodes on one way through the tree, unless
 * its description says so.
 */
public final class RangeBucket implements Bucket {

    /* A node has 1 KiB and holds heads of keys and references (Nodes). The keys of an inner node are shortened
     * separators (Separators). A head is eight bytes of a key behind the prefix that all keys of the node share
     * (Heads). So a search reads only the key at which it ends. To find one record among a million costs two waits
     * for memory: one for the leaf, whose cache lines are loaded together, and one for the record.
     *
     * Memory beyond key and value: 14 bytes of header, 3.5 of rounding on average, about 15 of leaves, less than 1
     * of inner nodes.
     *
     * Every node counts the records below it and their bytes, so that the median and the number of records in a
     * range cost one way down the tree. An operation that needs memory takes all of it before it changes anything.
     * An operation that must not fail (a remove, a cut) needs no memory. */

    private static final int FILL_PERCENT_MIN = 50;
    private static final int FILL_PERCENT_MAX = 100;

    private final RecordStore store;
    private final Tree tree;
    private final Nodes nodes;
    private final RecentLeaves recent;
    private final RankedRecords rankedRecords;
    private final Changes changes;
    private final Ranks order;
    private final SplitKeys splitKeys;
    private final NearestRecords nearest;
    private final Traversal traversal;
    private final RecordBatch visited = new RecordBatch();
    private final SubtreeReclaimer reclaimer;
    private final Cut cut;
    private final TreeEvacuation evacuation;
    private final ExpiryTimes expiries;
    private final ExpirySweep sweep;
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
        this.rankedRecords = new RankedRecords(store, new RankIndex());
        this.tree = new Tree(store, rankedRecords);
        this.nodes = tree.nodes;
        this.recent = new RecentLeaves(tree);
        Neighbours neighbours = new Neighbours(tree);
        this.changes = new Changes(tree, neighbours);
        this.order = new Ranks(tree);
        this.splitKeys = new SplitKeys(tree, order, changes);
        this.nearest = new NearestRecords(tree);
        this.traversal = new Traversal(tree);
        this.reclaimer = new SubtreeReclaimer(tree);
        this.cut = new Cut(tree, neighbours, reclaimer);
        this.evacuation = new TreeEvacuation(tree);
        this.expiries = new ExpiryTimes(store);
        this.sweep = new ExpirySweep(tree, changes, expiries);
    }

    @Override
    public long records() {
        return tree.isEmpty() ? 0 : nodes.records(tree.root());
    }

    @Override
    public long bytes() {
        return tree.isEmpty() ? 0 : nodes.bytes(tree.root());
    }

    /** The record store of the stage, which holds the records of this bucket. */
    public RecordStore store() {
        return store;
    }

    /** Bytes of nodes and separators. The nodes of a dropped part count until they are freed. */
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

    @Override
    public long findAny(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long ref = recent.find(hash, key, keyOffset, keyLength);
        return ref == 0 ? inLeaf(touchLeaf(key, keyOffset, keyLength), key, keyOffset, keyLength) : ref;
    }

    @Override
    public RecordRanks ranks() {
        return rankedRecords;
    }

    /**
     * The record with a key.
     *
     * @return reference of the record, or 0 if there is no such record or it has expired
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
     * Finds a record as {@link #find} does, without the way down the tree.
     *
     * @param leaf the leaf that {@link #touchLeaf} returned
     */
    public long findIn(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        long ref = inLeaf(leaf, key, keyOffset, keyLength);
        return ref == 0 || expiries.hasExpired(ref) ? 0 : ref;
    }

    private long inLeaf(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        if (leaf == 0) {
            return 0;
        }
        int sought = tree.seek(leaf, key, keyOffset, keyLength);
        return Search.isFound(sought) ? nodes.key(leaf, Search.index(sought)) : 0;
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
        return old != 0 && rankedRecords.overwrite(old, value, valueOffset, valueLength, version, expiry, false)
                ? PutResult.REPLACED
                : changes.put(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
    }

    /** Puts a record that does not expire, as the other {@code put} does. */
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
     * Inserts a record, or replaces the value, version and expiry of the record with this key, in place if the slot is
     * of the right size. A put is never refused if the new value is no longer than the old value, and the new record
     * has an expiry if the old record has one.
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
     * Puts records that come in ascending order. While each key is above all keys of the bucket, an append does no
     * search, and fills leaves to a percentage so that later records find room. With a lower key, an append is a put.
     *
     * @param fillPercent percentage of a leaf's room, from 50 to 100
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
        rankedRecords.beforeWrite(0);
        long ref = store.write(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
        return changes.append(ref, fillPercent, reserved);
    }

    @Override
    public int indexSlotBytes() {
        return Nodes.BYTES;
    }

    /**
     * Each put may split one node of each level, and a split root gets a new root above it. The tree then has one level
     * more. But the new root has room for many separators, so that only one of many following puts can split the new
     * root, too. The first put into an empty bucket takes a leaf.
     */
    @Override
    public int indexSlots(int puts) {
        return puts * (tree.height() + 2);
    }

    /** To balance one leaf takes one separator, which is a part of the key before it or behind it. */
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
     * @return whether there was a record that had not expired
     * @throws IllegalStateException if the bucket has been released
     */
    public boolean remove(MemorySegment key, long keyOffset, int keyLength) {
        checkNotReleased();
        boolean present = !expiries.anyExpired() || find(key, keyOffset, keyLength) != 0;
        return changes.remove(key, keyOffset, keyLength) && present;
    }

    /** The records of this bucket, as their ranks need them. */
    private final class RankIndex implements RankedRecords.Index {
        @Override
        public long records() {
            return RangeBucket.this.records();
        }

        @Override
        public boolean isFreeing() {
            return !reclaimer.isIdle();
        }

        @Override
        public boolean removeRank(int rank) {
            checkNotReleased();
            long ref = rankedRecords.ofRank(rank);
            return ref != 0 && changes.remove(store.segment(ref), store.keyOffset(ref), store.keyLength(ref));
        }
    }

    /** Finds records by their place in the order of keys. */
    public NearestRecords nearest() {
        return nearest;
    }

    /**
     * Begins a walk over the records of a range, in ascending or descending order; {@link #next} goes on. A bucket has
     * one walk at a time, and is not changed or maintained meanwhile.
     */
    public void begin(KeyRange range, boolean descending) {
        traversal.begin(range, descending);
    }

    /**
     * Fills a batch with the next records of the walk, in its order, and loads their cache lines. Records that have
     * expired are left out, so that a batch may be empty before the walk ends.
     *
     * @param recordsMax most records, from 1 on; the first batches of a walk are smaller
     * @return whether there are more records behind the batch
     */
    public boolean next(RecordBatch batch, int recordsMax) {
        boolean more = traversal.next(batch, recordsMax);
        if (expiries.anyExpired()) {
            expiries.dropExpired(batch);
        }
        return more;
    }

    /**
     * Visits the records of a range that have not expired, in ascending order, until the range ends or the visitor
     * stops. A walk over many steps goes on behind the last key of the step before. It sees each record that is there
     * during the whole walk exactly once, however the bucket changes between steps.
     *
     * @return whether the end of the range was reached
     */
    public boolean ascend(KeyRange range, RangeVisitor visitor) {
        return walk(range, false, visitor);
    }

    /** Visits records as {@link #ascend} does, in descending order. */
    public boolean descend(KeyRange range, RangeVisitor visitor) {
        return walk(range, true, visitor);
    }

    private boolean walk(KeyRange range, boolean descending, RangeVisitor visitor) {
        begin(range, descending);
        boolean more;
        do {
            more = next(visited, Nodes.LEAF_KEYS);
            for (int i = 0; i < visited.size(); i++) {
                if (!visitor.visit(visited.get(i))) {
                    return false;
                }
            }
        } while (more);
        return true;
    }

    /**
     * Number of records in a range, with expired records that are not yet swept. A count costs two ways down the tree,
     * however many records there are.
     */
    public long count(KeyRange range) {
        return order.count(range);
    }

    /** The keys at which an RP* split may divide the records. */
    public SplitKeys splitKeys() {
        return splitKeys;
    }

    /** Number of records above a key, which {@link #dropAbove} would drop. */
    public long recordsAbove(MemorySegment key, long keyOffset, int keyLength) {
        order.countBelow(key, keyOffset, keyLength, true);
        return records() - order.records();
    }

    /** The part of {@link #bytes} that belongs to the records above a key. */
    public long bytesAbove(MemorySegment key, long keyOffset, int keyLength) {
        order.countBelow(key, keyOffset, keyLength, true);
        return bytes() - order.bytes();
    }

    /**
     * Drops the records above a key, at the end of an RP* split. A drop needs no memory. {@link #records} and
     * {@link #bytes} are right at once; {@link #maintain} frees the memory. A rank has its record until the memory of
     * the record is freed, and stays allocated.
     *
     * @throws IllegalStateException if the bucket has been released
     */
    public void dropAbove(MemorySegment key, long keyOffset, int keyLength) {
        checkNotReleased();
        cut.dropAbove(key, keyOffset, keyLength);
    }

    /**
     * Goes on with the sweep that frees expired records, or begins a sweep if there may be expired records. References
     * that were returned before are void.
     *
     * @param leaves largest number of leaves to look at
     * @return whether so many records had expired that going on at once pays
     */
    public boolean sweep(int leaves) {
        return !released && sweep.run(leaves);
    }

    /**
     * Goes on with a sweep as {@link #sweep} does, but only visits the expired records of a ranked bucket, which stay
     * until {@link RecordRanks#remove} removes them. Until then each further sweep visits them again. A bucket is
     * either swept in this way or in the other.
     */
    public boolean collectExpired(int leaves, RankVisitor visitor) {
        return !released && sweep.collect(leaves, visitor);
    }

    @Override
    public void release() {
        rankedRecords.release();
        if (!tree.isEmpty()) {
            reclaimer.add(tree.root());
            tree.root(0, 0);
        }
        released = true;
        expiries.clear();
    }

    @Override
    public boolean maintain(int workUnits) {
        int left = workUnits;
        while (left > 0) {
            int done = reclaimer.step();
            if (done == 0) {
                done = evacuation.step();
            }
            if (done == 0 && rankedRecords.maintain()) {
                done = 1;
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
