package io.sdds.brick.memory;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.core.query.TwoWaySearch;
import java.lang.foreign.MemorySegment;

/** Looks for some bytes anywhere in others, and counts its work. For one thread. */
public final class ByteSearch {

    /* Eight places are tested at once: the first bytes of all eight are one word, the last bytes another. The bytes are
     * compared in full only where both are equal. After W. Muła, "SIMD-friendly algorithms for substring searching"
     * (2016), with words of 64 bits as in L. Lamport, "Multiple byte processing with full-word instructions"
     * (CACM 18(8), 1975).
     *
     * A text may be made so that many bytes are compared in vain at each place. The bytes of vain comparisons are
     * counted, and a search that by far compares more of them than it has passed goes on with a linear search. So the
     * work is linear in the text. */

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final int NONE = -1;

    /** Work of a vain comparison besides its bytes. */
    private static final int VAIN_WORK = 16;

    /** Vain work for each byte of the text after which a search gets linear. */
    private static final int VAIN_FACTOR = 8;

    /** Vain work that a search may do in any case. */
    private static final int VAIN_MIN = 4096;

    /** Work of a byte that the linear search compares. */
    private static final int LINEAR_WORK = 16;

    private static final int BULK_BYTES_MIN = 256;

    private final Linear linear = new Linear();
    private long work;

    /** The first place of some bytes from {@code from} on, below {@code end}; -1 without one. No bytes are anywhere. */
    public long find(MemorySegment text, long from, long end, MemorySegment sought, long soughtAt, int length) {
        long places = end - from - length + 1;
        if (length == 0 || places <= 0) {
            return length == 0 ? from : NONE;
        }
        return places < Long.BYTES
                ? findInFew(text, from, places, sought, soughtAt, length)
                : findByWords(text, from, places, sought, soughtAt, length);
    }

    private long findInFew(
            MemorySegment text, long from, long places, MemorySegment sought, long soughtAt, int length) {
        byte first = sought.get(BYTE, soughtAt);
        work += places;
        for (long place = from; place < from + places; place++) {
            if (text.get(BYTE, place) == first) {
                int different = mismatch(text, place, sought, soughtAt, length);
                if (different < 0) {
                    return place;
                }
                work += different + VAIN_WORK;
            }
        }
        return NONE;
    }

    private long findByWords(
            MemorySegment text, long from, long places, MemorySegment sought, long soughtAt, int length) {
        long firsts = (sought.get(BYTE, soughtAt) & 0xFF) * EACH_BYTE;
        long lasts = (sought.get(BYTE, soughtAt + length - 1) & 0xFF) * EACH_BYTE;
        long last = from + places - Long.BYTES;
        long vain = 0;
        for (long at = from; ; at = Math.min(at + Long.BYTES, last)) { // the last word overlaps the places before
            long differing = text.get(LONG, at) ^ firsts | text.get(LONG, at + length - 1) ^ lasts;
            // A borrow may make a byte of 1 behind an equal byte a candidate, too, which does no harm.
            long candidates = differing - EACH_BYTE & ~differing & HIGH_BITS;
            for (; candidates != 0; candidates &= candidates - 1) {
                long place = at + (Long.numberOfTrailingZeros(candidates) >>> 3);
                int different = mismatch(text, place, sought, soughtAt, length);
                if (different < 0) {
                    work += place - from + vain;
                    return place;
                }
                vain += different + VAIN_WORK;
            }
            if (vain > VAIN_FACTOR * (at - from) + VAIN_MIN) {
                long place = linear.find(text, at, from + places + length - 1, sought, soughtAt, length);
                work += at - from + vain + LINEAR_WORK * linear.takeCompared();
                return place;
            }
            if (at == last) {
                work += places + vain;
                return NONE;
            }
        }
    }

    /** Counts other work on texts. */
    public void count(long bytes) {
        work += bytes;
    }

    /** Work since the last call of {@link #takeWork}: bytes that are read by words in the same time. */
    public long work() {
        return work;
    }

    /** Work since the last call. */
    public long takeWork() {
        long taken = work;
        work = 0;
        return taken;
    }

    /** The number of equal bytes of two ranges before they differ, or less by up to 7; -1 if they are equal. */
    private static int mismatch(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        if (length >= BULK_BYTES_MIN) {
            return (int) MemorySegment.mismatch(a, aOffset, aOffset + length, b, bOffset, bOffset + length);
        }
        if (length < Long.BYTES) {
            return SegmentBytes.equal(a, aOffset, b, bOffset, length) ? NONE : 0;
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (a.get(LONG, aOffset + i) != b.get(LONG, bOffset + i)) {
                return i;
            }
        }
        return a.get(LONG, aOffset + last) == b.get(LONG, bOffset + last) ? NONE : last;
    }

    /** The linear search on memory segments. */
    private static final class Linear extends TwoWaySearch {
        private MemorySegment text = MemorySegment.NULL;
        private MemorySegment sought = MemorySegment.NULL;
        private long soughtAt;

        long find(MemorySegment in, long from, long end, MemorySegment what, long whatAt, int length) {
            text = in;
            sought = what;
            soughtAt = whatAt;
            long place = find(from, end, length);
            text = MemorySegment.NULL;
            sought = MemorySegment.NULL;
            return place;
        }

        @Override
        protected byte text(long at) {
            return text.get(BYTE, at);
        }

        @Override
        protected byte sought(int at) {
            return sought.get(BYTE, soughtAt + at);
        }
    }
}
