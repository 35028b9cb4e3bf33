package io.sdds.core.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the columns of rows in byte arrays. One reader reads one row after another, on one thread, without making
 * objects but for the values that are asked for.
 *
 * <pre>{@code
 * RowReader reader = new RowReader(RowLayout.of(schema));
 * reader.read(row);
 * Object city = reader.value(2);
 * }</pre>
 */
public final class RowReader {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final RowLayout layout;
    private byte[] row = new byte[0];
    private int columns;
    private boolean wide;
    private int bitmap;
    private int ends;
    private int bytes;

    public RowReader(RowLayout layout) {
        this.layout = layout;
    }

    /**
     * Begins to read a row.
     *
     * @throws MalformedRowException if the header is none of the layout, or the row has another length than it says
     */
    public void read(byte[] row) {
        if (row.length < RowLayout.HEADER_BYTES) {
            throw new MalformedRowException(row.length + " bytes, fewer than a header has");
        }
        long header = (long) LONGS.get(row, 0);
        if (!layout.fits(header)) {
            throw new MalformedRowException("its header " + Long.toHexString(Long.reverseBytes(header))
                    + " is not of the columns of the table");
        }
        this.columns = RowLayout.columns(header);
        this.wide = RowLayout.isWide(header);
        this.bitmap = RowLayout.bitmapOffset(header);
        this.ends = RowLayout.endsOffset(header);
        this.bytes = RowLayout.bytesOffset(header);
        this.row = row;
        int variables = RowLayout.variableColumns(header);
        if (row.length < bytes || row.length - bytes != (variables == 0 ? 0 : end(variables - 1))) {
            throw new MalformedRowException(row.length + " bytes, which is not the length of its columns");
        }
    }

    /** Lets go of the row. */
    public void clear() {
        row = new byte[0];
    }

    /** Columns of the row; it may have fewer than the layout, or more. */
    public int columns() {
        return columns;
    }

    /** Whether the row has the column; else it is older than the column, which then has its default. */
    public boolean has(int ordinal) {
        return ordinal < columns;
    }

    /** Whether a column that the row has is NULL. */
    public boolean isNull(int ordinal) {
        return (row[bitmap + (ordinal >> 3)] >> (ordinal & 7) & 1) != 0;
    }

    /**
     * Offset of the first byte of a column that the row has.
     *
     * @throws MalformedRowException if the column is not inside the row
     */
    public int offset(int ordinal) {
        return layout.isFixed(ordinal) ? layout.fixedOffset(ordinal) : bytes + start(ordinal);
    }

    /** Bytes of a column that the row has; like {@link #offset}. */
    public int length(int ordinal) {
        return layout.isFixed(ordinal)
                ? layout.type(ordinal).bytes()
                : end(layout.variableNumber(ordinal)) - start(ordinal);
    }

    /** The value of a column as {@link Values#decode} gives it, or the column's default; null: NULL. */
    public @Nullable Object value(int ordinal) {
        ValueType type = layout.type(ordinal);
        if (!has(ordinal)) {
            byte[] stored = layout.defaultOf(ordinal);
            return stored == null ? null : Values.decode(type, stored);
        }
        return isNull(ordinal) ? null : Values.decode(type, row, offset(ordinal), length(ordinal));
    }

    /** The value of a column as the row stores it, or the column's default; null: NULL. Nobody may change the bytes. */
    public byte @Nullable [] stored(int ordinal) {
        if (!has(ordinal)) {
            return layout.defaultOf(ordinal);
        }
        int at = offset(ordinal);
        return isNull(ordinal) ? null : Arrays.copyOfRange(row, at, at + length(ordinal));
    }

    /** The header of the row. */
    long header() {
        return (long) LONGS.get(row, 0);
    }

    /** The bytes of a column of variable length, by its number among those of the row. */
    byte[] variable(int number) {
        int start = variableStart(number);
        return Arrays.copyOfRange(row, bytes + start, bytes + end(number));
    }

    private int start(int ordinal) {
        return variableStart(layout.variableNumber(ordinal));
    }

    private int variableStart(int number) {
        int start = number == 0 ? 0 : end(number - 1);
        int end = end(number);
        if (start < 0 || end < start || end > row.length - bytes) {
            throw new MalformedRowException("variable column " + number + " is at " + start + " to " + end + " of "
                    + (row.length - bytes) + " variable bytes");
        }
        return start;
    }

    private int end(int number) {
        return wide
                ? (int) INTS.get(row, ends + number * Integer.BYTES)
                : (short) SHORTS.get(row, ends + number * Short.BYTES) & 0xffff;
    }
}
