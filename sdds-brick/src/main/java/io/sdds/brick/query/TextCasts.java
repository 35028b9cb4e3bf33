package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.core.query.CastText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Casts from and to text. Those of numbers and times go through {@link CastText}, with objects for each row. */
final class TextCasts {
    private static final int OBJECTS_COST = 300;

    private TextCasts() {}

    static Kernel of(Lane a, Lane out, Scratch scratch) {
        if (Lane.isText(a.type) && Lane.isText(out.type)) {
            return new Limit(a, scratch, out);
        }
        return Lane.isText(a.type) ? new Parse(a, scratch, out) : new Print(a, scratch, out);
    }

    /** Text or bytes to text or bytes: they stay where they are. */
    private static final class Limit extends Casts.Cast {
        private final Scratch scratch;
        private final boolean checks;

        Limit(Lane a, Scratch scratch, Lane out) {
            super(a, out);
            this.scratch = scratch;
            this.checks = a.type.kind() == Kind.VARBINARY && out.type.kind() == Kind.VARCHAR;
        }

        @Override
        void cast(int row, int rows) {
            out.copy(row, a);
            if (checks) {
                scratch.readAlone(a.lengths[row]);
                if (!Utf8Points.isValid(a.segments[row], a.offsets[row], a.lengths[row])) {
                    out.state(row, Fault.INVALID_UTF8, rows);
                    return;
                }
            }
            scratch.read(out.lengths[row]);
            checkLimit(out, row, rows);
        }

        @Override
        boolean readsText() {
            return true;
        }
    }

    private static void checkLimit(Lane out, int row, int rows) {
        int limit = out.type.precision();
        if (limit != 0 && out.lengths[row] > limit) {
            boolean tooLong = out.type.kind() == Kind.VARBINARY
                    || TextSearch.codePoints(out.segments[row], out.offsets[row], out.lengths[row]) > limit;
            if (tooLong) {
                out.state(row, Fault.TOO_LONG, rows);
            }
        }
    }

    private static final class Parse extends Casts.Cast {
        private final Scratch scratch;

        Parse(Lane a, Scratch scratch, Lane out) {
            super(a, out);
            this.scratch = scratch;
        }

        @Override
        void cast(int row, int rows) {
            byte[] text =
                    a.segments[row].asSlice(a.offsets[row], a.lengths[row]).toArray(ValueLayout.JAVA_BYTE);
            scratch.readAlone(text.length);
            byte[] stored = CastText.parse(text, out.type);
            if (stored == null) {
                out.state(row, Fault.INVALID_TEXT, rows);
            } else {
                read(MemorySegment.ofArray(stored), out, row);
            }
        }

        @Override
        int cost() {
            return OBJECTS_COST;
        }

        @Override
        boolean readsText() {
            return true;
        }
    }

    /** Reads a stored value other than text. */
    static void read(MemorySegment stored, Lane to, int row) {
        switch (to.type.bytes()) {
            case 1 -> to.values[row] = stored.get(BYTE, 0) == 0 ? 0 : 1;
            case Integer.BYTES -> to.values[row] = stored.get(INT, 0);
            case Long.BYTES -> to.values[row] = stored.get(LONG, 0);
            default -> Sources.readWide(stored, 0, to.type.kind() == Kind.UUID, to, row);
        }
    }

    /** Writes a value other than text as a row stores it. */
    static void write(Lane from, int row, MemorySegment to, long at) {
        ValueType type = from.type;
        switch (type.bytes()) {
            case 1 -> to.set(BYTE, at, (byte) from.values[row]);
            case Integer.BYTES -> to.set(INT, at, (int) from.values[row]);
            case Long.BYTES -> to.set(LONG, at, from.values[row]);
            default -> {
                boolean uuid = type.kind() == Kind.UUID;
                long first = uuid ? Long.reverseBytes(from.highs[row] ^ Long.MIN_VALUE) : from.values[row];
                long second = uuid ? Long.reverseBytes(from.values[row]) : from.highs[row];
                to.set(LONG, at, first);
                to.set(LONG, at + Long.BYTES, second);
            }
        }
    }

    private static final class Print extends Casts.Cast {
        private final Scratch scratch;
        private final byte[] stored;

        Print(Lane a, Scratch scratch, Lane out) {
            super(a, out);
            this.scratch = scratch;
            this.stored = new byte[a.type.bytes()];
        }

        @Override
        void cast(int row, int rows) {
            write(a, row, MemorySegment.ofArray(stored), 0);
            byte[] text = CastText.print(stored, a.type);
            if (text == null) {
                out.state(row, Fault.OVERFLOW, rows);
                return;
            }
            scratch.put(text, out, row, rows);
            if (out.has(row)) {
                checkLimit(out, row, rows);
            }
        }

        @Override
        int cost() {
            return OBJECTS_COST;
        }
    }
}
