package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import java.lang.foreign.MemorySegment;

/** Code points in UTF-8. */
final class Utf8Points {
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final int FIRST_OF_TWO_MIN = 0xc2;
    private static final int FIRST_OF_THREE = 0xe0;
    private static final int FIRST_OF_FOUR = 0xf0;
    private static final int FIRST_MAX = 0xf4;
    private static final int[] SMALLEST = {0, 0, 0x80, 0x800, 0x10000};

    private Utf8Points() {}

    /** Bytes of the code point that begins at a place, as its first byte tells; 1 if the byte begins none. */
    static int length(MemorySegment text, long at, long end) {
        int first = text.get(BYTE, at) & 0xff;
        int length = first < FIRST_OF_TWO_MIN || first > FIRST_MAX
                ? 1
                : first < FIRST_OF_THREE ? 2 : first < FIRST_OF_FOUR ? 3 : 4;
        return at + length > end ? 1 : length;
    }

    /** The code point of so many bytes; -1 if they are no UTF-8. */
    static int read(MemorySegment text, long at, int length) {
        int first = text.get(BYTE, at);
        if (length == 1) {
            return first >= 0 ? first : -1;
        }
        int point = first & 0x7f >> length;
        for (int k = 1; k < length; k++) {
            byte next = text.get(BYTE, at + k);
            if (!TextSearch.continues(next)) {
                return -1;
            }
            point = point << 6 | next & 0x3f;
        }
        boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return point < SMALLEST[length] || surrogate || point > Character.MAX_CODE_POINT ? -1 : point;
    }

    /** Whether bytes are UTF-8. */
    static boolean isValid(MemorySegment text, long from, int bytes) {
        long end = from + bytes;
        for (long at = from; at < end; ) {
            if (at + Long.BYTES <= end && (text.get(LONG, at) & HIGH_BITS) == 0) {
                at += Long.BYTES;
                continue;
            }
            int length = length(text, at, end);
            if (read(text, at, length) < 0) {
                return false;
            }
            at += length;
        }
        return true;
    }
}
