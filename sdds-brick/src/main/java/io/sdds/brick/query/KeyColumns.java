package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the columns of the keys of a batch, from the first to the last one that the program uses. */
final class KeyColumns {

    /* The encoding is that of io.sdds.core.row.KeyEncoding: numbers big endian with the sign bit inverted; text and
     * bytes raw in the last column, else with 0x00 as 0x00 0xFF, and with 0x00 0x00 behind them. */

    private static final int ESCAPED = 0xff;

    private final RowBatch batch;
    private final Scratch scratch;
    private final List<ValueType> types;

    /** For each column the lane of its values; null if the program does not use the column. */
    private final @Nullable Lane[] lanes;

    /** Where the next column of each row begins; beyond the key of rows that can't be read. */
    private final long[] next = new long[Lane.ROWS];

    /** @param lanes for each column, or null */
    KeyColumns(RowBatch batch, Scratch scratch, List<ValueType> types, @Nullable Lane[] lanes) {
        this.batch = batch;
        this.scratch = scratch;
        this.types = types;
        this.lanes = lanes;
    }

    private static final long UNREADABLE = Long.MAX_VALUE;

    /** Reads all used columns of all rows. */
    void read(int rows) {
        System.arraycopy(batch.keyOffsets, 0, next, 0, rows);
        for (int column = 0; column < types.size(); column++) {
            readColumn(column, rows);
        }
        for (int i = 0; i < rows; i++) {
            if (next[i] != end(i)) {
                for (Lane lane : lanes) {
                    if (lane != null) {
                        lane.state(i, Fault.INVALID_KEY, rows);
                    }
                }
            }
        }
    }

    private long end(int row) {
        return batch.keyOffsets[row] + batch.keyLengths[row];
    }

    private void readColumn(int column, int rows) {
        ValueType type = types.get(column);
        Lane lane = lanes[column];
        if (lane != null) {
            lane.clean = true;
        }
        int width = type.bytes();
        for (int i = 0; i < rows; i++) {
            if (next[i] == UNREADABLE) {
                continue;
            }
            if (width == 0) {
                readText(i, column == types.size() - 1, lane);
            } else if (end(i) - next[i] < width) {
                next[i] = UNREADABLE;
            } else {
                if (lane != null) {
                    number(batch.segments[i], next[i], type, lane, i);
                }
                next[i] += width;
            }
        }
    }

    private static void number(MemorySegment segment, long at, ValueType type, Lane lane, int row) {
        switch (type.kind()) {
            case BOOLEAN -> lane.values[row] = segment.get(BYTE, at) == 0 ? 0 : 1;
            case INTEGER, DATE -> lane.values[row] = Integer.reverseBytes(segment.get(INT, at)) ^ Integer.MIN_VALUE;
            case DOUBLE ->
                lane.values[row] = Sources.canonical(
                        Double.longBitsToDouble(doubleBits(Long.reverseBytes(segment.get(LONG, at)))));
            case DECIMAL, UUID -> {
                // Of a UUID the sign bit is not inverted in the key, but in the lane.
                lane.highs[row] = Long.reverseBytes(segment.get(LONG, at)) ^ Long.MIN_VALUE;
                lane.values[row] = Long.reverseBytes(segment.get(LONG, at + Long.BYTES));
            }
            default -> lane.values[row] = Long.reverseBytes(segment.get(LONG, at)) ^ Long.MIN_VALUE;
        }
    }

    /** Positive numbers have their sign bit inverted, negative numbers all bits. */
    private static long doubleBits(long encoded) {
        return encoded < 0 ? encoded ^ Long.MIN_VALUE : ~encoded;
    }

    private void readText(int row, boolean isLast, @Nullable Lane lane) {
        MemorySegment segment = batch.segments[row];
        long start = next[row];
        long end = end(row);
        if (isLast) {
            next[row] = end;
            if (lane != null) {
                lane.text(row, segment, start, (int) (end - start));
                checkUtf8(lane, row);
            }
            return;
        }
        int escapes = 0;
        long at = start;
        for (; at + 1 < end; at++) {
            if (segment.get(BYTE, at) == 0) {
                if (segment.get(BYTE, at + 1) == 0) {
                    break;
                }
                if ((segment.get(BYTE, at + 1) & 0xff) != ESCAPED) {
                    next[row] = UNREADABLE;
                    return;
                }
                escapes++;
                at++;
            }
        }
        next[row] = at + 1 < end ? at + 2 : UNREADABLE;
        if (lane != null && next[row] != UNREADABLE) {
            unescape(row, segment, start, (int) (at - start), escapes, lane);
        }
    }

    private void unescape(int row, MemorySegment segment, long start, int length, int escapes, Lane lane) {
        if (escapes == 0) {
            lane.text(row, segment, start, length);
            checkUtf8(lane, row);
            return;
        }
        long to = scratch.take(length - escapes);
        if (to < 0) {
            lane.state(row, Fault.TOO_LONG, Lane.ROWS);
            return;
        }
        MemorySegment copy = scratch.segment();
        lane.text(row, copy, to, length - escapes);
        for (int k = 0; k < length; k++) {
            byte value = segment.get(BYTE, start + k);
            copy.set(BYTE, to++, value);
            if (value == 0) {
                k++;
            }
        }
        checkUtf8(lane, row);
    }

    private void checkUtf8(Lane lane, int row) {
        if (lane.type.kind() == ValueType.Kind.VARCHAR) {
            Sources.checkUtf8(lane, row, Lane.ROWS, scratch);
        }
    }
}
