package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;
import static io.sdds.brick.memory.SegmentBytes.SHORT;

import io.sdds.core.row.RowLayout;
import java.lang.foreign.MemorySegment;

/**
 * Reads the headers of the rows of a batch, and the places of their columns. Nearly all rows of a table have the same
 * header, whose offsets are computed once.
 */
final class RowHeaders {

    /* All end offsets of a row are checked before a column is read, so that nothing is read outside of the row. */

    private static final int BITS = 64;

    private final RowBatch batch;
    private final RowLayout layout;

    /** For each row {@link Lane#VALUE}, or the error that the row can't be read. */
    final byte[] states = new byte[Lane.ROWS];

    /** The columns that a row has. */
    final int[] counts = new int[Lane.ROWS];

    /** The bits of the first columns. */
    private final long[] nulls = new long[Lane.ROWS];

    /** Where the end offsets are, and where the bytes of variable columns begin. */
    private final long[] ends = new long[Lane.ROWS];

    private final long[] bytes = new long[Lane.ROWS];
    private final boolean[] wide = new boolean[Lane.ROWS];

    /** Whether all rows can be read, have all columns, and short end offsets. */
    private boolean plain;

    private long header;
    private boolean headerFits;
    private int headerColumns;
    private int bitmapAt;
    private int endsAt;
    private int bytesAt;
    private boolean headerWide;
    private boolean headerPlain;

    RowHeaders(RowBatch batch, RowLayout layout) {
        this.batch = batch;
        this.layout = layout;
    }

    RowLayout layout() {
        return layout;
    }

    boolean isPlain() {
        return plain;
    }

    /** Reads the headers of all rows of the batch. */
    void read(int rows) {
        boolean all = true;
        for (int i = 0; i < rows; i++) {
            MemorySegment segment = batch.segments[i];
            long at = batch.valueOffsets[i];
            int length = batch.valueLengths[i];
            if (length < RowLayout.HEADER_BYTES) {
                states[i] = Fault.INVALID_ROW;
                all = false;
                continue;
            }
            long word = segment.get(LONG, at);
            if (word != header) {
                takeHeader(word);
            }
            all &= headerPlain & read(i, segment, at, length);
        }
        plain = all;
    }

    private boolean read(int row, MemorySegment segment, long at, int length) {
        if (!headerFits || length < bytesAt) {
            states[row] = Fault.INVALID_ROW;
            return false;
        }
        nulls[row] = nullBits(segment, at + bitmapAt, endsAt - bitmapAt, at + length);
        ends[row] = at + endsAt;
        bytes[row] = at + bytesAt;
        counts[row] = headerColumns;
        wide[row] = headerWide;
        boolean readable = headerWide
                ? areWideEnds(segment, at + endsAt, at + bytesAt, length - bytesAt)
                : areEnds(segment, at + endsAt, at + bytesAt, length - bytesAt);
        states[row] = readable ? Lane.VALUE : Fault.INVALID_ROW;
        return readable;
    }

    /** Whether the end offsets ascend up to the last byte of the row. */
    private static boolean areEnds(MemorySegment segment, long from, long to, int total) {
        int last = 0;
        int falls = 0;
        for (long at = from; at < to; at += Short.BYTES) {
            int end = segment.get(SHORT, at) & 0xffff;
            falls |= end - last;
            last = end;
        }
        return last == total && falls >= 0;
    }

    private static boolean areWideEnds(MemorySegment segment, long from, long to, int total) {
        int last = 0;
        boolean ascend = true;
        for (long at = from; at < to; at += Integer.BYTES) {
            int end = segment.get(INT, at);
            ascend &= end >= last;
            last = end;
        }
        return last == total && ascend;
    }

    private static long nullBits(MemorySegment segment, long at, int length, long rowEnd) {
        if (at + Long.BYTES <= rowEnd) {
            return segment.get(LONG, at);
        }
        long bits = 0;
        for (int k = 0; k < Math.min(length, Long.BYTES); k++) {
            bits |= (segment.get(BYTE, at + k) & 0xffL) << k * Byte.SIZE;
        }
        return bits;
    }

    private void takeHeader(long word) {
        header = word;
        headerFits = layout.fits(word);
        headerColumns = RowLayout.columns(word);
        headerWide = RowLayout.isWide(word);
        bitmapAt = RowLayout.bitmapOffset(word);
        endsAt = RowLayout.endsOffset(word);
        bytesAt = RowLayout.bytesOffset(word);
        headerPlain = headerFits && headerColumns >= layout.columns() && !headerWide;
    }

    /** The state of a column of a row that can be read and has the column. */
    byte state(int row, int column) {
        if (column < BITS) {
            return (byte) (nulls[row] >>> column & 1);
        }
        long bitmap = ends[row] - (counts[row] + Byte.SIZE - 1) / Byte.SIZE;
        return (byte) (batch.segments[row].get(BYTE, bitmap + (column >>> 3)) >>> (column & 7) & 1);
    }

    /** Sets where the bytes of a variable column of a row are that can be read and has the column. */
    void locate(int row, int column, Lane out) {
        MemorySegment segment = batch.segments[row];
        int variable = layout.variableNumber(column);
        long start = variable == 0 ? 0 : end(segment, row, variable - 1);
        out.segments[row] = segment;
        out.offsets[row] = bytes[row] + start;
        out.lengths[row] = (int) (end(segment, row, variable) - start);
    }

    private long end(MemorySegment segment, int row, int variable) {
        return wide[row]
                ? segment.get(INT, ends[row] + (long) variable * Integer.BYTES)
                : segment.get(SHORT, ends[row] + (long) variable * Short.BYTES) & 0xffff;
    }

    void compact(int[] selected, int count) {
        Lane.compact(counts, selected, count);
        Lane.compact(nulls, selected, count);
        Lane.compact(ends, selected, count);
        Lane.compact(bytes, selected, count);
        for (int i = 0; i < count; i++) {
            states[i] = states[selected[i]];
            wide[i] = wide[selected[i]];
        }
    }
}
