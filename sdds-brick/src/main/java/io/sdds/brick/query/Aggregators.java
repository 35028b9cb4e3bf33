package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.core.query.Output.AggregateFunction;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The aggregates of a group table. The states of a group lie side by side; a state begins with zeros. A state that may
 * be NULL begins with a byte that is 1 if there is a value.
 */
final class Aggregators {
    private Aggregators() {}

    /** One aggregate. */
    abstract static class Aggregator {
        final @Nullable Lane operand;
        final int bytes;

        /** Where the state lies among those of a group. */
        int offset;

        Aggregator(@Nullable Lane operand, int bytes) {
            this.operand = operand;
            this.bytes = bytes;
        }

        /**
         * Takes the rows into the states of their groups.
         *
         * @param stride bytes of the states of a group
         */
        abstract void update(int rows, int[] groups, MemorySegment states, int stride);

        abstract boolean isNull(MemorySegment states, long group);

        abstract void answer(MemorySegment states, long group, OffHeap to);
    }

    static Aggregator of(AggregateFunction function, @Nullable Lane operand, OffHeap texts) {
        if (operand == null || function == AggregateFunction.COUNT) {
            return new Count(operand);
        }
        if (function == AggregateFunction.SUM) {
            return switch (operand.type.kind()) {
                case DOUBLE -> new DoubleSum(operand);
                case DECIMAL -> new WideSum(operand);
                default -> new LongSum(operand);
            };
        }
        return Lane.isText(operand.type)
                ? new TextExtreme(operand, function == AggregateFunction.MIN, texts)
                : new Extreme(operand, function == AggregateFunction.MIN);
    }

    private static final class Count extends Aggregator {
        Count(@Nullable Lane operand) {
            super(operand, Long.BYTES);
        }

        @Override
        void update(int rows, int[] groups, MemorySegment states, int stride) {
            Lane counted = operand == null || operand.clean ? null : operand;
            for (int i = 0; i < rows; i++) {
                if (counted == null || counted.states[i] == Lane.VALUE) {
                    long at = (long) groups[i] * stride + offset;
                    states.set(LONG, at, states.get(LONG, at) + 1);
                }
            }
        }

        @Override
        boolean isNull(MemorySegment states, long group) {
            return false;
        }

        @Override
        void answer(MemorySegment states, long group, OffHeap to) {
            to.putLong(states.get(LONG, group + offset));
        }
    }

    private abstract static class Optional extends Aggregator {
        final Lane values;

        Optional(Lane operand, int bytes) {
            super(operand, 1 + bytes);
            this.values = operand;
        }

        @Override
        void update(int rows, int[] groups, MemorySegment states, int stride) {
            for (int i = 0; i < rows; i++) {
                if (values.has(i)) {
                    long at = (long) groups[i] * stride + offset;
                    boolean first = states.get(BYTE, at) == 0;
                    states.set(BYTE, at, (byte) 1);
                    update(i, states, at + 1, first);
                }
            }
        }

        abstract void update(int row, MemorySegment states, long at, boolean first);

        @Override
        final boolean isNull(MemorySegment states, long group) {
            return states.get(BYTE, group + offset) == 0;
        }
    }

    private static final class DoubleSum extends Optional {
        DoubleSum(Lane operand) {
            super(operand, Long.BYTES);
        }

        @Override
        void update(int row, MemorySegment states, long at, boolean first) {
            double before = Double.longBitsToDouble(states.get(LONG, at));
            double value = Double.longBitsToDouble(values.values[row]);
            double sum = before + value;
            if (Double.isInfinite(sum) && Double.isFinite(before) && Double.isFinite(value)) {
                throw new RowFailure(row, Fault.OVERFLOW);
            }
            states.set(LONG, at, Double.doubleToRawLongBits(sum));
        }

        @Override
        void answer(MemorySegment states, long group, OffHeap to) {
            to.putLong(Sources.canonical(Double.longBitsToDouble(states.get(LONG, group + offset + 1))));
        }
    }

    /** A sum of 128 bits. */
    private abstract static class Sum extends Optional {
        Sum(Lane operand) {
            super(operand, 2 * Long.BYTES);
        }

        static void add(int row, MemorySegment states, long at, long high, long low) {
            long sumLow = states.get(LONG, at) + low;
            long oldHigh = states.get(LONG, at + Long.BYTES);
            long sumHigh = oldHigh + high + (Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0);
            if (((oldHigh ^ sumHigh) & (high ^ sumHigh)) < 0) {
                throw new RowFailure(row, Fault.OVERFLOW);
            }
            states.set(LONG, at, sumLow);
            states.set(LONG, at + Long.BYTES, sumHigh);
        }

        @Override
        void answer(MemorySegment states, long group, OffHeap to) {
            to.putLong(states.get(LONG, group + offset + 1));
            to.putLong(states.get(LONG, group + offset + 1 + Long.BYTES));
        }
    }

    private static final class LongSum extends Sum {
        LongSum(Lane operand) {
            super(operand);
        }

        /** As for other aggregates, but without a virtual call for each row: sums of integers are frequent. */
        @Override
        void update(int rows, int[] groups, MemorySegment states, int stride) {
            for (int i = 0; i < rows; i++) {
                if (values.has(i)) {
                    long at = (long) groups[i] * stride + offset;
                    states.set(BYTE, at, (byte) 1);
                    add(i, states, at + 1, values.values[i] >> 63, values.values[i]);
                }
            }
        }

        @Override
        void update(int row, MemorySegment states, long at, boolean first) {
            add(row, states, at, values.values[row] >> 63, values.values[row]);
        }
    }

    private static final class WideSum extends Sum {
        WideSum(Lane operand) {
            super(operand);
        }

        @Override
        void update(int row, MemorySegment states, long at, boolean first) {
            add(row, states, at, values.highs[row], values.values[row]);
        }
    }

    /** MIN or MAX of values of a fixed width. */
    private static final class Extreme extends Optional {
        private final boolean smallest;
        private final Lane held;

        Extreme(Lane operand, boolean smallest) {
            super(operand, 2 * Long.BYTES);
            this.smallest = smallest;
            this.held = Lane.of(operand.type);
        }

        @Override
        void update(int row, MemorySegment states, long at, boolean first) {
            boolean better = first;
            if (!first) {
                load(states, at);
                int order = Comparisons.order(values, row, held, 0);
                better = smallest ? order < 0 : order > 0;
            }
            if (better) {
                states.set(LONG, at, values.values[row]);
                states.set(LONG, at + Long.BYTES, values.highs.length > 0 ? values.highs[row] : 0);
            }
        }

        private void load(MemorySegment states, long at) {
            held.values[0] = states.get(LONG, at);
            if (held.highs.length > 0) {
                held.highs[0] = states.get(LONG, at + Long.BYTES);
            }
        }

        @Override
        void answer(MemorySegment states, long group, OffHeap to) {
            load(states, group + offset + 1);
            long at = to.take(held.type.bytes());
            TextCasts.write(held, 0, to.memory(), at);
        }
    }

    /** MIN or MAX of texts, which are copied: where the text is, its length, and the room that it has. */
    private static final class TextExtreme extends Optional {
        private final boolean smallest;
        private final OffHeap texts;

        TextExtreme(Lane operand, boolean smallest, OffHeap texts) {
            super(operand, 3 * Integer.BYTES);
            this.smallest = smallest;
            this.texts = texts;
        }

        @Override
        void update(int row, MemorySegment states, long at, boolean first) {
            int length = values.lengths[row];
            long textAt = states.get(INT, at);
            if (!first) {
                int order = KeyOrder.compare(
                        values.segments[row],
                        values.offsets[row],
                        length,
                        texts.memory(),
                        textAt,
                        states.get(INT, at + Integer.BYTES),
                        0);
                if (smallest ? order >= 0 : order <= 0) {
                    return;
                }
            }
            if (first || length > states.get(INT, at + 2 * Integer.BYTES)) {
                textAt = texts.take(length);
                states.set(INT, at, (int) textAt);
                states.set(INT, at + 2 * Integer.BYTES, length);
            }
            MemorySegment.copy(values.segments[row], values.offsets[row], texts.memory(), textAt, length);
            states.set(INT, at + Integer.BYTES, length);
        }

        @Override
        void answer(MemorySegment states, long group, OffHeap to) {
            long at = group + offset + 1;
            int length = states.get(INT, at + Integer.BYTES);
            to.putVarint(length);
            to.putBytes(texts.memory(), states.get(INT, at), length);
        }
    }
}
