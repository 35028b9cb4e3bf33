package io.sdds.core.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives columns of rows other values. All other columns stay as they are, also those that the layout does not know. A
 * row that is older than the layout gets all its columns. For one thread.
 */
public final class RowEditor {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int NARROW_BYTES_MAX = 0xffff;
    private static final byte[] NOTHING = {};

    private final RowLayout layout;
    private final RowReader reader;

    public RowEditor(RowLayout layout) {
        this.layout = layout;
        this.reader = new RowReader(layout);
    }

    /**
     * A row that is like this one but for some columns.
     *
     * @param columns ordinals of the layout, none twice
     * @param values for each of these columns, as rows store it; null: NULL
     * @throws MalformedRowException if the row cannot be read
     */
    public byte[] edit(byte[] row, List<Integer> columns, List<byte @Nullable []> values) {
        try {
            return edited(row, columns, values);
        } finally {
            reader.clear(); // an editor that is kept would hold the memory of the row
        }
    }

    private byte[] edited(byte[] row, List<Integer> columns, List<byte @Nullable []> values) {
        reader.read(row);
        long old = reader.header();
        long own = layout.header(layout.columns(), false);
        long longer = RowLayout.columns(old) > layout.columns() ? old : own;
        byte[] fixed = new byte[RowLayout.endsOffset(longer)];
        System.arraycopy(row, 0, fixed, 0, RowLayout.bitmapOffset(old));
        int bitmap = RowLayout.bitmapOffset(longer);
        System.arraycopy(
                row,
                RowLayout.bitmapOffset(old),
                fixed,
                bitmap,
                RowLayout.endsOffset(old) - RowLayout.bitmapOffset(old));
        byte[][] variable = new byte[RowLayout.variableColumns(longer)][];
        for (int k = 0; k < RowLayout.variableColumns(old); k++) {
            variable[k] = reader.variable(k);
        }
        for (int k = RowLayout.columns(old); k < layout.columns(); k++) {
            set(k, layout.defaultOf(k), fixed, bitmap, variable);
        }
        for (int k = 0; k < columns.size(); k++) {
            set(columns.get(k), values.get(k), fixed, bitmap, variable);
        }
        return joined(longer, fixed, variable);
    }

    private void set(int column, byte @Nullable [] value, byte[] fixed, int bitmap, byte[][] variable) {
        int bit = 1 << (column & 7);
        int at = bitmap + (column >> 3);
        fixed[at] = (byte) (value == null ? fixed[at] | bit : fixed[at] & ~bit);
        if (!layout.isFixed(column)) {
            variable[layout.variableNumber(column)] = value == null ? NOTHING : value;
        } else {
            int width = layout.type(column).bytes();
            System.arraycopy(value == null ? new byte[width] : value, 0, fixed, layout.fixedOffset(column), width);
        }
    }

    /** The row of the columns of a header, whose end offsets are made as wide as they must be. */
    private static byte[] joined(long columns, byte[] fixed, byte[][] variable) {
        long bytes = 0;
        for (byte[] each : variable) {
            bytes += each.length;
        }
        boolean wide = bytes > NARROW_BYTES_MAX;
        long header = RowLayout.header(
                RowLayout.columns(columns), RowLayout.fixedBytes(columns), RowLayout.variableColumns(columns), wide);
        int at = RowLayout.bytesOffset(header);
        byte[] row = new byte[Math.toIntExact(at + bytes)];
        System.arraycopy(fixed, 0, row, 0, fixed.length);
        LONGS.set(row, 0, header);
        int ends = RowLayout.endsOffset(header);
        int end = 0;
        for (int k = 0; k < variable.length; k++) {
            System.arraycopy(variable[k], 0, row, at + end, variable[k].length);
            end += variable[k].length;
            if (wide) {
                INTS.set(row, ends + k * Integer.BYTES, end);
            } else {
                SHORTS.set(row, ends + k * Short.BYTES, (short) end);
            }
        }
        return row;
    }
}
