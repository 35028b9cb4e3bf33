package io.sdds.cli.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes {@link Format#TSV}. */
final class TsvWriter implements RecordWriter {
    private final OutputStream out;
    private final Text text;

    TsvWriter(OutputStream out, Text text) {
        this.out = out;
        this.text = text;
    }

    @Override
    public void write(byte[] key, byte[] value) throws IOException {
        write(key);
        out.write('\t');
        write(value);
        out.write('\n');
    }

    private void write(byte[] bytes) throws IOException {
        if (text.hex()) {
            out.write(text.print(bytes).getBytes(StandardCharsets.US_ASCII));
        } else {
            Escapes.write(bytes, out);
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
