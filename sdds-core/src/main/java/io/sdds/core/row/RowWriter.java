package io.sdds.core.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a table. Thread-safe. */
public final class RowWriter {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int NARROW_BYTES_MAX = 0xffff;

    private final List<Column> columns;
    private final RowLayout layout;
    private final int variableColumns;

    /** Of rows with all columns of the value. */
    public RowWriter(Schema schema) {
        this.columns = schema.valueColumns();
        this.layout = RowLayout.of(schema);
        this.variableColumns = RowLayout.variableColumns(layout.header(columns.size(), false));
    }

    /**
     * A row.
     *
     * @param values of {@link Schema#valueColumns}, in their order, of the classes of {@link Values}; null: NULL.
     *     Columns that were dropped are null
     * @throws IllegalArgumentException if a value does not fit its column; the message names the column
     */
    public byte[] write(@Nullable Object[] values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values of " + columns.size() + " columns");
        }
        byte[][] variable = new byte[variableColumns][];
        long bytes = encodeVariable(values, variable);
        boolean wide = bytes > NARROW_BYTES_MAX;
        long header = layout.header(columns.size(), wide);
        int at = RowLayout.bytesOffset(header);
        byte[] row = new byte[Math.toIntExact(at + bytes)];
        LONGS.set(row, 0, header);
        writeFixed(values, row, RowLayout.bitmapOffset(header));
        int ends = RowLayout.endsOffset(header);
        int end = 0;
        for (int k = 0; k < variableColumns; k++) {
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

    private static final byte[] NOTHING = {};

    private long encodeVariable(@Nullable Object[] values, byte[][] variable) {
        long bytes = 0;
        int number = 0;
        for (int k = 0; k < values.length; k++) {
            if (!layout.isFixed(k)) {
                Object value = values[k];
                Column column = columns.get(k);
                variable[number] = value == null ? NOTHING : Values.encode(column.type(), value, column.name());
                bytes += variable[number++].length;
            }
        }
        return bytes;
    }

    private void writeFixed(@Nullable Object[] values, byte[] row, int bitmap) {
        for (int k = 0; k < values.length; k++) {
            Object value = values[k];
            Column column = columns.get(k);
            if (value == null) {
                checkNull(column);
                row[bitmap + (k >> 3)] |= (byte) (1 << (k & 7));
            } else if (column.dropped()) {
                throw new IllegalArgumentException("column '" + column.name() + "' was dropped and takes no value");
            } else if (layout.isFixed(k)) {
                Values.writeFixed(column.type(), value, column.name(), row, layout.fixedOffset(k));
            }
        }
    }

    private static void checkNull(Column column) {
        if (column.notNull()) {
            throw new IllegalArgumentException("column '" + column.name() + "' is not null and has no value");
        }
    }
}
