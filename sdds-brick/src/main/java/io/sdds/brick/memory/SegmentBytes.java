package io.sdds.brick.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Reading and comparing bytes of memory segments; all numbers are little endian and need no alignment. */
public final class SegmentBytes {

    /** Eight bytes. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Four bytes. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Two bytes. */
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** One byte. */
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final long BULK_BYTES_MIN = 256;

    private SegmentBytes() {}

    /** Whether two ranges of {@code length} bytes are equal. Faster than {@code mismatch} for keys, which are short. */
    public static boolean equal(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        if (length >= BULK_BYTES_MIN) {
            return MemorySegment.mismatch(a, aOffset, aOffset + length, b, bOffset, bOffset + length) < 0;
        }
        return length >= Long.BYTES
                ? equalWords(a, aOffset, b, bOffset, length)
                : equalTail(a, aOffset, b, bOffset, length);
    }

    /** Compares at least eight bytes word by word. The last word overlaps the word before. */
    private static boolean equalWords(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (a.get(LONG, aOffset + i) != b.get(LONG, bOffset + i)) {
                return false;
            }
        }
        return a.get(LONG, aOffset + last) == b.get(LONG, bOffset + last);
    }

    /** Compares at most seven bytes. */
    private static boolean equalTail(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        if (length >= Integer.BYTES) {
            int last = length - Integer.BYTES;
            return a.get(INT, aOffset) == b.get(INT, bOffset)
                    && a.get(INT, aOffset + last) == b.get(INT, bOffset + last);
        }
        for (int i = 0; i < length; i++) {
            if (a.get(BYTE, aOffset + i) != b.get(BYTE, bOffset + i)) {
                return false;
            }
        }
        return true;
    }
}
