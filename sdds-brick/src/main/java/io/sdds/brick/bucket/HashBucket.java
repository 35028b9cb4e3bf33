package io.sdds.brick.bucket;

import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The bucket of one hash partition: its records, found by key through a file of local linear hashing that grows and
 * shrinks by one LH-bucket at a time. After J. S. Karlsson, W. Litwin, T. Risch, "LH*LH: A Scalable High Performance
 * Data Structure for Switched Multicomputers" (EDBT 1996), section 4.5.
 *
 * <p>A key is given with its pseudo-key ({@link io.sdds.brick.memory.SegmentHash}); the two must belong together.
 * Records are named by references into the {@link RecordStore}; a reference found is valid until the bucket is next
 * changed or maintained.
 *
 * <p>One thread. No method blocks or takes longer than one LH-bucket needs, unless it says so.
 */
public final class HashBucket implements Bucket {

    /* An LH-bucket is a line of 64 bytes with the tags and references of up to twelve records, and overflow lines as
     * needed; LhFile knows where it is. To find a record costs one cache miss for the line and one for the record; a
     * wrong record is looked at once in thirty searches.
     *
     * Memory beyond key and value: 14 bytes of header, 3.5 of rounding on average, about 9 of lines. The pseudo-key,
     * which the paper keeps in the record, is computed when it is needed: then the record has to be read anyway. */

    private static final long ABSENT = -1;
    private static final int PLACE_BITS = 4;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

    private final RecordStore store;
    private final SlotSpace slots;
    private final LhChains chains;
    private final LhFile file;
    private final BucketLoad load = new BucketLoad();
    private final ExpiryTimes expiries;
    private final Expiries sweep;

    /**
     * An empty bucket, holding no off-heap memory.
     *
     * @param store of the stage
     * @param level how many low bits of the pseudo-key the partition uses, from 0
     */
    public HashBucket(RecordStore store, int level) {
        if (level < 0 || level > 32) {
            throw new IllegalArgumentException("level must be in 0..32: " + level);
        }
        this.store = store;
        this.slots = store.slots();
        this.chains = new LhChains(store);
        this.file = new LhFile(store, chains, load, level);
        this.expiries = new ExpiryTimes(store);
        this.sweep = new Expiries(store, expiries, chains, file, load);
    }

    /** How many low bits of the pseudo-key the partition uses. */
    public int level() {
        return file.level();
    }

    /**
     * Records held; those among them that have expired are counted until they are swept: see {@link #mayHoldExpired}.
     */
    @Override
    public long records() {
        return load.records();
    }

    /** Bytes of the slots of all records held: header, key and value, rounded up. */
    @Override
    public long bytes() {
        return load.bytes();
    }

    /** Records that would move with the next LH* split. Too low while the last one is being compacted. */
    public long movingRecords() {
        return load.movingRecords();
    }

    /** As {@link #bytes}, of the records that would move with the next LH* split. */
    public long movingBytes() {
        return load.movingBytes();
    }

    /** Bytes of LH-bucket lines, those of a moved half not yet freed included. */
    public long indexBytes() {
        return file.arrayBytes() + chains.overflowLines() * LhLine.BYTES;
    }

    /**
     * The record with a key.
     *
     * @param hash pseudo-key of the key
     * @return its reference, or 0 if there is none or it has expired
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

    /** The logical time by which records expire, in nanoseconds. */
    @Override
    public long timeNanos() {
        return expiries.timeNanos();
    }

    /** Moves the logical time on; it never goes back. What expires by it is absent from here on. */
    @Override
    public void timeNanos(long nanos) {
        expiries.timeNanos(nanos);
    }

    /** Whether there may be a record that expires some time. */
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

    /** Where the key's record stands: reference of the line and place in it; or ABSENT. */
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

    /** As the other {@code put}, of a record that doesn't expire. */
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
     * Inserts a record, or replaces the value, version and expiry of the one with this key, expired or not; in place if
     * the slot is of the right size. A value no longer than the old one, with an expiry if that had one, is never
     * refused.
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
        if (position != ABSENT) {
            long old = referenceAt(position);
            if (store.overwrite(old, value, valueOffset, valueLength, version, expiry, false)) {
                return PutResult.REPLACED;
            }
        }
        long ref = store.write(key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry, reserved);
        if (position == ABSENT) {
            return ref == 0 ? PutResult.FULL : insert(hash, ref, reserved);
        }
        if (ref != 0) {
            replace(hash, position, ref);
            return PutResult.REPLACED;
        }
        // Without room for another slot a shorter value can still go into the old one.
        boolean fits = store.overwrite(referenceAt(position), value, valueOffset, valueLength, version, expiry, true);
        return fits ? PutResult.REPLACED : PutResult.FULL;
    }

    @Override
    public int indexSlotBytes() {
        return LhLine.BYTES;
    }

    /**
     * Each may begin an overflow line, or the only line of an empty file; without memory for more the file does not
     * grow.
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
        load.add(1, store.slotBytes(ref), file.countsAsMoving(hash));
        file.growIfLoaded(reserved);
        return PutResult.INSERTED;
    }

    private void replace(long hash, long position, long ref) {
        long old = referenceAt(position);
        long line = position >>> PLACE_BITS;
        LhLine.setReference(slots.segment(line), slots.offset(line), (int) position & PLACE_MASK, ref);
        load.add(0, store.slotBytes(ref) - store.slotBytes(old), file.countsAsMoving(hash));
        store.free(old);
    }

    /**
     * Removes the record with a key.
     *
     * @param hash pseudo-key of the key
     * @return whether there was one that had not expired
     * @throws IllegalStateException if the bucket has been released
     */
    @Override
    public boolean remove(long hash, MemorySegment key, long keyOffset, int keyLength) {
        file.beginChange();
        long position = locate(hash, key, keyOffset, keyLength);
        if (position == ABSENT) {
            return false;
        }
        long ref = referenceAt(position);
        boolean present = !expiries.hasExpired(ref);
        load.add(-1, -store.slotBytes(ref), file.countsAsMoving(hash));
        chains.remove(file.firstLine(hash), position >>> PLACE_BITS, (int) position & PLACE_MASK);
        store.free(ref);
        file.shrinkIfIdle();
        return present;
    }

    /**
     * Visits records of the one LH-bucket whose interval contains the cursor: those at the cursor or behind it that
     * have not expired. Intervals are of the unsigned space of bit-reversed pseudo-keys; at any moment they tile the
     * partition's own. Beginning at the start of the partition's interval and going on with what is returned, one sees
     * each record that is there throughout exactly once, however the file grows, shrinks or is split meanwhile.
     *
     * @param cursor a point of the partition's interval
     * @return the exclusive end of the LH-bucket's interval; 0 is the end of the space
     */
    public long visit(long cursor, RecordVisitor visitor) {
        for (long line = file.firstLine(Long.reverse(cursor)); line != 0; ) {
            MemorySegment segment = slots.segment(line);
            long at = slots.offset(line);
            visitLine(segment, at, cursor, visitor);
            line = LhLine.overflow(segment, at);
        }
        return file.intervalEnd(cursor);
    }

    /**
     * As {@link #visit}, but of an LH-bucket whose records from there on have more bytes than that, only the first in
     * the order of points, at least one: those of one pseudo-key can't be told apart.
     *
     * @return the exclusive end of what was visited; 0 is the end of the space
     */
    public long visitSome(long cursor, long bytesMax, RecordVisitor visitor) {
        if (bytesFrom(cursor) <= bytesMax) {
            return visit(cursor, visitor);
        }
        long cut = cut(cursor, bytesMax);
        visit(cursor, (ref, hash) -> {
            if (cut == 0 || Long.compareUnsigned(Long.reverse(hash), cut) < 0) {
                visitor.visit(ref, hash);
            }
        });
        return cut;
    }

    private long bytesFrom(long cursor) {
        long[] bytes = new long[1];
        visit(cursor, (ref, hash) -> bytes[0] += bytes(ref));
        return bytes[0];
    }

    /** The point before which the records of an LH-bucket have at most so many bytes, or are of one pseudo-key. */
    private long cut(long cursor, long bytesMax) {
        List<Sized> records = new ArrayList<>();
        long end = visit(cursor, (ref, hash) -> records.add(new Sized(Long.reverse(hash), bytes(ref))));
        records.sort((one, other) -> Long.compareUnsigned(one.point, other.point));
        long bytes = 0;
        for (Sized each : records) {
            bytes += each.bytes;
            if (bytes > bytesMax && each.point != records.get(0).point) {
                return each.point;
            }
        }
        return end;
    }

    private record Sized(long point, long bytes) {}

    private long bytes(long ref) {
        return (long) store.keyLength(ref) + store.valueLength(ref);
    }

    private void visitLine(MemorySegment segment, long at, long cursor, RecordVisitor visitor) {
        int count = LhLine.count(segment, at);
        for (int place = 0; place < count; place++) {
            long ref = LhLine.reference(segment, at, place);
            long hash = store.hash(ref);
            if (Long.compareUnsigned(Long.reverse(hash), cursor) >= 0 && !expiries.hasExpired(ref)) {
                visitor.visit(ref, hash);
            }
        }
    }

    /**
     * The end of an LH* split: the level becomes l + 1, and records with bit l of their pseudo-key set are no longer
     * there. {@link #records} and {@link #bytes} are right at once; memory comes back as {@link #maintain} is called,
     * and a little with each put and remove. A compaction still under way from the split before is finished first,
     * however long that takes.
     */
    public void dropMovedHalf() {
        file.halve();
    }

    /**
     * Begins to prepare for an LH* merge: when this is done, as {@link #maintain} is called, the level is l - 1, and
     * records with bit l - 1 set can be put; {@link #movingRecords} says how many were. {@link #dropMovedHalf} takes
     * that back. Without memory for it the level stays as it is. A compaction still under way is finished first,
     * however long that takes.
     *
     * @throws IllegalStateException at level 0
     */
    public void beginWidening() {
        if (level() == 0) {
            throw new IllegalStateException("a bucket of level 0 has no other half");
        }
        file.beginWidening();
    }

    /** Whether such a preparation, or the compaction after a split, is under way. */
    public boolean isChangingLevel() {
        return file.isMoving();
    }

    /** Brings such a preparation to its end, however long that takes. */
    public void finishWidening() {
        file.finishWidening();
    }

    /**
     * Gives up the bucket: it is empty from here on and takes no put or remove. Its memory comes back as
     * {@link #maintain} is called.
     */
    @Override
    public void release() {
        file.release();
        expiries.clear();
    }

    /**
     * Goes on with the sweep that frees the records that have expired, or begins one if there may be such records;
     * without them does nothing. References found before are void.
     *
     * @param start of the partition's interval of bit-reversed pseudo-keys
     * @param end its exclusive end; 0 is the end of the space
     * @param buckets most LH-buckets to look at
     * @return whether so many had expired that going on at once pays
     */
    public boolean sweep(long start, long end, int buckets) {
        return sweep.sweep(start, end, buckets);
    }

    /**
     * Does background work: compaction after a split, preparing for a merge, giving back memory after a release,
     * shrinking, moving records out of fragmented memory. References found before are void.
     *
     * @param workUnits most LH-buckets to work on
     * @return whether there is more to do
     */
    @Override
    public boolean maintain(int workUnits) {
        for (int i = 0; i < workUnits; i++) {
            if (!file.maintain()) {
                return false;
            }
        }
        return true;
    }
}
