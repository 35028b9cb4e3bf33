package io.sdds.sql.schema;

import io.sdds.core.protocol.Limits;
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
    private final Places places;
    private final @Nullable KeyEncoding encoding;
    private final @Nullable RowWriter writer;
    private @Nullable RowReader reader;

    /**
     * Where values of records are in rows. Objects of several threads share it.
     *
     * @param stored positions in the row of the stored columns of the value; -1: this statement does not know the
     *     column
     * @param ofKey for each column of the row, its position in the key; -1: it is one of the value
     * @param ofValue for each column of the row, its position in the value; -1: it is one of the key
     */
    record Places(
            int[] stored,
            int[] ofKey,
            int[] ofValue,
            @Nullable KeyEncoding encoding,
            @Nullable RowWriter writer) {
        static Places of(Schema schema, List<Column> columns, List<Integer> keys) {
            List<Column> values = schema.valueColumns();
            int[] stored = values.stream()
                    .mapToInt(column -> column.dropped() ? -1 : columns.indexOf(column))
                    .toArray();
            int[] ofKey = new int[columns.size()];
            int[] ofValue = new int[columns.size()];
            for (int k = 0; k < ofKey.length; k++) {
                ofKey[k] = keys.indexOf(k);
                ofValue[k] = ofKey[k] >= 0 ? -1 : values.indexOf(columns.get(k));
            }
            return schema.exists()
                    ? new Places(stored, ofKey, ofValue, KeyEncoding.of(schema), new RowWriter(schema))
                    : new Places(stored, ofKey, ofValue, null, null);
        }
    }

    TableRecords(Schema schema, List<Column> columns, List<Integer> keys, Places places) {
        this.schema = schema;
        this.columns = columns;
        this.keys = keys;
        this.places = places;
        this.encoding = places.encoding();
        this.writer = places.writer();
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
     * @throws IllegalArgumentException if a value is NULL or does not fit its column, or the key is too long
     */
    public byte[] key(@Nullable Object[] row) {
        byte[] key = encodedKey(row);
        refuse(Limits.keyProblem(key));
        return key;
    }

    private static void refuse(@Nullable String problem) {
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    private byte[] encodedKey(@Nullable Object[] row) {
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
     * @throws IllegalArgumentException if a value does not fit its column, or the record's value is too long
     */
    public byte[] value(@Nullable Object[] row) {
        byte[] value = encodedValue(row);
        refuse(Limits.valueProblem(value));
        return value;
    }

    private byte[] encodedValue(@Nullable Object[] row) {
        if (writer == null) {
            return bytes(row[1], "_value");
        }
        int[] stored = places.stored();
        @Nullable Object[] values = new @Nullable Object[stored.length];
        for (int k = 0; k < values.length; k++) {
            values[k] = stored[k] < 0 ? null : row[stored[k]];
        }
        return writer.write(values);
    }

    /** The row of a record. */
    @Nullable
    public Object[] row(byte[] key, byte[] value) {
        if (encoding == null) {
            return new Object[] {key, value};
        }
        Object[] ofKey = encoding.decode(key);
        RowReader values = reader();
        values.read(value);
        @Nullable Object[] row = new @Nullable Object[columns.size()];
        for (int k = 0; k < row.length; k++) {
            int at = places.ofKey()[k];
            row[k] = at >= 0 ? ofKey[at] : values.value(places.ofValue()[k]);
        }
        return row;
    }

    private RowReader reader() {
        RowReader known = reader;
        if (known == null) {
            known = new RowReader(RowLayout.of(schema));
            reader = known;
        }
        return known;
    }

    /**
     * The value of a record with other values in some columns; columns that this client does not know stay.
     *
     * @param changed positions of columns of the value
     * @throws IllegalArgumentException if a value does not fit its column, or the record's value is too long
     */
    public byte[] changed(byte[] value, List<Integer> changed, List<@Nullable Object> values) {
        byte[] edited = edited(value, changed, values);
        refuse(Limits.valueProblem(edited));
        return edited;
    }

    private byte[] edited(byte[] value, List<Integer> changed, List<@Nullable Object> values) {
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
