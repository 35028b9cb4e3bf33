package io.sdds.cli.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@link Format#CSV}: a header, and rows with the same number of columns. */
abstract class CsvRecordReader implements RecordReader {
    private final CsvRows rows;
    private @Nullable List<String> header;

    CsvRecordReader(InputStream in) {
        this.rows = new CsvRows(in);
    }

    /** @throws IllegalArgumentException if the file cannot have this header */
    abstract void checkHeader(List<String> names);

    /**
     * The record of a row.
     *
     * @throws IllegalArgumentException if the row is not a record
     */
    abstract Entry entry(long line, List<String> names, List<String> cells);

    @Override
    public @Nullable Item next() throws IOException {
        List<String> names = header == null ? readHeader() : header;
        CsvRows.Row row = names == null ? null : rows.next(names.size());
        if (names == null || row == null) {
            return null;
        }
        if (row.problem() != null) {
            return new Refused(row.line(), row.problem());
        }
        try {
            return entry(row.line(), names, row.cells());
        } catch (IllegalArgumentException e) {
            return new Refused(row.line(), String.valueOf(e.getMessage()));
        }
    }

    private @Nullable List<String> readHeader() throws IOException {
        CsvRows.Row row = rows.next(0);
        if (row == null) {
            return null;
        }
        if (row.problem() != null) {
            throw new IllegalArgumentException("line 1: " + row.problem() + ", in the header");
        }
        checkHeader(row.cells());
        header = row.cells();
        return header;
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
