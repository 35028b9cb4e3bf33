package io.sdds.brick.parity.records;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;
import static io.sdds.brick.memory.SegmentBytes.SHORT;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The coded form of a data record: the bytes of which parity records are linear combinations.
 *
 * <p>Nothing here allocates but {@link #problem}, which describes what is wrong. Any thread may use it.
 */
public final class CodedRecord {

    /* Layout (little endian): the bytes of the record in a RecordStore without its rank, and a checksum.
     *
     *      0  version        8 bytes
     *      8  key length     2 bytes
     *     10  value length   25 bits, then 7 bits of flags
     *     14  expiry         8 bytes, present if FLAG_EXPIRY
     *         key
     *         value
     *         checksum       4 bytes: XXH3 of all bytes before it, truncated
     *
     * The checksum is not a CRC. A CRC is affine: the XOR of three records of one length has the right CRC, and such an
     * XOR is what a decoder computes that mixes up two versions of a record. The seed differs from the seed of
     * pseudo-keys, so a pseudo-key is no checksum.
     *
     * The last byte of the checksum is never 0, so a coded record never ends in a zero byte. Therefore the longest of
     * the fields that a decoder reads is never shorter than a record that it decodes, although parity fields are stored
     * without their trailing zeros. */

    /** Bytes of the checksum. */
    public static final int CHECKSUM_BYTES = 4;

    private static final int LENGTHS_OFFSET = 8;
    private static final int VALUE_LENGTH_OFFSET = 10;
    private static final int EXPIRY_OFFSET = 14;
    private static final int HEADER_BYTES = 14;
    private static final int EXPIRY_BYTES = 8;

    private static final int KEY_LENGTH_MASK = 0xFFFF;
    private static final int VALUE_LENGTH_MASK = (1 << 25) - 1;
    private static final int FLAGS_SHIFT = 25;
    private static final int FLAG_EXPIRY = 1;

    private static final int LAST_BYTE_SHIFT = 24;
    private static final long CHECKSUM_SEED = 0x7061_7269_7479_0001L;
    private static final Hasher64 XXH3 = Hashing.xxh3_64(CHECKSUM_SEED);
    private static final ByteAccess<MemorySegment> BYTES = ByteAccess.forMemorySegment(MemorySegment.class);

    private CodedRecord() {}

    /**
     * Bytes of the coded form of a record.
     *
     * @param expiry in logical time, or {@link RecordStore#NO_EXPIRY}
     */
    public static int length(int keyLength, int valueLength, long expiry) {
        return keyStart(expiry) + keyLength + valueLength + CHECKSUM_BYTES;
    }

    /** Bytes of the coded form of a store's record. */
    public static int length(RecordStore store, long ref) {
        return keyStart(store.expiry(ref)) + store.contentLength(ref) + CHECKSUM_BYTES;
    }

    /**
     * Writes the coded form of a record that is given in parts. The lengths must be valid for a {@link RecordStore}.
     *
     * @param expiry in logical time, or {@link RecordStore#NO_EXPIRY}
     * @return bytes written, which are {@link #length} bytes
     */
    public static int write(
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            MemorySegment dst,
            long at) {
        long keyAt = writeHeader(keyLength, valueLength, version, expiry, dst, at);
        MemorySegment.copy(key, keyOffset, dst, keyAt, keyLength);
        MemorySegment.copy(value, valueOffset, dst, keyAt + keyLength, valueLength);
        return writeChecksum(dst, at, keyAt + keyLength + valueLength);
    }

    /**
     * Writes the coded form of a store's record, which may have a rank or none.
     *
     * @return bytes written, which are {@link #length} bytes
     */
    public static int write(RecordStore store, long ref, MemorySegment dst, long at) {
        int keyLength = store.keyLength(ref);
        int valueLength = store.valueLength(ref);
        long keyAt = writeHeader(keyLength, valueLength, store.version(ref), store.expiry(ref), dst, at);
        int contentLength = keyLength + valueLength;
        MemorySegment.copy(store.segment(ref), store.keyOffset(ref), dst, keyAt, contentLength);
        return writeChecksum(dst, at, keyAt + contentLength);
    }

    private static long writeHeader(
            int keyLength, int valueLength, long version, long expiry, MemorySegment dst, long at) {
        int flags = expiry == RecordStore.NO_EXPIRY ? 0 : FLAG_EXPIRY;
        dst.set(LONG, at, version);
        dst.set(SHORT, at + LENGTHS_OFFSET, (short) keyLength);
        dst.set(INT, at + VALUE_LENGTH_OFFSET, flags << FLAGS_SHIFT | valueLength);
        if (flags != 0) {
            dst.set(LONG, at + EXPIRY_OFFSET, expiry);
        }
        return at + keyStart(expiry);
    }

    private static int writeChecksum(MemorySegment dst, long at, long checksumAt) {
        int covered = (int) (checksumAt - at);
        dst.set(INT, checksumAt, checksum(dst, at, covered));
        return covered + CHECKSUM_BYTES;
    }

    private static int checksum(MemorySegment segment, long at, int length) {
        int checksum = (int) XXH3.hashBytesToLong(segment, at, length, BYTES);
        return checksum >>> LAST_BYTE_SHIFT == 0 ? checksum | 1 << LAST_BYTE_SHIFT : checksum;
    }

    private static int keyStart(long expiry) {
        return expiry == RecordStore.NO_EXPIRY ? HEADER_BYTES : HEADER_BYTES + EXPIRY_BYTES;
    }

    /**
     * Turns the coded form of a new record into the delta of a change: coded(new) xor coded(old), the shorter of the
     * two filled up with zeros.
     *
     * @param old the old record's coded form
     * @param oldLength its bytes; 0 if there was no record
     * @param dst at {@code at}, the new record's coded form, then the delta; with room for the longer of the two
     * @param newLength bytes of the new record's coded form; 0 if the record is removed
     * @return bytes of the delta
     */
    public static int toDelta(
            ErasureKernel kernel,
            MemorySegment old,
            long oldOffset,
            int oldLength,
            MemorySegment dst,
            long at,
            int newLength) {
        int common = Math.min(oldLength, newLength);
        kernel.fold(dst, at, old, oldOffset, 1, common);
        if (oldLength > common) {
            MemorySegment.copy(old, oldOffset + common, dst, at + common, (long) oldLength - common);
        }
        return Math.max(oldLength, newLength);
    }

    /** Whether {@link #problem} finds nothing. */
    public static boolean isWhole(MemorySegment segment, long at, int fieldLength) {
        return hasWholeHeader(segment, at, fieldLength)
                && checksumFits(segment, at)
                && isZero(segment, at + length(segment, at), fieldLength - length(segment, at));
    }

    /**
     * What is wrong with a decoded field; null if it is one whole coded record, with nothing but zeros behind it.
     *
     * @param at offset of the field in its segment, in bytes
     * @param fieldLength bytes of the field
     */
    public static @Nullable String problem(MemorySegment segment, long at, int fieldLength) {
        if (!hasWholeHeader(segment, at, fieldLength)) {
            return "a field of " + fieldLength + " bytes holds no whole header";
        }
        int length = length(segment, at);
        if (!checksumFits(segment, at)) {
            return "the checksum of " + length + " bytes is wrong";
        }
        return isWhole(segment, at, fieldLength)
                ? null
                : "there are bytes behind the " + length + " bytes of the record";
    }

    private static boolean hasWholeHeader(MemorySegment segment, long at, int fieldLength) {
        if (fieldLength < HEADER_BYTES || keyLength(segment, at) == 0) {
            return false;
        }
        int flags = segment.get(INT, at + VALUE_LENGTH_OFFSET) >>> FLAGS_SHIFT;
        return (flags & ~FLAG_EXPIRY) == 0
                && valueLength(segment, at) <= RecordStore.VALUE_BYTES_MAX
                && length(segment, at) <= fieldLength;
    }

    private static boolean checksumFits(MemorySegment segment, long at) {
        int covered = length(segment, at) - CHECKSUM_BYTES;
        return segment.get(INT, at + covered) == checksum(segment, at, covered);
    }

    /** Whether a decoded field is all zeros: the column had no record at this rank. */
    public static boolean isZero(MemorySegment segment, long at, int length) {
        return trimmedLength(segment, at, length) == 0;
    }

    /** Bytes of a field without its trailing zeros. */
    static int trimmedLength(MemorySegment segment, long at, int length) {
        int end = length;
        while (end >= Long.BYTES && segment.get(LONG, at + end - Long.BYTES) == 0) {
            end -= Long.BYTES;
        }
        while (end > 0 && segment.get(BYTE, at + end - 1) == 0) {
            end--;
        }
        return end;
    }

    /** Bytes of a whole coded record. */
    public static int length(MemorySegment segment, long at) {
        return keyStart(segment, at) + keyLength(segment, at) + valueLength(segment, at) + CHECKSUM_BYTES;
    }

    /** Version of a whole coded record. */
    public static long version(MemorySegment segment, long at) {
        return segment.get(LONG, at);
    }

    /** Expiry of a whole coded record in logical time, or {@link RecordStore#NO_EXPIRY}. */
    public static long expiry(MemorySegment segment, long at) {
        return keyStart(segment, at) == HEADER_BYTES ? RecordStore.NO_EXPIRY : segment.get(LONG, at + EXPIRY_OFFSET);
    }

    /** Offset, in the segment, of the key of a whole coded record. */
    public static long keyOffset(MemorySegment segment, long at) {
        return at + keyStart(segment, at);
    }

    /** Bytes of the key of a whole coded record. */
    public static int keyLength(MemorySegment segment, long at) {
        return segment.get(SHORT, at + LENGTHS_OFFSET) & KEY_LENGTH_MASK;
    }

    /** Offset, in the segment, of the value of a whole coded record. */
    public static long valueOffset(MemorySegment segment, long at) {
        return keyOffset(segment, at) + keyLength(segment, at);
    }

    /** Bytes of the value of a whole coded record. */
    public static int valueLength(MemorySegment segment, long at) {
        return segment.get(INT, at + VALUE_LENGTH_OFFSET) & VALUE_LENGTH_MASK;
    }

    private static int keyStart(MemorySegment segment, long at) {
        int flags = segment.get(INT, at + VALUE_LENGTH_OFFSET) >>> FLAGS_SHIFT;
        return HEADER_BYTES + (flags & FLAG_EXPIRY) * EXPIRY_BYTES;
    }
}
