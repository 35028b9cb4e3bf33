package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The instructions that read a record. */
final class Sources {
    private Sources() {}

    /** A kernel whose lane is filled when the program is prepared, or shares the arrays of the batch. */
    static final class Ready extends Kernel {
        Ready(Lane out) {
            super(out);
        }

        @Override
        void run(int rows) {
            // The values are there.
        }

        @Override
        int cost() {
            return 0;
        }
    }

    /** The version of the record. */
    static final class Version extends Kernel {
        private final RowBatch batch;

        Version(RowBatch batch, Lane out) {
            super(out);
            this.batch = batch;
        }

        @Override
        void run(int rows) {
            for (int i = 0; i < rows; i++) {
                out.values[i] = batch.version(i);
            }
        }
    }

    /** A column of the value. */
    abstract static class Column extends Kernel {
        final RowBatch batch;
        final RowHeaders reader;
        final int column;
        private final Lane defaults;

        Column(RowBatch batch, RowHeaders reader, int column, Lane defaults, Lane out) {
            super(out);
            this.batch = batch;
            this.reader = reader;
            this.column = column;
            this.defaults = defaults;
        }

        @Override
        void run(int rows) {
            if (reader.isPlain()) {
                states(rows);
                values(rows);
                return;
            }
            out.clean = false;
            for (int i = 0; i < rows; i++) {
                readAny(i);
            }
        }

        private void states(int rows) {
            int any = 0;
            for (int i = 0; i < rows; i++) {
                byte state = reader.state(i, column);
                out.states[i] = state;
                any |= state;
            }
            out.clean = any == 0;
        }

        private void readAny(int row) {
            if (reader.states[row] != Lane.VALUE) {
                out.states[row] = reader.states[row];
            } else if (column >= reader.counts[row]) {
                out.states[row] = defaults.state(0);
                if (defaults.has(0)) {
                    takeDefault(row, defaults);
                }
            } else {
                out.states[row] = reader.state(row, column);
                value(row);
            }
        }

        /** Reads the column of all rows, which have it. */
        abstract void values(int rows);

        /** Reads the column of a row that has it. */
        abstract void value(int row);

        void takeDefault(int row, Lane from) {
            if (out.highs.length > 0) {
                out.highs[row] = from.highs[0];
            }
            if (out.values.length > 0) {
                out.values[row] = from.values[0];
            } else {
                out.text(row, from.segments[0], from.offsets[0], from.lengths[0]);
            }
        }
    }

    /** A column whose values have one length. */
    abstract static class FixedColumn extends Column {
        /** Offset of the column in a row. */
        final int offset;

        FixedColumn(RowBatch batch, RowHeaders reader, int column, Lane defaults, Lane out) {
            super(batch, reader, column, defaults, out);
            this.offset = reader.layout().fixedOffset(column);
        }
    }

    /** A column of eight bytes. */
    static final class LongColumn extends FixedColumn {
        LongColumn(RowBatch batch, RowHeaders reader, int column, Lane defaults, Lane out) {
            super(batch, reader, column, defaults, out);
        }

        @Override
        void values(int rows) {
            for (int i = 0; i < rows; i++) {
                out.values[i] = batch.segments[i].get(LONG, batch.valueOffsets[i] + offset);
            }
        }

        @Override
        void value(int row) {
            out.values[row] = batch.segments[row].get(LONG, batch.valueOffsets[row] + offset);
        }
    }

    /** A column of DOUBLE, which is read as its one form. */
    static final class DoubleColumn extends FixedColumn {
        DoubleColumn(RowBatch batch, RowHeaders reader, int column, Lane defaults, Lane out) {
            super(batch, reader, column, defaults, out);
        }

        @Override
        void values(int rows) {
            for (int i = 0; i < rows; i++) {
                value(i);
            }
        }

        @Override
        void value(int row) {
            long stored = batch.segments[row].get(LONG, batch.valueOffsets[row] + offset);
            out.values[row] = canonical(Double.longBitsToDouble(stored));
        }
    }

    /** The bits of a number: one zero and one NaN. */
    static long canonical(double number) {
        return Double.doubleToLongBits(number + 0.0);
    }

    /** A column of four bytes. */
    static final class IntColumn extends FixedColumn {
        IntColumn(RowBatch batch, RowHeaders reader, int column, Lane defaults, Lane out) {
            super(batch, reader, column, defaults, out);
        }

        @Override
        void values(int rows) {
            for (int i = 0; i < rows; i++) {
                out.values[i] = batch.segments[i].get(INT, batch.valueOffsets[i] + offset);
            }
        }

        @Override
        void value(int row) {
            out.values[row] = batch.segments[row].get(INT, batch.valueOffsets[row] + offset);
        }
    }

    /** A column of one byte: BOOLEAN. */
    static final class BooleanColumn extends FixedColumn {
        BooleanColumn(RowBatch batch, RowHeaders reader, int column, Lane defaults, Lane out) {
            super(batch, reader, column, defaults, out);
        }

        @Override
        void values(int rows) {
            for (int i = 0; i < rows; i++) {
                value(i);
            }
        }

        @Override
        void value(int row) {
            out.values[row] = batch.segments[row].get(BYTE, batch.valueOffsets[row] + offset) == 0 ? 0 : 1;
        }
    }

    /** A column of sixteen bytes: DECIMAL or UUID. */
    static final class WideColumn extends FixedColumn {
        private final boolean uuid;

        WideColumn(RowBatch batch, RowHeaders reader, int column, Lane defaults, Lane out) {
            super(batch, reader, column, defaults, out);
            this.uuid = out.type.kind() == ValueType.Kind.UUID;
        }

        @Override
        void values(int rows) {
            for (int i = 0; i < rows; i++) {
                value(i);
            }
        }

        @Override
        void value(int row) {
            readWide(batch.segments[row], batch.valueOffsets[row] + offset, uuid, out, row);
        }
    }

    /** Reads a stored number of 128 bits. */
    static void readWide(MemorySegment segment, long at, boolean uuid, Lane out, int row) {
        long first = segment.get(LONG, at);
        long second = segment.get(LONG, at + Long.BYTES);
        out.highs[row] = uuid ? Long.reverseBytes(first) ^ Long.MIN_VALUE : second;
        out.values[row] = uuid ? Long.reverseBytes(second) : first;
    }

    /** A column of text or bytes, which stay where they are. */
    static final class TextColumn extends Column {
        private final boolean isUtf8;
        private final Scratch scratch;

        TextColumn(RowBatch batch, RowHeaders reader, int column, Lane defaults, Scratch scratch, Lane out) {
            super(batch, reader, column, defaults, out);
            this.isUtf8 = out.type.kind() == ValueType.Kind.VARCHAR;
            this.scratch = scratch;
        }

        @Override
        void values(int rows) {
            for (int i = 0; i < rows; i++) {
                reader.locate(i, column, out);
                check(i, rows);
            }
        }

        @Override
        void value(int row) {
            reader.locate(row, column, out);
            check(row, Lane.ROWS);
        }

        private void check(int row, int rows) {
            if (isUtf8 && out.has(row)) {
                checkUtf8(out, row, rows, scratch);
            }
        }

        @Override
        boolean readsText() {
            return isUtf8;
        }
    }

    /** Makes a text that is no UTF-8 an error. */
    static void checkUtf8(Lane text, int row, int rows, Scratch scratch) {
        int length = text.lengths[row];
        scratch.read(length);
        if (!Utf8Points.isValid(text.segments[row], text.offsets[row], length)) {
            text.state(row, Fault.INVALID_UTF8, rows);
        }
    }

    /** Fills a lane that never changes, with a stored value or with NULL. */
    static void fill(Lane lane, byte @Nullable [] stored, MemorySegment text) {
        for (int i = 0; i < Lane.ROWS; i++) {
            if (stored == null) {
                lane.state(i, Lane.NULL, Lane.ROWS);
            } else {
                set(lane, i, stored, text);
            }
        }
    }

    /** @param text memory that has the stored bytes */
    static void set(Lane lane, int row, byte[] stored, MemorySegment text) {
        if (lane.values.length == 0) {
            lane.text(row, text, 0, stored.length);
        } else {
            TextCasts.read(MemorySegment.ofArray(stored), lane, row);
        }
    }
}
