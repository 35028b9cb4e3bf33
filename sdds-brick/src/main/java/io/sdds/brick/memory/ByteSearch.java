package io.sdds.brick.memory;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import java.lang.foreign.MemorySegment;

/** Looks for some bytes anywhere in others. */
public final class ByteSearch {

    /* Eight places are tested at once: the first bytes of all eight are one word, the last bytes another. The bytes are
     * compared in full only where both are equal. After W. Muła, "SIMD-friendly algorithms for substring searching"
     * (2016), with words of 64 bits as in L. Lamport, "Multiple byte processing with full-word instructions"
     * (CACM 18(8), 1975). */

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final int NONE = -1;

    private ByteSearch() {}

    /** The first place of some bytes from {@code from} on, below {@code end}; -1 without one. No bytes are anywhere. */
    public static long find(MemorySegment text, long from, long end, MemorySegment sought, long soughtAt, int length) {
        long places = end - from - length + 1;
        if (length == 0 || places <= 0) {
            return length == 0 ? from : NONE;
        }
        byte first = sought.get(BYTE, soughtAt);
        if (places < Long.BYTES) {
            for (long place = from; place < from + places; place++) {
                if (text.get(BYTE, place) == first && SegmentBytes.equal(text, place, sought, soughtAt, length)) {
                    return place;
                }
            }
            return NONE;
        }
        long firsts = (first & 0xFF) * EACH_BYTE;
        long lasts = (sought.get(BYTE, soughtAt + length - 1) & 0xFF) * EACH_BYTE;
        long last = from + places - Long.BYTES;
        for (long at = from; ; at = Math.min(at + Long.BYTES, last)) { // the last word overlaps the places before
            long differing = text.get(LONG, at) ^ firsts | text.get(LONG, at + length - 1) ^ lasts;
            // A borrow may make a byte of 1 behind an equal byte a candidate, too, which does no harm.
            long candidates = differing - EACH_BYTE & ~differing & HIGH_BITS;
            for (; candidates != 0; candidates &= candidates - 1) {
                long place = at + (Long.numberOfTrailingZeros(candidates) >>> 3);
                if (SegmentBytes.equal(text, place, sought, soughtAt, length)) {
                    return place;
                }
            }
            if (at == last) {
                return NONE;
            }
        }
    }
}
