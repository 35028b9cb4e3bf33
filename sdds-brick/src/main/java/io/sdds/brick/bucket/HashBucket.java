package io.sdds.brick.bucket;

import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/**
 * The bucket of one hash partition: its records, found by key through a file of local linear hashing that grows and
 * shrinks by one LH-bucket at a time. After J. S. Karlsson, W. Litwin, T. Risch, "LH*LH: A Scalable High Performance
 * Data Structure for Switched Multicomputers" (EDBT 1996), section 4.5.
 *
 * <p>A key is given with its pseudo-key ({@link io.sdds.brick.memory.SegmentHash}); the two must belong together.
 * Records are named by references into the {@link RecordStore}; a reference found is valid until the bucket is next
 * changed or maintained.
 *
 * <p>One thread uses a bucket. No method blocks, or takes longer than the work on one LH-bucket, unless its description
 * says so.
 */
public final class HashBucket implements Bucket {

    /* An LH-bucket is a line of 64 bytes with the tags and references of up to twelve records, and overflow lines as
     * needed. LhFile finds the line. A search costs one cache miss for the line and one for the record. One search in
     * thirty reads a wrong record first.
     *
     * Memory beyond key and value: 14 bytes of header, 3.5 of rounding on average, about 9 of lines. The paper keeps
     * the pseudo-key in the record. Here it is computed when needed, because the record must be read then anyway. */

    private static final long ABSENT = -1;
    private static final int PLACE_BITS = 4;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    private final RecordStore store;
    private final SlotSpace slots;
    private final RankedRecords records;
    private final LhChains chains;
    private final LhFile file;
    private final BucketLoad load = new BucketLoad();
    private final ExpiryTimes expiries;
    private final Expiries sweep;
    private final LhScan scan;

    /**
     * Makes an empty bucket, which has no off-heap memory yet.
     *
     * @param store the store of the stage
     * @param level number of low bits of the pseudo-key that the partition uses, from 0
     */
    public HashBucket(RecordStore store, int level) {
        if (level < 0 || level > 32) {
            throw new IllegalArgumentException("level must be in 0..32: " + level);
        }
        this.store = store;
        this.slots = store.slots();
        this.records = new RankedRecords(store, new RankIndex());
        this.chains = new LhChains(store, records);
        this.file = new LhFile(store, chains, load, level);
        this.expiries = new ExpiryTimes(store);
        this.sweep = new Expiries(store, expiries, chains, file, load);
        this.scan = new LhScan(store, file, expiries);
    }

    /** Number of low bits of the pseudo-key that the partition uses. */
    public int level() {
        return file.level();
    }

    /** Number of records in the bucket. Expired records count until they are swept; see {@link #mayHoldExpired}. */
    @Override
    public long records() {
        return load.records();
    }

    /** Bytes of the slots of all records held: header, key and value, rounded up. */
    @Override
    public long bytes() {
        return load.bytes();
    }

    /** Records that would move with the next LH* split. The number is too low while a compaction is under way. */
    public long movingRecords() {
        return load.movingRecords();
    }

    /** The part of {@link #bytes} that belongs to the records that would move with the next LH* split. */
    public long movingBytes() {
        return load.movingBytes();
    }

    /** Bytes of LH-bucket lines, with the lines of a moved half that are not freed yet. */
    public long indexBytes() {
        return file.arrayBytes() + chains.overflowLines() * LhLine.BYTES;
    }

    /**
     * The record with a key.
     *
     * @param hash pseudo-key of the key
     * @return reference of the record, or 0 if there is no such record or it has expired
     */
    @Override
    public long find(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long position = locate(hash, key, keyOffset, keyLength);
        if (position == ABSENT) {
            return 0;
        }
        long ref = referenceAt(position);
        return expiries.hasExpired(ref) ? 0 : ref;
    }

    @Override
    public long findAny(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long position = locate(hash, key, keyOffset, keyLength);
        return position == ABSENT ? 0 : referenceAt(position);
    }

    @Override
    public RecordRanks ranks() {
        return records;
    }

    /** The records of this bucket, as their ranks need them. */
    private final class RankIndex implements RankedRecords.Index {
        @Override
        public long records() {
            return load.records();
        }

        @Override
        public boolean isFreeing() {
            return file.isMoving();
        }

        @Override
        public boolean removeRank(int rank) {
            // The change comes first, because it may free records that a split has dropped.
            file.beginChange();
            long ref = records.ofRank(rank);
            long hash = ref == 0 ? 0 : store.hash(ref);
            long position =
                    ref == 0 ? ABSENT : locate(hash, store.segment(ref), store.keyOffset(ref), store.keyLength(ref));
            if (position != ABSENT) {
                remove(hash, position);
            }
            return position != ABSENT;
        }
    }

    /** The logical time by which records expire, in nanoseconds. */
    @Override
    public long timeNanos() {
        return expiries.timeNanos();
    }

    /** Moves the logical time on; it never goes back. Records that expire by then are absent from now on. */
    @Override
    public void timeNanos(long nanos) {
        expiries.timeNanos(nanos);
    }

    /** Whether there may be a record that has an expiry. */
    @Override
    public boolean mayExpire() {
        return expiries.any();
    }

    /** Whether there may be a record that has expired and is not yet swept. */
    @Override
    public boolean mayHoldExpired() {
        return expiries.anyExpired();
    }

    /**
     * Loads the line that a search for the pseudo-key begins with. To be done for all keys of a batch before
     * {@link #touchRecord}, so that the memory accesses overlap.
     *
     * @return a number to be consumed, so that the access isn't optimised away
     */
    public int touchBucket(long hash) {
        long line = file.firstLine(hash);
        return (int) slots.segment(line).get(LONG, slots.offset(line));
    }

    /**
     * Loads the beginning of the record that is most likely the one with this pseudo-key. To be done for all keys of a
     * batch before they are looked up.
     *
     * @return a number to be consumed, so that the access isn't optimised away
     */
    public int touchRecord(long hash) {
        long line = file.firstLine(hash);
        MemorySegment segment = slots.segment(line);
        long at = slots.offset(line);
        long rest = segment.get(LONG, at + LhLine.REST_OFFSET);
        long matches = LhLine.matches(segment.get(LONG, at + LhLine.TAGS_OFFSET), rest, LhLine.pattern(hash));
        return matches == 0 ? 0 : store.touch(LhLine.reference(segment, at, LhLine.place(matches)));
    }

    @Override
    public long touchIndex(long hash, MemorySegment key, long keyOffset, int keyLength) {
        return touchBucket(hash);
    }

    @Override
    public int touchRecord(long index, long hash, MemorySegment key, long keyOffset, int keyLength) {
        return touchRecord(hash);
    }

    /** The reference of the line that has the key's record, and the record's place in this line; or ABSENT. */
    private long locate(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long pattern = LhLine.pattern(hash);
        long line = file.firstLine(hash);
        do {
            MemorySegment segment = slots.segment(line);
            long at = slots.offset(line);
            long rest = segment.get(LONG, at + LhLine.REST_OFFSET);
            long matches = LhLine.matches(segment.get(LONG, at + LhLine.TAGS_OFFSET), rest, pattern);
            for (; matches != 0; matches &= matches - 1) {
                int place = LhLine.place(matches);
                if (store.keyEquals(LhLine.reference(segment, at, place), key, keyOffset, keyLength)) {
                    return position(line, place);
                }
            }
            line = rest >>> LhLine.REST_SHIFT;
        } while (line != 0);
        return ABSENT;
    }

    private static long position(long line, int place) {
        return line << PLACE_BITS | place;
    }

    private long referenceAt(long position) {
        long line = position >>> PLACE_BITS;
        return LhLine.reference(slots.segment(line), slots.offset(line), (int) position & PLACE_MASK);
    }

    /** Puts a record that does not expire, as the other {@code put} does. */
    public PutResult put(
            long hash,
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            boolean reserved) {
        return put(
                hash,
                key,
                keyOffset,
                keyLength,
                value,
                valueOffset,
                valueLength,
                version,
                RecordStore.NO_EXPIRY,
                reserved);
    }

    /**
     * Inserts a record, or replaces the value, version and expiry of the record with this key, in place if the slot is
     * of the right size. A put is never refused if the new value is no longer than the old value, and the new record
     * has an expiry if the old record has one. The old record may have expired.
     *
     * @param hash pseudo-key of the key
     * @param expiry in logical time, or {@link RecordStore#NO_EXPIRY}
     * @param reserved whether the last 5 % of the memory may be used
     * @throws IllegalArgumentException if key or value are longer than allowed, or the key is empty
     * @throws IllegalStateException if the bucket has been released
     */
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
        file.beginChange();
        expiries.has(expiry);
        long position = locate(hash, key, keyOffset, keyLength);
        long old = position == ABSENT ? 0 : referenceAt(position);
        if (old != 0 && records.overwrite(old, value, valueOffset, valueLength, version, expiry, false)) {
            return PutResult.REPLACED;
        }
        records.beforeWrite(old);
        long ref = store.write(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
        if (old == 0) {
            return ref == 0 ? PutResult.FULL : insert(hash, ref, reserved);
        }
        if (ref != 0) {
            replace(hash, position, ref);
            return PutResult.REPLACED;
        }
        // Without room for another slot a shorter value can still go into the old one.
        boolean fits = records.overwrite(old, value, valueOffset, valueLength, version, expiry, true);
        return fits ? PutResult.REPLACED : PutResult.FULL;
    }

    @Override
    public int indexSlotBytes() {
        return LhLine.BYTES;
    }

    /**
     * Each put may take an overflow line, or the only line of an empty file. Lines that make the file grow do not
     * count, because without memory for them the file does not grow.
     */
    @Override
    public int indexSlots(int puts) {
        return puts;
    }

    @Override
    public int keptKeyBytes(int keyLength) {
        return 0;
    }

    private PutResult insert(long hash, long ref, boolean reserved) {
        if (!file.ensureFirstLine(reserved) || !chains.add(file.firstLine(hash), LhLine.tag(hash), ref, reserved)) {
            store.free(ref);
            return PutResult.FULL;
        }
        records.inserted(ref);
        load.add(1, store.slotBytes(ref), file.countsAsMoving(hash));
        file.growIfLoaded(reserved);
        return PutResult.INSERTED;
    }

    private void replace(long hash, long position, long ref) {
        long old = referenceAt(position);
        long line = position >>> PLACE_BITS;
        LhLine.setReference(slots.segment(line), slots.offset(line), (int) position & PLACE_MASK, ref);
        load.add(0, store.slotBytes(ref) - store.slotBytes(old), file.countsAsMoving(hash));
        records.replaced(old, ref);
    }

    /**
     * Removes the record with a key.
     *
     * @param hash pseudo-key of the key
     * @return whether there was a record that had not expired
     * @throws IllegalStateException if the bucket has been released
     */
    @Override
    public boolean remove(long hash, MemorySegment key, long keyOffset, int keyLength) {
        file.beginChange();
        long position = locate(hash, key, keyOffset, keyLength);
        if (position == ABSENT) {
            return false;
        }
        boolean present = !expiries.hasExpired(referenceAt(position));
        remove(hash, position);
        return present;
    }

    private void remove(long hash, long position) {
        long ref = referenceAt(position);
        load.add(-1, -store.slotBytes(ref), file.countsAsMoving(hash));
        chains.remove(file.firstLine(hash), position >>> PLACE_BITS, (int) position & PLACE_MASK);
        records.free(ref);
        file.shrinkIfIdle();
    }

    /**
     * Visits records of the LH-bucket whose interval contains the cursor: the records at the cursor or behind it that
     * have not expired. Intervals are intervals of bit-reversed pseudo-keys, as unsigned numbers. At any moment the
     * intervals of all LH-buckets tile the partition's interval. A scan begins at the start of the partition's
     * interval, and uses each result as the next cursor. It sees each record that is there during the whole scan
     * exactly once, however the file grows, shrinks or is split meanwhile.
     *
     * @param cursor a point of the partition's interval
     * @return the exclusive end of the LH-bucket's interval; 0 is the end of the space
     */
    public long visit(long cursor, RecordVisitor visitor) {
        return scan.visit(cursor, visitor);
    }

    /**
     * Visits records as {@link #visit} does, but no more bytes than a limit. If the records from the cursor on have
     * more bytes, only the first ones in the order of points are visited. The records of one point stay together: the
     * records of the first point are visited even beyond the limit.
     *
     * @return the exclusive end of the visited interval; 0 is the end of the space
     */
    public long visitSome(long cursor, long bytesMax, RecordVisitor visitor) {
        return scan.visitSome(cursor, bytesMax, visitor);
    }

    /**
     * Fills a batch with the records of an interval from the cursor on that have not expired, and loads their cache
     * lines. The order of the records within a batch is undefined. A scan uses each result as the next cursor, as with
     * {@link #visit}.
     *
     * @param end exclusive end of the interval; 0 is the end of the space
     * @param bytesMax most bytes of keys and values of a batch, but the records of the first point are in the batch
     *     even beyond this limit
     * @param batch has at most {@link RecordBatch#RECORDS_MAX} records afterwards, and maybe none; only records of one
     *     point can be more
     * @return the exclusive end of the interval of the batch, which is {@code end} at the end of the scan
     */
    public long next(long cursor, long end, long bytesMax, RecordBatch batch) {
        return scan.next(cursor, end, bytesMax, batch);
    }

    /**
     * Ends an LH* split: the level becomes l + 1, and records whose pseudo-key has bit l set are dropped.
     * {@link #records} and {@link #bytes} are right at once. {@link #maintain} frees the memory, and each put and
     * remove frees a little. A rank has its record until the memory of the record is freed, and stays allocated. If a
     * compaction after the last split is under way, this method first finishes it, however long that takes.
     */
    public void dropMovedHalf() {
        file.halve();
    }

    /**
     * Begins to prepare for an LH* merge. {@link #maintain} does the work. After that the level is l - 1, and records
     * with bit l - 1 set can be put; {@link #movingRecords} is their number. {@link #dropMovedHalf} undoes the
     * preparation. Without memory for the preparation the level stays the same. If a compaction is under way, this
     * method first finishes it, however long that takes.
     *
     * @throws IllegalStateException at level 0
     */
    public void beginWidening() {
        if (level() == 0) {
            throw new IllegalStateException("a bucket of level 0 has no other half");
        }
        file.beginWidening();
    }

    /** Whether the preparation for a merge, or the compaction after a split, is under way. */
    public boolean isChangingLevel() {
        return file.isMoving();
    }

    /** Finishes the preparation for a merge, however long that takes. */
    public void finishWidening() {
        file.finishWidening();
    }

    /** Empties the bucket for good: it takes no put or remove any more. {@link #maintain} frees the memory. */
    @Override
    public void release() {
        records.release();
        file.release();
        expiries.clear();
    }

    /**
     * Goes on with the sweep that frees expired records, or begins a sweep if there may be expired records. References
     * that were returned before are void.
     *
     * @param start start of the partition's interval of bit-reversed pseudo-keys
     * @param end exclusive end of this interval; 0 is the end of the space
     * @param buckets largest number of LH-buckets to look at
     * @return whether so many records had expired that going on at once pays
     */
    public boolean sweep(long start, long end, int buckets) {
        return sweep.sweep(start, end, buckets);
    }

    /**
     * Goes on with a sweep as {@link #sweep} does, but only visits the expired records of a ranked bucket, which stay
     * until {@link RecordRanks#remove} removes them. Until then each further sweep visits them again. A bucket is
     * either swept in this way or in the other.
     */
    public boolean collectExpired(long start, long end, int buckets, RankVisitor visitor) {
        return sweep.collect(start, end, buckets, visitor);
    }

    /**
     * Does background work: compacts after a split, prepares for a merge, frees memory after a release, shrinks the
     * file, and moves records out of fragmented memory. References that were returned before are void.
     *
     * @param workUnits largest number of LH-buckets to work on
     * @return whether more work is left
     */
    @Override
    public boolean maintain(int workUnits) {
        for (int i = 0; i < workUnits; i++) {
            if (!file.maintain() && !records.maintain()) {
                return false;
            }
        }
        return true;
    }
}
