package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import java.lang.foreign.MemorySegment;

/** Finds and counts the code points of texts. */
final class TextSearch {
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private TextSearch() {}

    /** Code points of a text: its bytes that do not continue a code point. */
    static int codePoints(MemorySegment text, long from, int length) {
        int continuations = 0;
        long end = from + length;
        long at = from;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            long word = text.get(LONG, at);
            continuations += Long.bitCount(word & ~(word << 1) & HIGH_BITS);
        }
        for (; at < end; at++) {
            continuations += continues(text.get(BYTE, at)) ? 1 : 0;
        }
        return length - continuations;
    }

    /** Whether a byte continues a code point: its highest bits are 10. */
    static boolean continues(byte value) {
        return (value & 0xc0) == 0x80;
    }

    /** Where the code point that is {@code count} behind the one at {@code from} begins; at most {@code end}. */
    static long skip(MemorySegment text, long from, long end, long count) {
        long at = from;
        for (long k = 0; k < count && at < end; k++) {
            at++;
            while (at < end && continues(text.get(BYTE, at))) {
                at++;
            }
        }
        return at;
    }

    /** Where the last {@code count} code points before {@code end} begin; -1 if there are not so many. */
    static long skipBack(MemorySegment text, long from, long end, int count) {
        long at = end;
        for (int k = 0; k < count; k++) {
            if (at == from) {
                return -1;
            }
            at--;
            while (at > from && continues(text.get(BYTE, at))) {
                at--;
            }
        }
        return at;
    }

    static boolean isAscii(MemorySegment text, long from, int length) {
        long end = from + length;
        long at = from;
        long all = 0;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            all |= text.get(LONG, at);
        }
        for (; at < end; at++) {
            all |= text.get(BYTE, at);
        }
        return (all & HIGH_BITS) == 0;
    }
}
