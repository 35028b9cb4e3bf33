package io.sdds.brick.query;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.SegmentBytes;

/** EQUAL, LESS and LESS_OR_EQUAL, by the kind of the operands. */
final class Comparisons {
    private Comparisons() {}

    /** What is asked about two values. */
    enum Question {
        EQUAL,
        LESS,
        LESS_OR_EQUAL;

        /** The answer when the order of the two is known. */
        boolean holds(int order) {
            return this == EQUAL ? order == 0 : this == LESS ? order < 0 : order <= 0;
        }
    }

    static Kernel of(Question question, Lane a, Lane b, Scratch scratch, Lane out) {
        if (Lane.isText(a.type)) {
            return new OfText(question, a, b, scratch, out);
        }
        return switch (a.type.kind()) {
            case DOUBLE -> new OfDoubles(question, a, b, out);
            case UUID, DECIMAL -> new OfWide(question, a, b, out);
            default -> new OfLongs(question, a, b, out);
        };
    }

    /** The order of two values of one type. */
    static int order(Lane a, int row, Lane b, int bRow) {
        if (a.values.length == 0) {
            return KeyOrder.compare(
                    a.segments[row],
                    a.offsets[row],
                    a.lengths[row],
                    b.segments[bRow],
                    b.offsets[bRow],
                    b.lengths[bRow],
                    0);
        }
        return switch (a.type.kind()) {
            case DOUBLE ->
                Double.compare(Double.longBitsToDouble(a.values[row]), Double.longBitsToDouble(b.values[bRow]));
            case DECIMAL, UUID -> order(a.highs[row], a.values[row], b.highs[bRow], b.values[bRow]);
            default -> Long.compare(a.values[row], b.values[bRow]);
        };
    }

    private abstract static class Comparison extends Kernel {
        final Question question;
        final Lane a;
        final Lane b;

        Comparison(Question question, Lane a, Lane b, Lane out) {
            super(out);
            this.question = question;
            this.a = a;
            this.b = b;
        }

        @Override
        final void run(int rows) {
            out.statesOf(a, b, rows);
            compare(rows);
        }

        abstract void compare(int rows);
    }

    private static final class OfLongs extends Comparison {
        OfLongs(Question question, Lane a, Lane b, Lane out) {
            super(question, a, b, out);
        }

        @Override
        void compare(int rows) {
            switch (question) {
                case EQUAL -> equal(a.values, b.values, out.values, rows);
                case LESS -> less(a.values, b.values, out.values, rows);
                case LESS_OR_EQUAL -> lessOrEqual(a.values, b.values, out.values, rows);
            }
        }

        private static void equal(long[] a, long[] b, long[] out, int rows) {
            for (int i = 0; i < rows; i++) {
                out[i] = a[i] == b[i] ? 1 : 0;
            }
        }

        private static void less(long[] a, long[] b, long[] out, int rows) {
            for (int i = 0; i < rows; i++) {
                out[i] = a[i] < b[i] ? 1 : 0;
            }
        }

        private static void lessOrEqual(long[] a, long[] b, long[] out, int rows) {
            for (int i = 0; i < rows; i++) {
                out[i] = a[i] <= b[i] ? 1 : 0;
            }
        }
    }

    private static final class OfDoubles extends Comparison {
        OfDoubles(Question question, Lane a, Lane b, Lane out) {
            super(question, a, b, out);
        }

        @Override
        void compare(int rows) {
            for (int i = 0; i < rows; i++) {
                // There is no -0.0, and NaN is the largest.
                int order = Double.compare(Double.longBitsToDouble(a.values[i]), Double.longBitsToDouble(b.values[i]));
                out.values[i] = question.holds(order) ? 1 : 0;
            }
        }
    }

    /** The order of two numbers of 128 bits. */
    static int order(long aHigh, long a, long bHigh, long b) {
        return aHigh != bHigh ? Long.compare(aHigh, bHigh) : Long.compareUnsigned(a, b);
    }

    private static final class OfWide extends Comparison {
        OfWide(Question question, Lane a, Lane b, Lane out) {
            super(question, a, b, out);
        }

        @Override
        void compare(int rows) {
            for (int i = 0; i < rows; i++) {
                int order = order(a.highs[i], a.values[i], b.highs[i], b.values[i]);
                out.values[i] = question.holds(order) ? 1 : 0;
            }
        }
    }

    private static final class OfText extends Comparison {
        private final Scratch scratch;

        OfText(Question question, Lane a, Lane b, Scratch scratch, Lane out) {
            super(question, a, b, out);
            this.scratch = scratch;
        }

        @Override
        void compare(int rows) {
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    out.values[i] = holds(i) ? 1 : 0;
                }
            }
        }

        private boolean holds(int i) {
            int length = a.lengths[i];
            if (question == Question.EQUAL && length != b.lengths[i]) {
                return false;
            }
            scratch.read(Math.min(length, b.lengths[i]));
            if (question == Question.EQUAL) {
                return SegmentBytes.equal(a.segments[i], a.offsets[i], b.segments[i], b.offsets[i], length);
            }
            return question.holds(KeyOrder.compare(
                    a.segments[i], a.offsets[i], length, b.segments[i], b.offsets[i], b.lengths[i], 0));
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
}
