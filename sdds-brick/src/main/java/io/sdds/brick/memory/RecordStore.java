package io.sdds.brick.memory;

import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;
import static io.sdds.brick.memory.SegmentBytes.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The records of one stage, off-heap, for all its partitions. A record is a key, a value, a version and, where used, an
 * expiry. It is named by a reference: an unsigned 32-bit number, never 0, valid until the record is freed, relocated or
 * overwritten through another reference. In tables with parity groups a record also has a rank.
 *
 * <p>Callers read contents in place, by {@link #segment} with {@link #keyOffset} or {@link #valueOffset}, and copy them
 * straight into a socket's buffer. One thread uses a store.
 */
public final class RecordStore {

    /* Layout of a record in its slot (little endian, 14 or 22 bytes before the key):
     *
     *      0  version        8 bytes
     *      8  key length     2 bytes
     *     10  value length   25 bits, then 7 bits of flags
     *     14  expiry         8 bytes, present if FLAG_EXPIRY
     *         key
     *         value
     *         rank           4 bytes, present if FLAG_RANK
     *
     * Lengths and flags are read at once, as the low 48 bits of the eight bytes at 8. The rank stands at the end, so
     * that key and value have the same offsets with and without a rank. The record does not hold its pseudo-key, as it
     * does in the paper: a caller that needs the pseudo-key needs the record's cache line anyway, and hashing the
     * key then takes 3 ns. */

    /** Most bytes of a key. */
    public static final int KEY_BYTES_MAX = 65_535;

    /** Most bytes of a value. */
    public static final int VALUE_BYTES_MAX = 16 << 20;

    /** Expiry of a record that doesn't expire. */
    public static final long NO_EXPIRY = 0;

    /** Rank of a record that has no rank. */
    public static final int NO_RANK = -1;

    private static final int LINES_TOUCHED = 3;
    private static final int LENGTHS_OFFSET = 8;
    private static final int VALUE_LENGTH_OFFSET = 10;
    private static final int EXPIRY_OFFSET = 14;
    private static final int HEADER_BYTES = 14;
    private static final int EXPIRY_BYTES = 8;

    private static final int KEY_LENGTH_MASK = 0xFFFF;
    private static final int VALUE_LENGTH_SHIFT = 16;
    private static final int VALUE_LENGTH_MASK = (1 << 25) - 1;
    private static final int FLAGS_SHIFT = 25;
    private static final int FLAG_EXPIRY = 1;
    private static final int FLAG_RANK = 2;
    private static final int EXPIRY_FLAG_BIT = VALUE_LENGTH_SHIFT + FLAGS_SHIFT;
    private static final int EXPIRY_BYTES_LOG = 3;
    private static final int RANK_FLAG_BIT = EXPIRY_FLAG_BIT + 1;
    private static final int RANK_BYTES = 4;

    private final SlotSpace slots;
    private long recordCount;

    /** The rank of the record that the next {@link #write} writes. */
    private int nextRank = NO_RANK;

    /**
     * Makes an empty store, which holds no memory yet.
     *
     * @param source hands out chunks
     * @param budget tells whether new data may use a new chunk; the source charges the budget
     */
    public RecordStore(MemorySource source, MemoryBudget budget) {
        this(new SlotSpace(source, budget));
    }

    RecordStore(SlotSpace slots) {
        this.slots = slots;
    }

    /** The space from which the records, and the indexes that refer to them, take their memory. */
    public SlotSpace slots() {
        return slots;
    }

    /**
     * Gives the record of the next {@link #write} a rank. A rank is not an argument of {@link #write}, so that tables
     * without parity groups do not pass it on.
     *
     * @param rank from 0 on, or {@link #NO_RANK}
     */
    public void rankOfNext(int rank) {
        nextRank = rank;
    }

    /**
     * Writes a new record, with the rank that {@link #rankOfNext} gave since the last call, if any.
     *
     * @param expiry in the table's logical time, or {@link #NO_EXPIRY}
     * @param reserved whether the last 5 % of the memory may be used
     * @return its reference, or 0 when there is no room; nothing has changed then
     * @throws IllegalArgumentException if key or value are longer than allowed, or the key is empty
     */
    public long write(
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            boolean reserved) {
        int rank = nextRank;
        nextRank = NO_RANK;
        checkLengths(keyLength, valueLength);
        boolean ranked = rank != NO_RANK;
        long ref = slots.allocateRecord(recordBytes(keyLength, valueLength, expiry, ranked), reserved);
        if (ref != 0) {
            fill(ref, key, keyOffset, keyLength, value, valueOffset, valueLength, version, expiry);
            if (ranked) {
                appendRank(ref, rank);
            }
            recordCount++;
        }
        return ref;
    }

    /** Writes a rank behind the value of a record whose other parts have just been written without a rank. */
    private void appendRank(long ref, int rank) {
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref) + VALUE_LENGTH_OFFSET;
        segment.set(INT, at, segment.get(INT, at) | FLAG_RANK << FLAGS_SHIFT);
        segment.set(INT, keyOffset(ref) + contentLength(ref), rank);
    }

    private void fill(
            long ref,
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry) {
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref);
        segment.set(SHORT, at + LENGTHS_OFFSET, (short) keyLength);
        long keyAt = at + keyStart(expiry);
        MemorySegment.copy(key, keyOffset, segment, keyAt, keyLength);
        writeRest(segment, at, keyAt + keyLength, value, valueOffset, valueLength, version, expiry);
    }

    /**
     * Takes a slot of the size that {@link #write} needs for a record, to be reserved for that record by
     * {@link SlotSpace#use}. The content of the slot is undefined.
     *
     * @param ranked whether the record will have a rank
     * @return reference of the slot; 0 when there is no room
     */
    public long reserve(int keyLength, int valueLength, long expiry, boolean ranked, boolean reserved) {
        checkLengths(keyLength, valueLength);
        return slots.allocate(recordBytes(keyLength, valueLength, expiry, ranked), reserved);
    }

    /** Bytes of the slot that {@link #reserve} takes. */
    public long slotBytesFor(int keyLength, int valueLength, long expiry, boolean ranked) {
        return slots.slotBytesFor(recordBytes(keyLength, valueLength, expiry, ranked));
    }

    /**
     * Writes another value, version and expiry into a record in place. The record keeps its rank.
     *
     * @param shrinking whether the record may keep a larger slot than it needs
     * @return false if it needs a slot of another size, or gains or loses its expiry; nothing has changed then
     * @throws IllegalArgumentException if the value is longer than allowed
     */
    public boolean overwrite(
            long ref,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            boolean shrinking) {
        long lengths = lengths(ref);
        int keyLength = (int) lengths & KEY_LENGTH_MASK;
        checkLengths(keyLength, valueLength);
        boolean ranked = hasRank(lengths);
        long bytes = recordBytes(keyLength, valueLength, expiry, ranked);
        long slotBytes = slots.slotBytes(ref);
        boolean fits = shrinking ? bytes <= slotBytes : slots.slotBytesFor(bytes) == slotBytes;
        if (!fits || hasExpiry(lengths) != (expiry != NO_EXPIRY)) {
            return false;
        }
        int rank = ranked ? rank(ref) : NO_RANK;
        long at = slots.offset(ref);
        long valueAt = at + keyStart(expiry) + keyLength;
        writeRest(slots.segment(ref), at, valueAt, value, valueOffset, valueLength, version, expiry);
        if (ranked) {
            appendRank(ref, rank);
        }
        return true;
    }

    private static void writeRest(
            MemorySegment segment,
            long at,
            long valueAt,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry) {
        segment.set(LONG, at, version);
        int flags = expiry == NO_EXPIRY ? 0 : FLAG_EXPIRY;
        segment.set(INT, at + VALUE_LENGTH_OFFSET, flags << FLAGS_SHIFT | valueLength);
        if (expiry != NO_EXPIRY) {
            segment.set(LONG, at + EXPIRY_OFFSET, expiry);
        }
        MemorySegment.copy(value, valueOffset, segment, valueAt, valueLength);
    }

    private static void checkLengths(int keyLength, int valueLength) {
        if (keyLength < 1 || keyLength > KEY_BYTES_MAX) {
            throw new IllegalArgumentException("key length must be in 1.." + KEY_BYTES_MAX + ": " + keyLength);
        }
        if (valueLength < 0 || valueLength > VALUE_BYTES_MAX) {
            throw new IllegalArgumentException("value length must be in 0.." + VALUE_BYTES_MAX + ": " + valueLength);
        }
    }

    private static long recordBytes(int keyLength, int valueLength, long expiry, boolean ranked) {
        return (long) keyStart(expiry) + keyLength + valueLength + (ranked ? RANK_BYTES : 0);
    }

    private static int keyStart(long expiry) {
        return expiry == NO_EXPIRY ? HEADER_BYTES : HEADER_BYTES + EXPIRY_BYTES;
    }

    /** Frees a record. Its reference means nothing from here on. */
    public void free(long ref) {
        slots.free(ref);
        recordCount--;
    }

    /**
     * Writes a key alone, for an index that needs keys of its own. The key is read like a record, but does not count as
     * a record.
     *
     * @param reserved whether the last 5 % of the memory may be used
     * @return its reference, or 0 when there is no room; nothing has changed then
     */
    public long writeKey(MemorySegment key, long keyOffset, int keyLength, boolean reserved) {
        checkLengths(keyLength, 0);
        long ref = slots.allocateKey(recordBytes(keyLength, 0, NO_EXPIRY, false), reserved);
        if (ref != 0) {
            fill(ref, key, keyOffset, keyLength, key, 0, 0, 0, NO_EXPIRY);
        }
        return ref;
    }

    /** Frees a key that {@link #writeKey} wrote. */
    public void freeKey(long ref) {
        slots.free(ref);
    }

    /** The chunk the record lies in. */
    public MemorySegment segment(long ref) {
        return slots.segment(ref);
    }

    /** The record's version. */
    public long version(long ref) {
        return slots.segment(ref).get(LONG, slots.offset(ref));
    }

    /** Bytes of the key. */
    public int keyLength(long ref) {
        return (int) lengths(ref) & KEY_LENGTH_MASK;
    }

    /** Bytes of the value. */
    public int valueLength(long ref) {
        return (int) (lengths(ref) >>> VALUE_LENGTH_SHIFT) & VALUE_LENGTH_MASK;
    }

    /** Bytes of key and value, which lie side by side from {@link #keyOffset} on. */
    public int contentLength(long ref) {
        long lengths = lengths(ref);
        return ((int) lengths & KEY_LENGTH_MASK) + ((int) (lengths >>> VALUE_LENGTH_SHIFT) & VALUE_LENGTH_MASK);
    }

    /** Offset of the key in {@link #segment}. */
    public long keyOffset(long ref) {
        return keyOffset(slots.offset(ref), lengths(ref));
    }

    /**
     * Reads where the keys and values of some records are; a value begins behind its key.
     *
     * @param batch the records, from index {@code from} on; the arrays are filled from 0 on
     * @param count number of records
     * @param segments of each record {@link #segment}
     * @param keyOffsets of each record {@link #keyOffset}
     * @param keyLengths of each record {@link #keyLength}
     * @param valueLengths of each record {@link #valueLength}
     */
    public void locate(
            RecordBatch batch,
            int from,
            int count,
            MemorySegment[] segments,
            long[] keyOffsets,
            int[] keyLengths,
            int[] valueLengths) {
        for (int i = 0; i < count; i++) {
            long ref = batch.get(from + i);
            MemorySegment segment = slots.segment(ref);
            long at = slots.offset(ref);
            long lengths = segment.get(LONG, at + LENGTHS_OFFSET);
            segments[i] = segment;
            keyOffsets[i] = keyOffset(at, lengths);
            keyLengths[i] = (int) lengths & KEY_LENGTH_MASK;
            valueLengths[i] = (int) (lengths >>> VALUE_LENGTH_SHIFT) & VALUE_LENGTH_MASK;
        }
    }

    /** A copy of the key. */
    public byte[] key(long ref) {
        return segment(ref).asSlice(keyOffset(ref), keyLength(ref)).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Offset of the value in {@link #segment}. */
    public long valueOffset(long ref) {
        long lengths = lengths(ref);
        return keyOffset(slots.offset(ref), lengths) + ((int) lengths & KEY_LENGTH_MASK);
    }

    /** The record's expiry in the table's logical time, or {@link #NO_EXPIRY}. */
    public long expiry(long ref) {
        return hasExpiry(lengths(ref)) ? slots.segment(ref).get(LONG, slots.offset(ref) + EXPIRY_OFFSET) : NO_EXPIRY;
    }

    private static boolean hasExpiry(long lengths) {
        return (lengths >>> EXPIRY_FLAG_BIT & FLAG_EXPIRY) != 0;
    }

    /** The record's rank, or {@link #NO_RANK}. */
    public int rank(long ref) {
        return hasRank(lengths(ref)) ? slots.segment(ref).get(INT, keyOffset(ref) + contentLength(ref)) : NO_RANK;
    }

    /** Gives a record another rank, in place. The record must have a rank. */
    public void setRank(long ref, int rank) {
        slots.segment(ref).set(INT, keyOffset(ref) + contentLength(ref), rank);
    }

    /**
     * Gives a record a rank in place, whether it has one or not.
     *
     * @return false if its slot has no room for a rank; nothing has changed then
     */
    public boolean giveRank(long ref, int rank) {
        long lengths = lengths(ref);
        if (hasRank(lengths)) {
            setRank(ref, rank);
            return true;
        }
        long bytes = keyOffset(ref) - slots.offset(ref) + contentLength(ref) + RANK_BYTES;
        boolean fits = slots.slotBytesFor(bytes) == slots.slotBytes(ref);
        if (fits) {
            appendRank(ref, rank);
        }
        return fits;
    }

    private static boolean hasRank(long lengths) {
        return (lengths >>> RANK_FLAG_BIT & 1) != 0;
    }

    /** The pseudo-key of the record. */
    public long hash(long ref) {
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref);
        long lengths = segment.get(LONG, at + LENGTHS_OFFSET);
        return SegmentHash.hash(segment, keyOffset(at, lengths), (int) lengths & KEY_LENGTH_MASK);
    }

    /** Whether the record's key equals the given one. */
    public boolean keyEquals(long ref, MemorySegment key, long keyOffset, int keyLength) {
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref);
        long lengths = segment.get(LONG, at + LENGTHS_OFFSET);
        return ((int) lengths & KEY_LENGTH_MASK) == keyLength
                && SegmentBytes.equal(segment, keyOffset(at, lengths), key, keyOffset, keyLength);
    }

    /**
     * Compares the record's key with a given one, if both are known to be equal in their first {@code skipped} bytes.
     *
     * @return negative, zero or positive as the record's key is lower, equal or higher
     */
    public int compareKey(long ref, MemorySegment key, long keyOffset, int keyLength, int skipped) {
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref);
        long lengths = segment.get(LONG, at + LENGTHS_OFFSET);
        int length = (int) lengths & KEY_LENGTH_MASK;
        return KeyOrder.compare(segment, keyOffset(at, lengths), length, key, keyOffset, keyLength, skipped);
    }

    /** The {@link KeyOrder#head} of the record's key. */
    public long keyHead(long ref, int skipped) {
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref);
        long lengths = segment.get(LONG, at + LENGTHS_OFFSET);
        return KeyOrder.head(segment, keyOffset(at, lengths), (int) lengths & KEY_LENGTH_MASK, skipped);
    }

    /** Number of bytes that the keys of two records have in common at their beginning. */
    public int commonKeyBytes(long ref, long otherRef) {
        return commonKeyBytes(ref, segment(otherRef), keyOffset(otherRef), keyLength(otherRef));
    }

    /** Number of bytes that the record's key and a given key have in common at their beginning. */
    public int commonKeyBytes(long ref, MemorySegment key, long keyOffset, int keyLength) {
        return KeyOrder.common(segment(ref), keyOffset(ref), keyLength(ref), key, keyOffset, keyLength);
    }

    private long lengths(long ref) {
        return slots.segment(ref).get(LONG, slots.offset(ref) + LENGTHS_OFFSET);
    }

    private static long keyOffset(long at, long lengths) {
        return at + HEADER_BYTES + ((lengths >>> EXPIRY_FLAG_BIT & FLAG_EXPIRY) << EXPIRY_BYTES_LOG);
    }

    /**
     * Loads the first three cache lines of a record: its header, its key and the beginning of its value, for which a
     * copy would wait next.
     *
     * @return a number to be consumed, so that the access isn't optimised away
     */
    public int touch(long ref) {
        return (int) slots.touch(ref, LINES_TOUCHED);
    }

    /** Touches, as {@link #touch(long)} does, the records of a batch from an index on. */
    public long touch(RecordBatch batch, int from) {
        return slots.touchAll(batch.references(), from, batch.size(), LINES_TOUCHED);
    }

    /** Bytes the record occupies: header, key, value and rank, rounded up to its slot. */
    public long slotBytes(long ref) {
        return slots.slotBytes(ref);
    }

    /** Number of records in the store. */
    public long recordCount() {
        return recordCount;
    }

    /** Bytes of all slots in use: records, and the structures that refer to them. */
    public long liveBytes() {
        return slots.liveBytes();
    }

    /** Bytes taken from the source. */
    public long usedBytes() {
        return slots.usedBytes();
    }
}
