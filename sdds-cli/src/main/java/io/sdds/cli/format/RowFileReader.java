package io.sdds.cli.format;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads files with the columns of the records of a table. {@link Format#TSV}: all columns in the order of the schema,
 * or those that the first line names, with {@link Escapes} and {@code \N} for NULL. {@link Format#CSV}: a header with
 * the names of columns; an empty cell is NULL, and in a column of text that is not null the empty text.
 * {@link Format#NDJSON}: one JSON object of columns a line. In CSV and NDJSON columns may be left out that have a
 * default or may be NULL.
 */
final class RowFileReader {
    private RowFileReader() {}

    /** @param hasHeader whether the first line of TSV names the columns */
    static RecordReader of(Format format, boolean hasHeader, InputStream in, Rows rows) {
        return format == Format.CSV ? new Csv(in, rows) : new Lines(in, rows, format, hasHeader);
    }

    /** Lines of tabs, or of JSON objects. */
    private static final class Lines extends LineRecordReader {
        private final Rows rows;
        private final Format format;

        /** Whether the next line names the columns. */
        private boolean isHeader;

        private List<String> names;

        Lines(InputStream in, Rows rows, Format format, boolean hasHeader) {
            super(in);
            this.rows = rows;
            this.format = format;
            this.isHeader = hasHeader;
            this.names = rows.names();
        }

        @Override
        boolean isRecord() {
            if (!isHeader) {
                return true;
            }
            names = TsvCells.header(lines);
            rows.checkNames(names);
            isHeader = false;
            return false;
        }

        @Override
        Entry entry() {
            return rows.entry(lines.number(), format == Format.TSV ? rows.named(names, TsvCells.of(lines)) : object());
        }

        private Map<String, @Nullable String> object() {
            return Rows.fields(
                    new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8));
        }
    }

    private static final class Csv extends CsvRecordReader {
        private final Rows rows;

        Csv(InputStream in, Rows rows) {
            super(in);
            this.rows = rows;
        }

        @Override
        void checkHeader(List<String> names) {
            rows.checkNames(names);
        }

        @Override
        Entry entry(long line, List<String> names, List<String> cells) {
            Map<String, @Nullable String> fields = new LinkedHashMap<>();
            for (int k = 0; k < cells.size(); k++) {
                fields.put(names.get(k), rows.csvCell(names.get(k), cells.get(k)));
            }
            return rows.entry(line, fields);
        }
    }
}
