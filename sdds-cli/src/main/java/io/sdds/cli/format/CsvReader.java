package io.sdds.cli.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Format#CSV}: a header, and rows with the same number of columns. One column is the key. With two
 * columns, the other column is the value. With more columns, the value is a JSON object of all other columns.
 */
final class CsvReader implements RecordReader {
    private final CsvRows rows;
    private final Text text;
    private final @Nullable String key;
    private @Nullable List<String> header;
    private int keyColumn;

    CsvReader(InputStream in, Text text, @Nullable String key) {
        this.rows = new CsvRows(in);
        this.text = text;
        this.key = key;
    }

    @Override
    public @Nullable Item next() throws IOException {
        if (header == null && !readHeader()) {
            return null;
        }
        CsvRows.Row row = rows.next(header == null ? 0 : header.size());
        return row == null ? null : item(row);
    }

    private boolean readHeader() throws IOException {
        CsvRows.Row row = rows.next(0);
        if (row == null) {
            return false;
        }
        if (row.problem() != null) {
            throw new IllegalArgumentException("line 1: " + row.problem() + ", in the header");
        }
        List<String> names = row.cells();
        String wanted = key == null ? "key" : key;
        keyColumn = Math.max(0, names.indexOf(wanted));
        if (key != null && !names.contains(key)) {
            throw new IllegalArgumentException("no column '" + key + "'; the columns are " + String.join(", ", names));
        }
        if (names.size() < 2) {
            throw new IllegalArgumentException(
                    "line 1: expected a header with a column for the key and a column for the value");
        }
        header = names;
        return true;
    }

    private Item item(CsvRows.Row row) {
        List<String> names = header == null ? List.of() : header;
        if (row.problem() != null) {
            return new Refused(row.line(), row.problem());
        }
        List<String> cells = row.cells();
        try {
            return new Entry(row.line(), CsvText.parse(text, cells.get(keyColumn)), value(names, cells));
        } catch (IllegalArgumentException e) {
            return new Refused(row.line(), String.valueOf(e.getMessage()));
        }
    }

    private byte[] value(List<String> names, List<String> cells) {
        if (cells.size() == 2) {
            return CsvText.parse(text, cells.get(1 - keyColumn));
        }
        List<String> otherNames = new ArrayList<>(names);
        List<String> others = new ArrayList<>(cells);
        otherNames.remove(keyColumn);
        others.remove(keyColumn);
        return text.parse(JsonText.object(otherNames, others));
    }

    @Override
    public long bytesRead() {
        return rows.bytesRead();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
