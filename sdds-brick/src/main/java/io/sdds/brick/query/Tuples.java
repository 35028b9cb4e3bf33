package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;

import java.lang.foreign.MemorySegment;

/** Writes rows as tuples: a bit for each column (set: NULL), then the other values (TupleCodec). */
final class Tuples {
    private Tuples() {}

    static int bitmapBytes(int columns) {
        return columns + Byte.SIZE - 1 >>> 3;
    }

    /**
     * Appends the columns of a row.
     *
     * @throws RowFailure if a value is an error
     * @throws QueryFailure if the tuples get longer than a message may be
     */
    static void write(Lane[] columns, int row, OffHeap to) {
        long start = to.takeZeros(bitmapBytes(columns.length));
        for (int k = 0; k < columns.length; k++) {
            Lane lane = columns[k];
            byte state = lane.state(row);
            if (state > Lane.NULL) {
                throw new RowFailure(row, state);
            }
            if (state == Lane.NULL) {
                setNull(to.memory(), start, k);
            } else {
                value(lane, row, to);
            }
        }
    }

    static void setNull(MemorySegment memory, long bitmap, int column) {
        long at = bitmap + (column >>> 3);
        memory.set(BYTE, at, (byte) (memory.get(BYTE, at) | 1 << (column & 7)));
    }

    static boolean isNull(MemorySegment memory, long bitmap, int column) {
        return (memory.get(BYTE, bitmap + (column >>> 3)) >>> (column & 7) & 1) != 0;
    }

    private static void value(Lane lane, int row, OffHeap to) {
        int width = lane.type.bytes();
        if (width == 0) {
            int length = lane.lengths[row];
            to.putVarint(length);
            to.putBytes(lane.segments[row], lane.offsets[row], length);
        } else {
            long at = to.take(width);
            TextCasts.write(lane, row, to.memory(), at);
        }
    }
}
