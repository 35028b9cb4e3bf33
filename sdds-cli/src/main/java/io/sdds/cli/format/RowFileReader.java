package io.sdds.cli.format;

import java.io.IOException;
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
final class RowFileReader implements RecordReader {
    private final Rows rows;
    private final Source source;

    /** Reads lines, and gives the texts of columns by their names. */
    private interface Source extends AutoCloseable {
        /** The next line of a file; null at its end. */
        @Nullable
        Line next() throws IOException;

        long bytesRead();

        @Override
        void close() throws IOException;
    }

    /** @param problem the reason why the line is refused; null if it has fields */
    private record Line(
            long number,
            Map<String, @Nullable String> fields,
            @Nullable String problem) {}

    /** @param hasHeader whether the first line of TSV names the columns */
    RowFileReader(Format format, boolean hasHeader, InputStream in, Rows rows) {
        this.rows = rows;
        this.source = format == Format.CSV ? new Csv(in) : new Lines(in, format, hasHeader);
    }

    @Override
    public @Nullable Item next() throws IOException {
        Line line = source.next();
        if (line == null) {
            return null;
        }
        if (line.problem() != null) {
            return new Refused(line.number(), line.problem());
        }
        try {
            return rows.entry(line.number(), line.fields());
        } catch (IllegalArgumentException e) {
            return new Refused(line.number(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public long bytesRead() {
        return source.bytesRead();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    /** Lines of tabs, or of JSON objects. Skips empty lines. */
    private final class Lines implements Source {
        private final LineReader lines;
        private final Format format;

        /** Whether the next line names the columns. */
        private boolean isHeader;

        private List<String> names = rows.names();

        Lines(InputStream in, Format format, boolean hasHeader) {
            this.lines = new LineReader(in);
            this.format = format;
            this.isHeader = hasHeader;
        }

        @Override
        public @Nullable Line next() throws IOException {
            if (!lines.nextFilled()) {
                return null;
            }
            if (isHeader && lines.problem() == null) {
                names = TsvCells.header(lines);
                rows.checkNames(names);
                isHeader = false;
                return next();
            }
            return line();
        }

        private Line line() {
            String problem = lines.problem();
            if (problem != null) {
                return refused(problem);
            }
            try {
                return new Line(lines.number(), format == Format.TSV ? cells() : object(), null);
            } catch (IllegalArgumentException e) {
                return refused(String.valueOf(e.getMessage()));
            }
        }

        private Line refused(String problem) {
            return new Line(lines.number(), Map.of(), problem);
        }

        private Map<String, @Nullable String> object() {
            return Rows.fields(
                    new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8));
        }

        private Map<String, @Nullable String> cells() {
            return rows.named(names, TsvCells.of(lines));
        }

        @Override
        public long bytesRead() {
            return lines.bytesRead();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private final class Csv implements Source {
        private final CsvRows cells;
        private @Nullable List<String> header;

        Csv(InputStream in) {
            this.cells = new CsvRows(in);
        }

        @Override
        public @Nullable Line next() throws IOException {
            List<String> names = header == null ? readHeader() : header;
            CsvRows.Row row = names == null ? null : cells.next(names.size());
            if (names == null || row == null) {
                return null;
            }
            Map<String, @Nullable String> fields = new LinkedHashMap<>();
            for (int k = 0; k < row.cells().size(); k++) {
                fields.put(names.get(k), rows.csvCell(names.get(k), row.cells().get(k)));
            }
            return new Line(row.line(), fields, row.problem());
        }

        /** @throws IllegalArgumentException if the header names a column that the table does not have */
        private @Nullable List<String> readHeader() throws IOException {
            CsvRows.Row row = cells.next(0);
            if (row == null) {
                return null;
            }
            if (row.problem() != null) {
                throw new IllegalArgumentException("line 1: " + row.problem() + ", in the header");
            }
            rows.checkNames(row.cells());
            header = row.cells();
            return header;
        }

        @Override
        public long bytesRead() {
            return cells.bytesRead();
        }

        @Override
        public void close() throws IOException {
            cells.close();
        }
    }
}
