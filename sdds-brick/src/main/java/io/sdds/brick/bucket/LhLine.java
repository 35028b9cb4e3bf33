package io.sdds.brick.bucket;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * A line of an LH-bucket: one cache line of up to twelve records.
 *
 * <p>Layout (little endian): 12 tags of 1 byte; reference of the overflow line, 4 bytes, 0 if none; 12 references of
 * records, 4 bytes each. A tag is eight bits of the pseudo-key that addressing does not use, and is never 0. Tag 0
 * marks a free place. Places are used from the first on.
 */
final class LhLine {

    static final int BYTES = 64;
    static final int PLACES = 12;

    /** Tags of the first eight places, compared at once. */
    static final int TAGS_OFFSET = 0;

    /** Tags of the last four places below, the overflow line above. */
    static final int REST_OFFSET = 8;

    static final int REST_SHIFT = 32;

    private static final int OVERFLOW_OFFSET = 12;
    private static final int REFERENCES_OFFSET = 16;
    private static final long REFERENCE_MASK = 0xFFFF_FFFFL;
    private static final int TAG_SHIFT = 56;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_SEVEN_BITS = 0x7F7F_7F7F_7F7F_7F7FL;
    private static final long LAST_FOUR_PLACES = 0x8080_8080L;

    private LhLine() {}

    /** The tag of a pseudo-key: its highest bits. */
    static int tag(long hash) {
        int tag = (int) (hash >>> TAG_SHIFT);
        return tag == 0 ? 1 : tag;
    }

    /** A word with the tag of a pseudo-key in each byte, for {@link #matches}. */
    static long pattern(long hash) {
        return tag(hash) * EACH_BYTE;
    }

    /**
     * The places that have the tag of the pattern, as a set of bits that {@link #place} takes apart.
     *
     * @param tags the word at {@link #TAGS_OFFSET}
     * @param rest the word at {@link #REST_OFFSET}
     */
    static long matches(long tags, long rest, long pattern) {
        // Bits 0, 8, 16, … for the first eight places, bits 1, 9, 17, 25 for the last four: no branch tells them apart.
        return equalBytes(tags, pattern) >>> 7 | (equalBytes(rest, pattern) & LAST_FOUR_PLACES) >>> 6;
    }

    /** The place of the lowest bit of some matches. */
    static int place(long matches) {
        int bit = Long.numberOfTrailingZeros(matches);
        return bit >>> 3 | (bit & 1) << 3;
    }

    /** The highest bit of each byte that is equal in both words. */
    private static long equalBytes(long a, long b) {
        long difference = a ^ b;
        return ~((difference & LOW_SEVEN_BITS) + LOW_SEVEN_BITS | difference | LOW_SEVEN_BITS);
    }

    static void clear(MemorySegment segment, long line) {
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            segment.set(LONG, line + i, 0);
        }
    }

    /** Number of places in use. */
    static int count(MemorySegment segment, long line) {
        long free = equalBytes(segment.get(LONG, line + TAGS_OFFSET), 0);
        if (free == 0) {
            long rest = segment.get(LONG, line + REST_OFFSET);
            free = equalBytes(rest, 0) & LAST_FOUR_PLACES;
            return free == 0 ? PLACES : Long.BYTES + (Long.numberOfTrailingZeros(free) >>> 3);
        }
        return Long.numberOfTrailingZeros(free) >>> 3;
    }

    static long reference(MemorySegment segment, long line, int place) {
        return segment.get(INT, line + REFERENCES_OFFSET + 4L * place) & REFERENCE_MASK;
    }

    static void setReference(MemorySegment segment, long line, int place, long reference) {
        segment.set(INT, line + REFERENCES_OFFSET + 4L * place, (int) reference);
    }

    static int tagAt(MemorySegment segment, long line, int place) {
        return segment.get(BYTE, line + place) & 0xFF;
    }

    static void set(MemorySegment segment, long line, int place, int tag, long reference) {
        segment.set(BYTE, line + place, (byte) tag);
        setReference(segment, line, place, reference);
    }

    static long overflow(MemorySegment segment, long line) {
        return segment.get(INT, line + OVERFLOW_OFFSET) & REFERENCE_MASK;
    }

    static void setOverflow(MemorySegment segment, long line, long reference) {
        segment.set(INT, line + OVERFLOW_OFFSET, (int) reference);
    }
}
