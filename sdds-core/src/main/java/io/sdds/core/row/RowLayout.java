package io.sdds.core.row;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the columns of a row are. A row is the value of a record of a table with a schema; numbers are little endian:
 *
 * <pre>
 * u8  format = 1
 * u8  flags: bit 0: end offsets are i32
 * u16 n: columns
 * u16 f: bytes of the columns of fixed width
 * u16 v: columns of variable length
 * f bytes: the columns of fixed width, in their order; a column that is NULL has zeros
 * ceil(n / 8) bytes: bit (ordinal % 8) of byte (ordinal / 8) is set if the column is NULL
 * v end offsets, u16 or i32, from the first variable byte on
 * variable bytes, up to the end of the row; a column that is NULL has none
 * </pre>
 *
 * <p>The first eight bytes, read as one long, are the header. They say where all else is, so that the columns of a row
 * of a later schema can be found, too. Rows with equal headers have their columns of fixed width, their bitmaps and
 * their end offsets at the same places. A row of an earlier schema has fewer columns than the layout, and the others
 * have their defaults.
 */
public final class RowLayout {
    /** Bytes of the header. */
    public static final int HEADER_BYTES = 8;

    static final byte FORMAT = 1;
    static final byte WIDE = 1;
    private static final int U16_MAX = 0xffff;

    private final List<ValueType> types;
    private final List<byte @Nullable []> defaults;
    /** For each column its offset in the row; of a column of variable length its number among those. */
    private final int[] places;
    /** Bytes of fixed width of the first n columns, n from 0 to all. */
    private final int[] fixedBytes;

    private final int[] variableColumns;

    /**
     * The layout of rows of columns.
     *
     * @param defaults for each column what rows have that are older than the column, as rows store it; null: NULL
     */
    public RowLayout(List<ValueType> types, List<? extends byte @Nullable []> defaults) {
        this.types = List.copyOf(types);
        this.defaults = new ArrayList<>(defaults);
        int columns = types.size();
        if (columns > Schema.COLUMNS_MAX || defaults.size() != columns) {
            throw new IllegalArgumentException(columns + " columns with " + defaults.size() + " defaults");
        }
        this.places = new int[columns];
        this.fixedBytes = new int[columns + 1];
        this.variableColumns = new int[columns + 1];
        for (int k = 0; k < columns; k++) {
            int bytes = types.get(k).bytes();
            places[k] = bytes > 0 ? HEADER_BYTES + fixedBytes[k] : variableColumns[k];
            fixedBytes[k + 1] = fixedBytes[k] + bytes;
            variableColumns[k + 1] = variableColumns[k] + (bytes > 0 ? 0 : 1);
        }
    }

    /** The layout of the rows of a table. */
    public static RowLayout of(Schema schema) {
        List<ValueType> types = new ArrayList<>();
        List<byte @Nullable []> defaults = new ArrayList<>();
        for (Column column : schema.valueColumns()) {
            types.add(column.type());
            defaults.add(column.hasDefault() ? column.defaultValue() : null);
        }
        return new RowLayout(types, defaults);
    }

    /** Columns of the layout. */
    public int columns() {
        return types.size();
    }

    public ValueType type(int ordinal) {
        return types.get(ordinal);
    }

    /** What rows have that are older than the column, as rows store it; null: NULL. Nobody may change the bytes. */
    public byte @Nullable [] defaultOf(int ordinal) {
        return defaults.get(ordinal);
    }

    /** Whether all values of a column have one length. */
    public boolean isFixed(int ordinal) {
        return types.get(ordinal).bytes() > 0;
    }

    /** Offset of a column of fixed width, from the first byte of the row on, in each row that has the column. */
    public int fixedOffset(int ordinal) {
        if (!isFixed(ordinal)) {
            throw new IllegalArgumentException("column " + ordinal + " has a variable length");
        }
        return places[ordinal];
    }

    /** The number of a column of variable length among the columns of variable length: the number of its end offset. */
    public int variableNumber(int ordinal) {
        if (isFixed(ordinal)) {
            throw new IllegalArgumentException("column " + ordinal + " has a fixed width");
        }
        return places[ordinal];
    }

    // ---- headers

    /** The header of a row that has the first columns of this layout. */
    public long header(int columns, boolean wide) {
        return header(columns, fixedBytes[columns], variableColumns[columns], wide);
    }

    /** The header of a row, which may have more columns than a layout knows. */
    static long header(int columns, int fixedBytes, int variableColumns, boolean wide) {
        return FORMAT
                | (wide ? WIDE << 8 : 0)
                | (long) columns << 16
                | (long) fixedBytes << 32
                | (long) variableColumns << 48;
    }

    /**
     * Whether a row with this header has its columns where this layout expects them. If so, and if the row is at least
     * {@link #bytesOffset} long, each column of fixed width, the bitmap and the end offsets are inside the row.
     */
    public boolean fits(long header) {
        int columns = columns(header);
        if (columns <= columns()) {
            return header == header(columns, isWide(header));
        }
        return (byte) header == FORMAT
                && (header >> 8 & 0xff & ~WIDE) == 0
                && columns <= Schema.COLUMNS_MAX
                && fixedBytes(header) >= fixedBytes[columns()]
                && variableColumns(header) >= variableColumns[columns()];
    }

    /** Columns of a row. */
    public static int columns(long header) {
        return (int) (header >>> 16) & U16_MAX;
    }

    /** Bytes of the columns of fixed width. */
    public static int fixedBytes(long header) {
        return (int) (header >>> 32) & U16_MAX;
    }

    /** Columns of variable length. */
    public static int variableColumns(long header) {
        return (int) (header >>> 48);
    }

    /** Whether end offsets have four bytes; else they have two. */
    public static boolean isWide(long header) {
        return (header >> 8 & WIDE) != 0;
    }

    /** Offset of the bitmap of NULLs. */
    public static int bitmapOffset(long header) {
        return HEADER_BYTES + fixedBytes(header);
    }

    /** Offset of the first end offset. */
    public static int endsOffset(long header) {
        return bitmapOffset(header) + (columns(header) + 7) / 8;
    }

    /** Offset of the first variable byte. */
    public static int bytesOffset(long header) {
        return endsOffset(header) + variableColumns(header) * (isWide(header) ? Integer.BYTES : Short.BYTES);
    }
}
