package io.sdds.cli.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.sdds.core.row.Column;
import io.sdds.core.row.NearNames;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of a file of columns, from which a schema is inferred. Each column has the narrowest type that takes
 * its values in these rows. A column may be NULL unless it is part of the key, because later rows are not known.
 */
public final class SchemaSample {
    /** Most rows that are looked at. */
    public static final int ROWS_MAX = 10_000;

    /** Most bytes that are looked at. */
    public static final int BYTES_MAX = 8 << 20;

    private final Map<String, ColumnSample> columns = new LinkedHashMap<>();
    private long rows;
    private @Nullable String firstProblem;
    private boolean headerLikely;

    private SchemaSample() {}

    /**
     * Reads the first rows of a file. Invalid lines are skipped.
     *
     * @param hasHeader whether the first line of TSV names the columns; else they are called c1, c2, ...
     * @param begin the file, or its first {@link #BYTES_MAX} bytes
     * @throws IllegalArgumentException if the header is wrong, or there is no row
     */
    public static SchemaSample of(Format format, boolean hasHeader, byte[] begin) throws IOException {
        SchemaSample sample = new SchemaSample();
        byte[] whole = begin.length < BYTES_MAX ? begin : wholeLines(begin);
        switch (format) {
            case CSV -> sample.readCsv(whole);
            case TSV -> sample.readTsv(whole, hasHeader);
            case NDJSON -> sample.readNdjson(whole);
        }
        if (sample.rows == 0) {
            throw new IllegalArgumentException(
                    "no row to infer a schema from" + (sample.firstProblem == null ? "" : ": " + sample.firstProblem));
        }
        return sample;
    }

    private static byte[] wholeLines(byte[] begin) {
        int end = begin.length;
        while (end > 0 && begin[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(begin, end);
    }

    // ---- reading

    private void readCsv(byte[] file) throws IOException {
        try (CsvRows source = new CsvRows(new ByteArrayInputStream(file))) {
            CsvRows.Row header = source.next(0);
            if (header == null) {
                return;
            }
            if (header.problem() != null) {
                throw new IllegalArgumentException("line 1: " + header.problem() + ", in the header");
            }
            List<ColumnSample> named = named(header.cells());
            for (CsvRows.Row row = source.next(named.size());
                    row != null && rows < ROWS_MAX;
                    row = source.next(named.size())) {
                if (row.problem() != null) {
                    skip(row.line(), row.problem());
                    continue;
                }
                rows++;
                for (int k = 0; k < named.size(); k++) {
                    if (!row.cells().get(k).isEmpty()) {
                        named.get(k).add(row.cells().get(k));
                    }
                }
            }
        }
    }

    private void readTsv(byte[] file, boolean hasHeader) throws IOException {
        List<@Nullable String> first = List.of();
        try (LineReader lines = new LineReader(new ByteArrayInputStream(file))) {
            List<ColumnSample> named = List.of();
            while (rows < ROWS_MAX && lines.next()) {
                if (lines.end() == lines.start()) {
                    continue;
                }
                if (named.isEmpty()) {
                    List<String> names = hasHeader ? TsvCells.header(lines) : numbered(TsvCells.of(lines));
                    named = named(names);
                    first = hasHeader ? List.of() : TsvCells.of(lines);
                    rows += first.isEmpty() ? 0 : 1;
                } else {
                    addLine(lines, named);
                }
            }
            headerLikely = isHeader(first, named);
            for (int k = 0; k < first.size(); k++) {
                add(named.get(k), first.get(k));
            }
        }
    }

    private void addLine(LineReader lines, List<ColumnSample> named) {
        try {
            List<@Nullable String> cells = TsvCells.of(lines);
            if (cells.size() != named.size()) {
                throw new IllegalArgumentException(cells.size() + " columns, expected " + named.size());
            }
            rows++;
            for (int k = 0; k < cells.size(); k++) {
                add(named.get(k), cells.get(k));
            }
        } catch (IllegalArgumentException e) {
            skip(lines.number(), String.valueOf(e.getMessage()));
        }
    }

    private static void add(ColumnSample column, @Nullable String cell) {
        if (cell != null) {
            column.add(cell);
        }
    }

    /** Whether the first row has a text in a column that has none below. */
    private static boolean isHeader(List<@Nullable String> first, List<ColumnSample> below) {
        for (int k = 0; k < first.size(); k++) {
            ValueType type = below.get(k).type();
            if (type.kind() != ValueType.Kind.VARCHAR) {
                ColumnSample cell = new ColumnSample("");
                add(cell, first.get(k));
                if (cell.type().kind() == ValueType.Kind.VARCHAR && first.get(k) != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<String> numbered(List<@Nullable String> cells) {
        List<String> names = new ArrayList<>();
        cells.forEach(cell -> names.add("c" + (names.size() + 1)));
        return names;
    }

    private void readNdjson(byte[] file) throws IOException {
        try (LineReader lines = new LineReader(new ByteArrayInputStream(file))) {
            while (rows < ROWS_MAX && lines.next()) {
                if (lines.end() > lines.start()) {
                    addObject(lines);
                }
            }
        }
    }

    private void addObject(LineReader lines) {
        try {
            Map<String, JsonNode> fields = Rows.object(
                    new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8));
            rows++;
            fields.forEach((name, value) -> {
                ColumnSample column =
                        columns.computeIfAbsent(name.toLowerCase(Locale.ROOT), lower -> new ColumnSample(name));
                if (!value.isNull()) {
                    column.add(value.asText(), types(value));
                }
            });
        } catch (IllegalArgumentException e) {
            skip(lines.number(), String.valueOf(e.getMessage()));
        }
    }

    private static Set<ValueType.Kind> types(JsonNode value) {
        if (value.isBoolean()) {
            return ColumnSample.TRUTHS;
        }
        return value.isNumber() ? ColumnSample.NUMBERS : ColumnSample.TEXTS;
    }

    private List<ColumnSample> named(List<String> names) {
        for (String name : names) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("line 1: column " + (columns.size() + 1) + " has no name");
            }
            if (columns.putIfAbsent(name.toLowerCase(Locale.ROOT), new ColumnSample(name)) != null) {
                throw new IllegalArgumentException("line 1: column '" + name + "' is there twice");
            }
        }
        return List.copyOf(columns.values());
    }

    private void skip(long line, String problem) {
        firstProblem = firstProblem == null ? "line " + line + ": " + problem : firstProblem;
    }

    // ---- the schema

    /** Number of rows that were looked at. */
    public long rows() {
        return rows;
    }

    /** Whether the first line of TSV is likely to name the columns, though it was read as a row. */
    public boolean isHeaderLikely() {
        return headerLikely;
    }

    /**
     * The schema.
     *
     * @param keys names of the columns of the key; empty: the first column that has another value in each row
     * @throws IllegalArgumentException if there is no such column, or the columns make no schema
     */
    public Schema schema(List<String> keys) {
        List<ColumnSample> key = keys.isEmpty()
                ? List.of(firstKey())
                : keys.stream().map(this::column).toList();
        List<Column> all = new ArrayList<>();
        for (ColumnSample column : columns.values()) {
            boolean isKey = key.contains(column);
            all.add(new Column(column.name(), column.type(), isKey, isKey, false, new byte[0], false));
        }
        return Schema.of(all);
    }

    private ColumnSample firstKey() {
        return columns.values().stream()
                .filter(column -> column.isKeyOf(rows))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no column has a value of its own in each row: name the key, such as --key " + example()));
    }

    /** The first two columns, with a comma. */
    private String example() {
        return String.join(
                ",", columns.values().stream().map(ColumnSample::name).limit(2).toList());
    }

    private ColumnSample column(String name) {
        ColumnSample column = columns.get(name.toLowerCase(Locale.ROOT));
        if (column == null) {
            List<String> names =
                    columns.values().stream().map(ColumnSample::name).toList();
            String near = NearNames.hint(name, names);
            throw new IllegalArgumentException(
                    "no column '" + name + "'" + (near.isEmpty() ? "; there are " + String.join(", ", names) : near));
        }
        return column;
    }

    /** Number of different values of a column. */
    public long distinct(String column) {
        return column(column).distinct();
    }
}
