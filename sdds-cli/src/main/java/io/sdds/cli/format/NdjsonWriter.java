package io.sdds.cli.format;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.terminal.Json;
import java.io.IOException;
import java.io.OutputStream;

/** Writes {@link Format#NDJSON} with the fields key and value. */
final class NdjsonWriter implements RecordWriter {
    private final JsonGenerator json;
    private final Text text;

    NdjsonWriter(OutputStream out, Text text) {
        this.json = Json.generator(out).setRootValueSeparator(null);
        this.text = text;
    }

    @Override
    public void write(byte[] key, byte[] value) throws IOException {
        json.writeStartObject();
        json.writeFieldName("key");
        Json.write(json, text.json(key));
        json.writeFieldName("value");
        Json.write(json, text.json(value));
        json.writeEndObject();
        json.writeRaw('\n');
    }

    @Override
    public void flush() throws IOException {
        json.flush();
    }
}
