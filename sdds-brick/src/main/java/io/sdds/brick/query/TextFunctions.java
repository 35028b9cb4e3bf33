package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;

import io.sdds.core.query.CaseMapping;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Functions that compute texts and lengths. A part of a text stays where the text is. */
final class TextFunctions {
    private TextFunctions() {}

    /** CHAR_LENGTH. */
    static final class CharLength extends Kernel {
        private final Lane a;
        private final Scratch scratch;

        CharLength(Lane a, Scratch scratch, Lane out) {
            super(out);
            this.a = a;
            this.scratch = scratch;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, rows);
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    out.values[i] = TextSearch.codePoints(a.segments[i], a.offsets[i], a.lengths[i]);
                    scratch.read(a.lengths[i]);
                }
            }
        }

        @Override
        int cost() {
            return 5;
        }

        @Override
        boolean readsText() {
            return true;
        }
    }

    /** OCTET_LENGTH. */
    static final class OctetLength extends Kernel {
        private final Lane a;

        OctetLength(Lane a, Lane out) {
            super(out);
            this.a = a;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, rows);
            for (int i = 0; i < rows; i++) {
                out.values[i] = a.lengths[i];
            }
        }
    }

    /** TRIM. */
    static final class Trim extends Kernel {
        private final Lane a;
        private final Scratch scratch;

        Trim(Lane a, Scratch scratch, Lane out) {
            super(out);
            this.a = a;
            this.scratch = scratch;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, rows);
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    trim(i, a.segments[i], a.offsets[i], a.offsets[i] + a.lengths[i]);
                }
            }
        }

        private void trim(int row, MemorySegment segment, long start, long end) {
            long from = start;
            long to = end;
            while (from < to && segment.get(BYTE, from) == ' ') {
                from++;
            }
            while (from < to && segment.get(BYTE, to - 1) == ' ') {
                to--;
            }
            out.text(row, segment, from, (int) (to - from));
            scratch.readAlone(end - start - (to - from));
        }

        @Override
        int cost() {
            return 5;
        }

        @Override
        boolean readsText() {
            return true;
        }
    }

    /** SUBSTRING. */
    static final class Substring extends Kernel {
        private final Lane a;
        private final Lane position;
        private final @Nullable Lane count;
        private final Scratch scratch;

        Substring(Lane a, Lane position, @Nullable Lane count, Scratch scratch, Lane out) {
            super(out);
            this.a = a;
            this.position = position;
            this.count = count;
            this.scratch = scratch;
        }

        @Override
        void run(int rows) {
            out.clean = false;
            for (int i = 0; i < rows; i++) {
                byte state = Lane.both(a.state(i), position.state(i));
                out.states[i] = count == null ? state : Lane.both(state, count.state(i));
                if (out.states[i] == Lane.VALUE) {
                    cut(i);
                }
            }
        }

        private void cut(int row) {
            long first = position.values[row];
            long skipped = Math.max(0, first - 1);
            long taken = Long.MAX_VALUE;
            if (count != null) {
                if (count.values[row] < 0) {
                    out.states[row] = Fault.NEGATIVE_LENGTH;
                    return;
                }
                taken = Math.max(0, first - 1 + count.values[row] - skipped);
            }
            MemorySegment segment = a.segments[row];
            long end = a.offsets[row] + a.lengths[row];
            long from = TextSearch.skip(segment, a.offsets[row], end, skipped);
            long to = taken == Long.MAX_VALUE ? end : TextSearch.skip(segment, from, end, taken);
            out.text(row, segment, from, (int) (to - from));
            scratch.readAlone(to - a.offsets[row]);
        }

        @Override
        int cost() {
            return 8;
        }

        @Override
        boolean readsText() {
            return true;
        }
    }

    /** CONCAT. */
    static final class Concat extends Kernel {
        private final Lane a;
        private final Lane b;
        private final Scratch scratch;

        Concat(Lane a, Lane b, Scratch scratch, Lane out) {
            super(out);
            this.a = a;
            this.b = b;
            this.scratch = scratch;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, b, rows);
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    concat(i, rows);
                }
            }
        }

        private void concat(int row, int rows) {
            long length = (long) a.lengths[row] + b.lengths[row];
            long at = length > Program.TEXT_BYTES_MAX ? -1 : scratch.take((int) length);
            if (at < 0) {
                out.state(row, Fault.TOO_LONG, rows);
                return;
            }
            MemorySegment to = scratch.segment();
            MemorySegment.copy(a.segments[row], a.offsets[row], to, at, a.lengths[row]);
            MemorySegment.copy(b.segments[row], b.offsets[row], to, at + a.lengths[row], b.lengths[row]);
            out.text(row, to, at, (int) length);
            scratch.read(length);
        }

        @Override
        int cost() {
            return 15;
        }

        @Override
        boolean readsText() {
            return true;
        }
    }

    /** LOWER and UPPER: the simple mapping of each code point. */
    static final class ChangeCase extends Kernel {
        private final Lane a;
        private final boolean lower;
        private final Scratch scratch;

        ChangeCase(Op op, Lane a, Scratch scratch, Lane out) {
            super(out);
            this.a = a;
            this.lower = op == Op.LOWER;
            this.scratch = scratch;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, rows);
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    if (a.lengths[i] > Program.TEXT_BYTES_MAX) {
                        out.state(i, Fault.TOO_LONG, rows);
                    } else {
                        change(i, rows);
                    }
                }
            }
        }

        private void change(int row, int rows) {
            MemorySegment from = a.segments[row];
            int length = a.lengths[row];
            scratch.readAlone(length);
            if (!TextSearch.isAscii(from, a.offsets[row], length)) {
                map(row, from.asSlice(a.offsets[row], length).toArray(ValueLayout.JAVA_BYTE), rows);
                return;
            }
            long at = scratch.take(length);
            if (at < 0) {
                out.state(row, Fault.TOO_LONG, rows);
                return;
            }
            MemorySegment to = scratch.segment();
            for (int k = 0; k < length; k++) {
                to.set(BYTE, at + k, (byte) ascii(from.get(BYTE, a.offsets[row] + k)));
            }
            out.text(row, to, at, length);
        }

        private int ascii(int unit) {
            boolean changes = lower ? unit >= 'A' && unit <= 'Z' : unit >= 'a' && unit <= 'z';
            return changes ? unit ^ 0x20 : unit;
        }

        /** Maps a text that is not ASCII, with objects. */
        private void map(int row, byte[] text, int rows) {
            try {
                byte[] mapped = lower ? CaseMapping.lower(text) : CaseMapping.upper(text);
                scratch.put(mapped, out, row, rows);
            } catch (EvaluationFailure e) {
                out.state(row, Fault.of(e.error()), rows);
            }
        }

        @Override
        int cost() {
            return 25;
        }

        @Override
        boolean readsText() {
            return true;
        }
    }
}
