package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.brick.memory.SegmentBytes;
import java.lang.foreign.MemorySegment;

/** Finds bytes in bytes. */
final class TextSearch {
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private TextSearch() {}

    /**
     * The first place of {@code wanted} from {@code from} on, below {@code end}; -1 if there is none.
     *
     * <p>Looks at eight places at a time: at those whose first and last bytes are right, the bytes are compared.
     */
    static long find(MemorySegment text, long from, long end, MemorySegment wanted, long wantedAt, int length) {
        if (length == 0) {
            return from;
        }
        long lastPlace = end - length;
        long firsts = (wanted.get(BYTE, wantedAt) & 0xff) * EACH_BYTE;
        long lasts = (wanted.get(BYTE, wantedAt + length - 1) & 0xff) * EACH_BYTE;
        long at = from;
        for (; at + Long.BYTES - 1 <= lastPlace; at += Long.BYTES) {
            long differs = text.get(LONG, at) ^ firsts | text.get(LONG, at + length - 1) ^ lasts;
            // A byte of zero has its high bit set here; a byte above one may have it, too.
            for (long zeros = differs - EACH_BYTE & ~differs & HIGH_BITS; zeros != 0; zeros &= zeros - 1) {
                long place = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
                if (SegmentBytes.equal(text, place, wanted, wantedAt, length)) {
                    return place;
                }
            }
        }
        for (; at <= lastPlace; at++) {
            if (text.get(BYTE, at) == (byte) firsts && SegmentBytes.equal(text, at, wanted, wantedAt, length)) {
                return at;
            }
        }
        return -1;
    }

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
