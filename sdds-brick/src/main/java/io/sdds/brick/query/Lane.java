package io.sdds.brick.query;

import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one instruction for the rows of a batch. Which arrays there are depends on the type: {@link #values}
 * for numbers of up to 64 bits, with {@link #highs} for those of 128 bits; {@link #segments}, {@link #offsets} and
 * {@link #lengths} for text and bytes, which stay where they are.
 *
 * <p>BOOLEAN is 0 or 1, DOUBLE the bits of the number. A UUID has its first half in {@link #highs} with the sign bit
 * inverted, so that the order of 128-bit numbers is the order of its bytes.
 */
final class Lane {
    /** Most rows of a batch. */
    static final int ROWS = 256;

    /** State of a row that has a value. */
    static final byte VALUE = 0;

    /** State of a row that is NULL. Higher states are the codes of errors. */
    static final byte NULL = 1;

    static final long[] NO_NUMBERS = {};
    private static final MemorySegment[] NO_SEGMENTS = {};
    private static final int[] NO_LENGTHS = {};

    final ValueType type;
    final byte[] states = new byte[ROWS];
    final long[] values;
    final long[] highs;
    final MemorySegment[] segments;
    final long[] offsets;
    final int[] lengths;

    /** Whether all rows have a value. */
    boolean clean = true;

    /** Whether the values are the same in all batches. */
    private final boolean constant;

    /** Whether the lane shares arrays with the batch, which compacts them itself. */
    private final boolean shared;

    private Lane(
            ValueType type,
            boolean constant,
            MemorySegment @Nullable [] segments,
            long @Nullable [] offsets,
            int @Nullable [] lengths) {
        this.type = type;
        this.constant = constant;
        boolean text = isText(type);
        this.values = text ? NO_NUMBERS : new long[ROWS];
        this.highs = isWide(type) ? new long[ROWS] : NO_NUMBERS;
        this.shared = segments != null;
        this.segments = segments != null ? segments : text ? nothings() : NO_SEGMENTS;
        this.offsets = offsets != null ? offsets : text ? new long[ROWS] : NO_NUMBERS;
        this.lengths = lengths != null ? lengths : text ? new int[ROWS] : NO_LENGTHS;
    }

    private static MemorySegment[] nothings() {
        MemorySegment[] segments = new MemorySegment[ROWS];
        Arrays.fill(segments, MemorySegment.NULL);
        return segments;
    }

    /** A lane of its own arrays. */
    static Lane of(ValueType type) {
        return new Lane(type, false, null, null, null);
    }

    /** A lane whose values do not change. */
    static Lane constant(ValueType type) {
        return new Lane(type, true, null, null, null);
    }

    /** A lane that is a part of each record. */
    static Lane part(ValueType type, MemorySegment[] segments, long[] offsets, int[] lengths) {
        return new Lane(type, false, segments, offsets, lengths);
    }

    static boolean isText(ValueType type) {
        return type.bytes() == 0;
    }

    static boolean isWide(ValueType type) {
        return type.bytes() == 16;
    }

    /** Bytes of its own arrays, about. */
    long bytes() {
        long text = shared ? 0 : segments.length * (long) (Integer.BYTES + Long.BYTES + Integer.BYTES);
        return states.length + (long) (values.length + highs.length) * Long.BYTES + text;
    }

    boolean isConstant() {
        return constant;
    }

    /** The state of a result that needs two operands: an error, the first one's at first; else NULL; else a value. */
    static byte both(byte a, byte b) {
        return a > NULL ? a : (byte) Math.max(a, b);
    }

    /** Takes over the states of an operand. */
    void statesOf(Lane a, int rows) {
        clean = a.clean;
        if (!clean) {
            System.arraycopy(a.states, 0, states, 0, rows);
        }
    }

    /** Takes over the states of two operands. */
    void statesOf(Lane a, Lane b, int rows) {
        if (a.clean) {
            statesOf(b, rows);
        } else if (b.clean) {
            statesOf(a, rows);
        } else {
            clean = false;
            for (int i = 0; i < rows; i++) {
                states[i] = both(a.states[i], b.states[i]);
            }
        }
    }

    /** Whether a row has a value. */
    boolean has(int row) {
        return clean || states[row] == VALUE;
    }

    byte state(int row) {
        return clean ? VALUE : states[row];
    }

    /** Gives a row a state, whatever the others have. */
    void state(int row, byte state, int rows) {
        if (clean) {
            clean = false;
            Arrays.fill(states, 0, rows, VALUE);
        }
        states[row] = state;
    }

    void text(int row, MemorySegment segment, long offset, int length) {
        segments[row] = segment;
        offsets[row] = offset;
        lengths[row] = length;
    }

    /** Copies the value of a row of another lane of the same type. */
    void copy(int row, Lane from) {
        if (highs.length > 0) {
            highs[row] = from.highs[row];
        }
        if (values.length > 0) {
            values[row] = from.values[row];
        } else {
            text(row, from.segments[row], from.offsets[row], from.lengths[row]);
        }
    }

    /** Keeps the selected rows alone. */
    void compact(int[] selected, int count) {
        if (constant || shared) {
            return;
        }
        if (!clean) {
            for (int i = 0; i < count; i++) {
                states[i] = states[selected[i]];
            }
        }
        compact(values, selected, count);
        compact(highs, selected, count);
        if (segments.length > 0) {
            compact(segments, selected, count);
            compact(offsets, selected, count);
            compact(lengths, selected, count);
        }
    }

    static void compact(long[] array, int[] selected, int count) {
        if (array.length > 0) {
            for (int i = 0; i < count; i++) {
                array[i] = array[selected[i]];
            }
        }
    }

    static void compact(int[] array, int[] selected, int count) {
        for (int i = 0; i < count; i++) {
            array[i] = array[selected[i]];
        }
    }

    static void compact(MemorySegment[] array, int[] selected, int count) {
        for (int i = 0; i < count; i++) {
            array[i] = array[selected[i]];
        }
    }
}
