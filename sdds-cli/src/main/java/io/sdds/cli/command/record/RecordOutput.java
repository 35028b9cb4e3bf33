package io.sdds.cli.command.record;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.format.Format;
import io.sdds.cli.format.RecordWriter;
import io.sdds.cli.format.Rows;
import io.sdds.cli.format.Text;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.OutputClosedException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Writes records to a file or to stdout, and notices when the reader of stdout is gone. */
final class RecordOutput implements AutoCloseable {
    private static final int CHECK_EVERY_RECORDS = 4096;

    private final RecordWriter writer;
    /** The print stream, which hides write errors; null if the output reports write errors. */
    private final @Nullable PrintStream hiding;

    private long records;

    private RecordOutput(RecordWriter writer, @Nullable PrintStream hiding) {
        this.writer = writer;
        this.hiding = hiding;
    }

    /**
     * Writes records as lines of a format.
     *
     * @param rows of a table with a schema, whose columns are written then; else null
     */
    static RecordOutput lines(OutputStream out, Format format, Text text, @Nullable Rows rows) {
        RecordWriter writer = rows == null ? format.writer(out, text) : rows.writer(format, out);
        return new RecordOutput(writer, out instanceof PrintStream print ? print : null);
    }

    /**
     * Writes records as elements of an open JSON array.
     *
     * @param rows of a table with a schema, whose columns are fields then; else null
     */
    static RecordOutput elements(JsonGenerator json, PrintStream out, Text text, @Nullable Rows rows) {
        return new RecordOutput(new Elements(json, text, rows), out);
    }

    /**
     * Writes a record.
     *
     * @throws OutputClosedException if the reader of the output is gone
     */
    void write(byte[] key, byte[] value) {
        try {
            writer.write(key, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (++records % CHECK_EVERY_RECORDS == 0 && hiding != null) {
            OutputClosedException.check(hiding);
        }
    }

    /** Number of records written. */
    long records() {
        return records;
    }

    @Override
    public void close() throws IOException {
        writer.flush();
    }

    private record Elements(
            JsonGenerator json, Text text, @Nullable Rows rows) implements RecordWriter {
        @Override
        public void write(byte[] key, byte[] value) throws IOException {
            if (rows != null) {
                Json.write(json, rows.document(key, value));
                return;
            }
            json.writeStartObject();
            json.writeFieldName("key");
            Json.write(json, text.json(key));
            json.writeFieldName("value");
            Json.write(json, text.json(value));
            json.writeEndObject();
        }

        @Override
        public void flush() throws IOException {
            json.flush();
        }
    }
}
