package io.sdds.cli.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes {@link Format#CSV} with the columns key and value. */
final class CsvWriter implements RecordWriter {
    private final OutputStream out;
    private final Text text;
    private boolean begun;

    CsvWriter(OutputStream out, Text text) {
        this.out = out;
        this.text = text;
    }

    @Override
    public void write(byte[] key, byte[] value) throws IOException {
        String line = cell(CsvText.print(text, key)) + "," + cell(CsvText.print(text, value)) + "\n";
        begin();
        out.write(line.getBytes(StandardCharsets.UTF_8));
    }

    private void begin() throws IOException {
        if (!begun) {
            begun = true;
            out.write("key,value\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A cell, in quotes if it needs them. */
    static String cell(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    @Override
    public void flush() throws IOException {
        begin();
        out.flush();
    }
}
