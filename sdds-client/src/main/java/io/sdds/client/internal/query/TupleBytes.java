package io.sdds.client.internal.query;

import io.sdds.client.ProtocolException;
import io.sdds.core.protocol.Limits;
import io.sdds.core.row.ValueType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the values of a tuple stand in a block of tuples ({@link io.sdds.core.query.TupleCodec}). */
final class TupleBytes {
    private static final int VARINT_BYTES_MAX = 5;

    /** Bytes of the values of each column; 0: a length stands before each. */
    private final int[] fixed;

    private final int[] begins;
    private final int[] values;
    private final int[] ends;
    private byte[] block = new byte[0];
    private int nullsAt;
    private int nulls;

    TupleBytes(List<ValueType> types) {
        this.fixed = types.stream().mapToInt(ValueType::bytes).toArray();
        this.begins = new int[fixed.length + 1];
        this.values = new int[fixed.length];
        this.ends = new int[fixed.length];
    }

    /**
     * Finds the values of a tuple.
     *
     * @throws ProtocolException when the bytes end early or are no tuple
     */
    void read(byte[] of, int from) {
        block = of;
        nullsAt = from;
        int at = from + (fixed.length + Byte.SIZE - 1) / Byte.SIZE;
        checkEnd(at);
        nulls = of[from] & 0xff;
        int unused = fixed.length % Byte.SIZE;
        if (unused != 0 && (of[at - 1] & 0xff) >> unused != 0) {
            throw problem("a tuple has NULL beyond its " + fixed.length + " columns");
        }
        for (int k = 0; k < fixed.length; k++) {
            begins[k] = at;
            at = isNull(k) ? at : skip(k, at);
            ends[k] = at;
        }
        begins[fixed.length] = at;
    }

    /** Finds the first values of a tuple whose NULLs stand elsewhere. */
    void readKeys(byte[] of, byte nullsOfKeys, int from, int keys) {
        block = of;
        nulls = nullsOfKeys & 0xff;
        int at = from;
        for (int k = 0; k < keys; k++) {
            begins[k] = at;
            at = (nulls >> k & 1) != 0 ? at : skip(k, at);
            ends[k] = at;
        }
    }

    private int skip(int column, int from) {
        int at = from;
        int length = fixed[column];
        if (length == 0) {
            int shift = 0;
            int unit;
            do {
                checkEnd(at + 1);
                unit = block[at++];
                length |= (unit & 0x7f) << shift;
                shift += 7;
                boolean isLonger = unit == 0 && shift > 7; // than the shortest form
                if (isLonger || shift > 7 * VARINT_BYTES_MAX || length < 0 || length > Limits.VALUE_BYTES_MAX) {
                    throw problem("a number is out of range");
                }
            } while (unit < 0);
        }
        checkEnd(at + length);
        values[column] = at;
        return at + length;
    }

    private void checkEnd(int end) {
        if (end > block.length) {
            throw problem("tuple ends early");
        }
    }

    private static ProtocolException problem(String what) {
        return new ProtocolException("a block of rows cannot be read: " + what, false);
    }

    boolean isNull(int column) {
        return (block[nullsAt + (column >> 3)] >> (column & 7) & 1) != 0;
    }

    /** The bits of the first eight columns that are NULL. */
    int nulls() {
        return nulls;
    }

    /** Where the bytes of a column begin, with their length before them if it is not fixed. */
    int at(int column) {
        return begins[column];
    }

    /** Where the value of a column begins, which is not NULL. */
    int valueAt(int column) {
        return values[column];
    }

    /** Where the value of a column ends, which is not NULL. */
    int valueEnd(int column) {
        return ends[column];
    }

    /** Where the tuple ends. */
    int end() {
        return begins[fixed.length];
    }

    /** The value of a column of those that {@link #readKeys} has found; null: NULL. */
    byte @Nullable [] value(int column) {
        if ((nulls >> column & 1) != 0) {
            return null;
        }
        return Arrays.copyOfRange(block, values[column], ends[column]);
    }
}
