package io.sdds.brick.bucket;

import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The growing array of the first lines of a file's LH-buckets. It grows and shrinks by segments of 256 lines; only an
 * array of less than one segment is copied when it grows.
 */
final class LineArray {

    static final int SEGMENT_LINES_LOG = 8;
    static final int SEGMENT_LINES = 1 << SEGMENT_LINES_LOG;

    private static final long LINE_UNITS = LhLine.BYTES / 8;
    private static final long REFERENCE_MASK = 0xFFFF_FFFFL;

    private final SlotSpace slots;
    private int[] segments = new int[1];

    /** Number of lines that the first segment has room for: a power of two, or 0. */
    private int firstSegmentLines;

    private long bytes;

    LineArray(SlotSpace slots) {
        this.slots = slots;
    }

    /** Reference of a line; 0, which reads as an empty line, for the first line of an array without lines. */
    long line(int index) {
        return (segments[index >>> SEGMENT_LINES_LOG] & REFERENCE_MASK) + (index & (SEGMENT_LINES - 1)) * LINE_UNITS;
    }

    /** Bytes of the segments. */
    long bytes() {
        return bytes;
    }

    /**
     * Makes room for {@code lines} lines, at most one line more than before. A new line has undefined content.
     *
     * @return false if the memory is refused; nothing has changed then
     */
    boolean ensure(int lines, boolean reserved) {
        int segment = lines - 1 >>> SEGMENT_LINES_LOG;
        if (segment == 0) {
            return lines <= firstSegmentLines || resizeFirst(Math.max(1, 2 * firstSegmentLines), reserved);
        }
        if (segment == segments.length) {
            segments = Arrays.copyOf(segments, 2 * segment);
        }
        if (segments[segment] == 0) {
            segments[segment] = (int) slots.allocate(SEGMENT_LINES * LhLine.BYTES, reserved);
            bytes += segments[segment] == 0 ? 0 : SEGMENT_LINES * LhLine.BYTES;
        }
        return segments[segment] != 0;
    }

    private boolean resizeFirst(int lines, boolean reserved) {
        long from = segments[0] & REFERENCE_MASK;
        long bytesWanted = (long) lines * LhLine.BYTES;
        long to = from == 0 ? slots.allocateIndex(bytesWanted, reserved) : slots.allocate(bytesWanted, reserved);
        if (to == 0) {
            return false;
        }
        if (from != 0) {
            long bytesKept = (long) Math.min(lines, firstSegmentLines) * LhLine.BYTES;
            MemorySegment.copy(slots.segment(from), slots.offset(from), slots.segment(to), slots.offset(to), bytesKept);
            slots.free(from);
        }
        bytes += (long) (lines - firstSegmentLines) * LhLine.BYTES;
        segments[0] = (int) to;
        firstSegmentLines = lines;
        return true;
    }

    /** Frees the memory behind the last of {@code lines} lines, at most one segment. */
    void trim(int lines) {
        int end = lines + SEGMENT_LINES - 1 >>> SEGMENT_LINES_LOG;
        if (end < segments.length && end > 0) {
            freeSegment(end);
        }
        if (lines > 0 && lines <= firstSegmentLines / 2) {
            resizeFirst(firstSegmentLines / 2, true);
        }
    }

    /** Frees a segment, if the array has it. */
    void freeSegment(int segment) {
        if (segments[segment] != 0) {
            int lines = segment == 0 ? firstSegmentLines : SEGMENT_LINES;
            slots.free(segments[segment] & REFERENCE_MASK);
            segments[segment] = 0;
            bytes -= (long) lines * LhLine.BYTES;
        }
        if (segment == 0) {
            firstSegmentLines = 0;
        }
    }

    /** Whether the array has a segment. */
    boolean hasSegment(int segment) {
        return segments[segment] != 0;
    }

    /** Moves a segment out of a chunk that is being evacuated. */
    void relocate(int segment) {
        long from = segments[segment] & REFERENCE_MASK;
        if (from != 0 && slots.isEvacuating(from)) {
            segments[segment] = (int) slots.relocate(from);
        }
    }
}
