package io.sdds.cli.command;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.format.Format;
import io.sdds.cli.format.RecordWriter;
import io.sdds.cli.format.Text;
import io.sdds.cli.terminal.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Records on their way out: into a file or to somebody who reads, or does not any more. */
final class RecordOutput implements AutoCloseable {
    private static final int CHECK_EVERY_RECORDS = 4096;

    private final RecordWriter writer;
    /** Which hides that nobody reads; null when what is written to does not. */
    private final @Nullable PrintStream hiding;

    private long records;

    private RecordOutput(RecordWriter writer, @Nullable PrintStream hiding) {
        this.writer = writer;
        this.hiding = hiding;
    }

    /** As lines of a format. */
    static RecordOutput lines(OutputStream out, Format format, Text text) {
        return new RecordOutput(format.writer(out, text), out instanceof PrintStream print ? print : null);
    }

    /** As elements of an array that has begun. */
    static RecordOutput elements(JsonGenerator json, PrintStream out, Text text) {
        return new RecordOutput(new Elements(json, text), out);
    }

    /**
     * Writes a record.
     *
     * @throws CommandFailure when nobody reads
     */
    void write(byte[] key, byte[] value) {
        try {
            writer.write(key, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (++records % CHECK_EVERY_RECORDS == 0 && hiding != null && hiding.checkError()) {
            throw CommandFailure.failed("nobody reads the output any more");
        }
    }

    /** How many were written. */
    long records() {
        return records;
    }

    @Override
    public void close() throws IOException {
        writer.flush();
    }

    private record Elements(JsonGenerator json, Text text) implements RecordWriter {
        @Override
        public void write(byte[] key, byte[] value) throws IOException {
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
