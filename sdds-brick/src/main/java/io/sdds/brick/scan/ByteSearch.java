package io.sdds.brick.scan;

import io.sdds.brick.memory.SegmentBytes;
import java.lang.foreign.MemorySegment;

/** Looks for some bytes anywhere in a field. */
final class ByteSearch {

    /* Eight places are tested at once: the first bytes of all eight are one word, the last bytes another. The bytes are
     * compared in full only where both are equal. After W. Muła, "SIMD-friendly algorithms for substring searching"
     * (2016), with words of 64 bits as in L. Lamport, "Multiple byte processing with full-word instructions"
     * (CACM 18(8), 1975). */

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private final MemorySegment sought;
    private final int length;
    private final long firsts;
    private final long lasts;

    /** @param sought the bytes to look for; not changed any more */
    ByteSearch(byte[] sought) {
        this.sought = MemorySegment.ofArray(sought);
        this.length = sought.length;
        this.firsts = length == 0 ? 0 : (sought[0] & 0xFF) * EACH_BYTE;
        this.lasts = length == 0 ? 0 : (sought[length - 1] & 0xFF) * EACH_BYTE;
    }

    /** Whether the bytes are somewhere in a field; no bytes are in every field. */
    boolean isIn(MemorySegment field, long at, int fieldLength) {
        long places = fieldLength - length + 1L;
        if (length == 0 || places <= 0) {
            return length == 0;
        }
        if (places < Long.BYTES) {
            return isInFew(field, at, (int) places);
        }
        long last = at + places - Long.BYTES;
        for (long place = at; place < last; place += Long.BYTES) {
            if (isAmong(field, place)) {
                return true;
            }
        }
        return isAmong(field, last); // overlaps the places before
    }

    private boolean isAmong(MemorySegment field, long place) {
        long differing =
                field.get(SegmentBytes.LONG, place) ^ firsts | field.get(SegmentBytes.LONG, place + length - 1) ^ lasts;
        // A borrow may make a byte of 1 behind an equal byte a candidate, too, which does no harm.
        long candidates = differing - EACH_BYTE & ~differing & HIGH_BITS;
        for (; candidates != 0; candidates &= candidates - 1) {
            if (isAt(field, place + (Long.numberOfTrailingZeros(candidates) >>> 3))) {
                return true;
            }
        }
        return false;
    }

    private boolean isInFew(MemorySegment field, long at, int places) {
        for (int place = 0; place < places; place++) {
            if (field.get(SegmentBytes.BYTE, at + place) == (byte) firsts && isAt(field, at + place)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAt(MemorySegment field, long place) {
        return SegmentBytes.equal(field, place, sought, 0, length);
    }
}
