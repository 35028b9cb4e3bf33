package io.sdds.cli.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Notation of the records of a table with a schema for people: the values of the columns as text. For one thread. */
public final class Rows {
    /** In place of NULL among texts. A text never begins so, because a backslash is escaped. */
    private static final String NULL = "\\N";

    private final Schema schema;
    private final KeyEncoding keys;
    private final RowWriter writer;
    private final RowReader reader;

    public Rows(Schema schema) {
        this.schema = schema;
        this.keys = KeyEncoding.of(schema);
        this.writer = new RowWriter(schema);
        this.reader = new RowReader(RowLayout.of(schema));
    }

    // ---- reading notations

    /**
     * The bytes of a key.
     *
     * @param text the value of the key column; of several key columns the values in their order, with commas between
     *     them, and in double quotes as in CSV if they have commas
     * @throws IllegalArgumentException that names the column, if the text is no key
     */
    public byte[] key(String text) {
        List<Column> columns = schema.keyColumns();
        List<String> parts = columns.size() == 1 ? List.of(text) : CsvRows.cells(text);
        if (parts.size() != columns.size()) {
            throw new IllegalArgumentException("key '" + Text.shortened(text) + "' has " + parts.size()
                    + " values: give " + names(columns) + ", with commas between them");
        }
        @Nullable Object[] values = new Object[columns.size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = parsed(columns.get(k), parts.get(k));
        }
        return keys.encode(values);
    }

    /** Whether these names, with commas between them, are those of all key columns, in any order. */
    public boolean isKey(String names) {
        Set<Column> named = new HashSet<>();
        for (String name : names.split(",")) {
            Column column = schema.column(name.strip());
            if (column == null || !named.add(column)) {
                return false;
            }
        }
        return named.equals(Set.copyOf(schema.keyColumns()));
    }

    /** Names of the key columns in their order, with commas between them. */
    public String keyNames() {
        return schema.keyColumns().stream().map(Column::name).collect(Collectors.joining(","));
    }

    /** Whether the key is one column of text, whose bytes are the key. */
    public boolean hasTextKey() {
        List<Column> columns = schema.keyColumns();
        return columns.size() == 1 && columns.get(0).type().kind() == ValueType.Kind.VARCHAR;
    }

    private static Object parsed(Column column, String text) {
        return ValueText.parse(column.type(), text, column.name());
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(","));
    }

    /**
     * The bytes of the row of a record. Columns that are not given have their default, else NULL.
     *
     * @param given {@code COLUMN=VALUE} for each column, or one JSON object of columns
     * @throws IllegalArgumentException that names the column, if a value does not fit or is missing
     */
    public byte[] row(List<String> given) {
        boolean isJson = given.size() == 1 && given.get(0).stripLeading().startsWith("{");
        return row(isJson ? fields(given.get(0)) : pairs(given));
    }

    private byte[] row(Map<String, @Nullable String> fields) {
        List<Column> columns = schema.valueColumns();
        @Nullable Object[] values = new Object[columns.size()];
        for (int k = 0; k < values.length; k++) {
            Column column = columns.get(k);
            values[k] = column.hasDefault() ? Values.decode(column.type(), column.defaultValue()) : null;
        }
        Set<Integer> taken = new HashSet<>();
        fields.forEach((name, text) -> {
            Column column = valueColumn(name);
            int ordinal = schema.ordinal(column);
            if (!taken.add(ordinal)) {
                throw new IllegalArgumentException("column '" + column.name() + "' is given twice");
            }
            values[ordinal] = text == null ? null : parsed(column, text);
        });
        return writer.write(values);
    }

    private Column valueColumn(String name) {
        Column column = schema.column(name);
        if (column == null) {
            throw new IllegalArgumentException(schema.noColumn(name));
        }
        if (column.key()) {
            throw new IllegalArgumentException("column '" + column.name() + "' is part of the key: leave it out here");
        }
        return column;
    }

    private static Map<String, @Nullable String> pairs(List<String> given) {
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        for (String pair : given) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException(
                        "'" + Text.shortened(pair) + "' is no COLUMN=VALUE and no JSON object of columns");
            }
            String name = pair.substring(0, equals);
            if (fields.put(name, pair.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("column '" + name + "' is given twice");
            }
        }
        return fields;
    }

    /** The fields of a JSON object as texts. */
    static Map<String, @Nullable String> fields(String json) {
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        object(json).forEach((name, value) -> fields.put(name, value.isNull() ? null : value.asText()));
        return fields;
    }

    /** The fields of a JSON object, none of which is an object or an array. */
    static Map<String, JsonNode> object(String json) {
        JsonNode object;
        try {
            object = JsonText.EXACT.readTree(json);
        } catch (JsonProcessingException e) {
            String problem = e.getOriginalMessage().lines().findFirst().orElse("?");
            throw new IllegalArgumentException("the columns are no JSON object: " + problem, e);
        }
        if (!object.isObject()) {
            throw new IllegalArgumentException("no JSON object of columns");
        }
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        object.fields().forEachRemaining(field -> {
            if (field.getValue().isContainerNode()) {
                throw new IllegalArgumentException(
                        "column '" + field.getKey() + "': expected a text, a number, true, false or null");
            }
            fields.put(field.getKey(), field.getValue());
        });
        return fields;
    }

    /** @throws MalformedRowException unless the bytes are a record of the table */
    public void check(byte[] key, byte[] value) {
        cells(key, value);
    }

    // ---- writing notations

    /** The values of the columns that were not dropped, in the order of the schema, as text; null: NULL. */
    private Map<Column, @Nullable Object> cells(byte[] key, byte[] value) {
        Map<Column, @Nullable Object> cells = new LinkedHashMap<>();
        try {
            Object[] ofKey = keys.decode(key);
            reader.read(value);
            for (Column column : schema.liveColumns()) {
                int ordinal = schema.ordinal(column);
                cells.put(column, column.key() ? ofKey[ordinal] : reader.value(ordinal));
            }
        } catch (MalformedRowException e) {
            throw new MalformedRowException("the record of key " + new Text(true).print(key)
                    + " (hexadecimal) is no record of the schema, version " + schema.version() + ": " + e.getMessage());
        }
        return cells;
    }

    /** The columns of a record as a JSON object. */
    public Map<String, @Nullable Object> document(byte[] key, byte[] value) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        cells(key, value)
                .forEach((column, cell) -> document.put(column.name(), cell == null ? null : json(column, cell)));
        return document;
    }

    /** Numbers of 32 and 64 bits and finite ones of floating point as numbers; decimal numbers as text, exactly. */
    private static Object json(Column column, Object cell) {
        return switch (column.type().kind()) {
            case BOOLEAN, INTEGER, BIGINT -> cell;
            case DOUBLE -> Double.isFinite((Double) cell) ? cell : cell.toString();
            default -> ValueText.text(column.type(), cell);
        };
    }

    /** The columns of a record with tabs between them, with {@link Escapes} in texts, and {@code \N} for NULL. */
    public String line(byte[] key, byte[] value) {
        List<String> texts = new ArrayList<>();
        cells(key, value)
                .forEach((column, cell) -> texts.add(
                        cell == null
                                ? NULL
                                : Escapes.of(ValueText.text(column.type(), cell).getBytes(StandardCharsets.UTF_8))));
        return String.join("\t", texts);
    }

    // ---- files

    /**
     * Reads a file with the columns of records.
     *
     * @param hasHeader whether the first line of TSV names the columns, as that of CSV always does
     * @throws IllegalArgumentException later, when the file has a header with a column that the table does not have
     */
    public RecordReader reader(Format format, boolean hasHeader, InputStream in) {
        return RowFileReader.of(format, hasHeader, in, this);
    }

    /** Creates a writer whose output {@link #reader} reads. */
    public RecordWriter writer(Format format, OutputStream out) {
        return new RowFileWriter(format, out, this);
    }

    /** The names of the columns in the order of the schema. */
    List<String> names() {
        return schema.liveColumns().stream().map(Column::name).toList();
    }

    /** The record of the texts of columns by their names. */
    RecordReader.Entry entry(long line, Map<String, @Nullable String> fields) {
        @Nullable Object[] key = new Object[keys.columns()];
        Map<String, @Nullable String> others = new LinkedHashMap<>();
        fields.forEach((name, text) -> {
            Column column = schema.column(name);
            if (column != null && column.key()) {
                key[schema.ordinal(column)] = text == null ? null : parsed(column, text);
            } else {
                others.put(name, text);
            }
        });
        return new RecordReader.Entry(line, keys.encode(key), row(others));
    }

    /** Cells by the names of their columns. */
    static Map<String, @Nullable String> named(List<String> names, List<@Nullable String> cells) {
        if (cells.size() != names.size()) {
            throw new IllegalArgumentException(
                    cells.size() + " columns, expected " + names.size() + ": " + String.join(" TAB ", names));
        }
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        for (int k = 0; k < cells.size(); k++) {
            fields.put(names.get(k), cells.get(k));
        }
        return fields;
    }

    /** @throws IllegalArgumentException if a name is none of a column, or is there twice */
    void checkNames(List<String> header) {
        Set<String> seen = new HashSet<>();
        for (String name : header) {
            if (schema.column(name) == null) {
                throw new IllegalArgumentException("line 1: " + schema.noColumn(name));
            }
            if (!seen.add(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("line 1: column '" + name + "' is there twice");
            }
        }
    }

    /** The text of a cell of CSV, where an empty cell is NULL, but for a text that is not null. */
    @Nullable
    String csvCell(String name, String cell) {
        Column column = schema.column(name);
        boolean takesEmpty =
                column != null && column.type().kind() == ValueType.Kind.VARCHAR && (column.notNull() || column.key());
        return cell.isEmpty() && !takesEmpty ? null : cell;
    }

    /** The cells of a record in CSV. */
    List<String> csvCells(byte[] key, byte[] value) {
        List<String> texts = new ArrayList<>();
        cells(key, value).forEach((column, cell) -> texts.add(cell == null ? "" : ValueText.text(column.type(), cell)));
        return texts;
    }
}
