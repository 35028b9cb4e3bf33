package io.sdds.brick.memory;

import static io.sdds.brick.memory.SegmentBytes.BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The order of keys: lexicographic by unsigned bytes. A key comes before longer keys that begin with it. */
public final class KeyOrder {

    /** Bytes of a key that its {@link #head} is made of. */
    public static final int HEAD_BYTES = Long.BYTES;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int BULK_BYTES_MIN = 256;

    private KeyOrder() {}

    /**
     * The first 63 bits of a key behind its first {@code skipped} bytes, as a number that is not negative. If two keys
     * are equal in their first {@code skipped} bytes, the lower key has the lower head, or both heads are equal. A key
     * that is too short is filled up with zeros. A head has 63 bits, so that the sign of a difference tells which head
     * is lower.
     *
     * @param skipped any number; bytes behind the key's end count as zeros
     */
    public static long head(MemorySegment key, long offset, int length, int skipped) {
        int rest = length - skipped;
        if (rest >= HEAD_BYTES) {
            return key.get(WORD, offset + skipped) >>> 1;
        }
        if (rest <= 0) {
            return 0;
        }
        int missingBits = (HEAD_BYTES - rest) * Byte.SIZE;
        long word =
                length >= HEAD_BYTES ? key.get(WORD, offset + length - HEAD_BYTES) : bytes(key, offset + skipped, rest);
        return word << missingBits >>> 1;
    }

    private static long bytes(MemorySegment key, long offset, int count) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes = bytes << Byte.SIZE | key.get(BYTE, offset + i) & 0xFF;
        }
        return bytes;
    }

    /**
     * Compares two keys that are known to be equal in their first {@code skipped} bytes.
     *
     * @return negative, zero or positive as the first key is lower, equal or higher
     */
    public static int compare(
            MemorySegment a, long aOffset, int aLength, MemorySegment b, long bOffset, int bLength, int skipped) {
        int shorter = Math.min(aLength, bLength);
        int from = skipped;
        if (shorter - from >= BULK_BYTES_MIN) {
            from = common(a, aOffset, b, bOffset, from, shorter);
        }
        for (; from <= shorter - Long.BYTES; from += Long.BYTES) {
            long aWord = a.get(WORD, aOffset + from);
            long bWord = b.get(WORD, bOffset + from);
            if (aWord != bWord) {
                return Long.compareUnsigned(aWord, bWord);
            }
        }
        int difference = shorter >= Long.BYTES
                ? compareLastWord(a, aOffset, b, bOffset, shorter)
                : compareBytes(a, aOffset, b, bOffset, from, shorter);
        return difference != 0 ? difference : aLength - bLength;
    }

    /** Compares keys that are equal in all but the last eight of {@code length} bytes. */
    private static int compareLastWord(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        int last = length - Long.BYTES;
        return Long.compareUnsigned(a.get(WORD, aOffset + last), b.get(WORD, bOffset + last));
    }

    private static int compareBytes(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int from, int end) {
        for (int i = from; i < end; i++) {
            int difference = (a.get(BYTE, aOffset + i) & 0xFF) - (b.get(BYTE, bOffset + i) & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    /** Number of bytes that two keys have in common at their beginning. */
    public static int common(MemorySegment a, long aOffset, int aLength, MemorySegment b, long bOffset, int bLength) {
        return common(a, aOffset, b, bOffset, 0, Math.min(aLength, bLength));
    }

    private static int common(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int from, int end) {
        long differing = MemorySegment.mismatch(a, aOffset + from, aOffset + end, b, bOffset + from, bOffset + end);
        return differing < 0 ? end : from + (int) differing;
    }
}
