package io.sdds.sql.schema;

import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowEditor;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.Values;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of SQL as records of a table. Rows have the values of the client, in the order of the columns. For one thread.
 */
public final class TableRecords {
    private final Schema schema;
    private final List<Column> columns;
    private final List<Integer> keys;
    /**
     * Positions in {@link #columns} of the stored columns of the value; -1: this statement does not know the column.
     */
    private final int[] stored;

    private final @Nullable KeyEncoding encoding;
    private final @Nullable RowWriter writer;

    TableRecords(SddsTable table) {
        this.schema = table.rows();
        this.columns = table.columns();
        this.keys = table.keys();
        this.stored = schema.valueColumns().stream()
                .mapToInt(column -> column.dropped() ? -1 : columns.indexOf(column))
                .toArray();
        this.encoding = schema.exists() ? KeyEncoding.of(schema) : null;
        this.writer = schema.exists() ? new RowWriter(schema) : null;
    }

    /** A row of the engine with the values of the client. */
    @Nullable
    public Object[] ofEngine(@Nullable Object[] row) {
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = SqlTypes.toClient(row[k], columns.get(k).type());
        }
        return values;
    }

    /**
     * The key of a row; a new one if the key is hidden.
     *
     * @throws IllegalArgumentException if a value is NULL or does not fit its column
     */
    public byte[] key(@Nullable Object[] row) {
        if (encoding == null) {
            return bytes(row[0], "_key");
        }
        if (keys.isEmpty()) {
            return encoding.encode(RowId.next());
        }
        @Nullable Object[] values = new @Nullable Object[keys.size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = row[keys.get(k)];
        }
        return encoding.encode(values);
    }

    private static byte[] bytes(@Nullable Object value, String column) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalArgumentException("column '" + column + "' takes no NULL");
    }

    /**
     * The value of the record of a row.
     *
     * @throws IllegalArgumentException if a value does not fit its column
     */
    public byte[] value(@Nullable Object[] row) {
        if (writer == null) {
            return bytes(row[1], "_value");
        }
        @Nullable Object[] values = new @Nullable Object[stored.length];
        for (int k = 0; k < values.length; k++) {
            values[k] = stored[k] < 0 ? null : row[stored[k]];
        }
        return writer.write(values);
    }

    /** The row of a record. */
    @Nullable
    public Object[] row(byte[] key, byte[] value) {
        if (!schema.exists()) {
            return new Object[] {key, value};
        }
        Object[] ofKey = KeyEncoding.of(schema).decode(key);
        RowReader reader = new RowReader(RowLayout.of(schema));
        reader.read(value);
        List<Column> ofValue = schema.valueColumns();
        @Nullable Object[] row = new @Nullable Object[columns.size()];
        for (int k = 0; k < row.length; k++) {
            Column column = columns.get(k);
            row[k] = column.key() ? ofKey[keys.indexOf(k)] : reader.value(ofValue.indexOf(column));
        }
        return row;
    }

    /**
     * The value of a record with other values in some columns; columns that this client does not know stay.
     *
     * @param changed positions of columns of the value
     * @throws IllegalArgumentException if a value does not fit its column
     */
    public byte[] changed(byte[] value, List<Integer> changed, List<@Nullable Object> values) {
        if (!schema.exists()) {
            return bytes(values.get(0), "_value");
        }
        List<Column> ofValue = schema.valueColumns();
        List<Integer> ordinals = new ArrayList<>();
        List<byte @Nullable []> bytes = new ArrayList<>();
        for (int k = 0; k < changed.size(); k++) {
            Column column = columns.get(changed.get(k));
            Object given = values.get(k);
            if (given == null && column.notNull()) {
                throw new IllegalArgumentException("column '" + column.name() + "' takes no NULL");
            }
            ordinals.add(ofValue.indexOf(column));
            bytes.add(given == null ? null : Values.encode(column.type(), given, column.name()));
        }
        return new RowEditor(RowLayout.of(schema)).edit(value, ordinals, bytes);
    }

    /** The key of a row as a message shows it. */
    public String shownKey(@Nullable Object[] row) {
        StringBuilder text = new StringBuilder("(");
        for (int key : keys) {
            Object value = row[key];
            String shown = value instanceof byte[] bytes
                    ? "x'" + java.util.HexFormat.of().formatHex(bytes) + "'"
                    : String.valueOf(value);
            text.append(text.length() == 1 ? "" : ", ").append(shown);
        }
        return text.append(')').toString();
    }
}
