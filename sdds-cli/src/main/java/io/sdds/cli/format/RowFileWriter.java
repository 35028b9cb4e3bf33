package io.sdds.cli.format;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.terminal.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the columns of the records of a table in a {@link Format} that {@link RowFileReader} reads. */
final class RowFileWriter implements RecordWriter {
    private final Format format;
    private final OutputStream out;
    private final Rows rows;
    private final @Nullable JsonGenerator json;
    private boolean begun;

    RowFileWriter(Format format, OutputStream out, Rows rows) {
        this.format = format;
        this.out = out;
        this.rows = rows;
        this.json = format == Format.NDJSON ? Json.generator(out).setRootValueSeparator(null) : null;
    }

    @Override
    public void write(byte[] key, byte[] value) throws IOException {
        if (json != null) {
            Json.write(json, rows.document(key, value));
            json.writeRaw('\n');
        } else if (format == Format.CSV) {
            List<String> cells = rows.csvCells(key, value);
            begin();
            line(cells.stream().map(CsvWriter::cell).collect(Collectors.joining(",")));
        } else {
            line(rows.line(key, value));
        }
    }

    private void begin() throws IOException {
        if (!begun && format == Format.CSV) {
            begun = true;
            line(rows.names().stream().map(CsvWriter::cell).collect(Collectors.joining(",")));
        }
    }

    private void line(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void flush() throws IOException {
        begin();
        if (json != null) {
            json.flush();
        } else {
            out.flush();
        }
    }
}
