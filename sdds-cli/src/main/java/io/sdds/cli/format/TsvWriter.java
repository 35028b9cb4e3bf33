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
        byte[] shownKey = shown(key);
        byte[] shownValue = shown(value);
        writeEscaped(shownKey);
        out.write('\t');
        writeEscaped(shownValue);
        out.write('\n');
    }

    /** As it stands in the file, but for escapes; checks that it is text when text is wanted. */
    private byte[] shown(byte[] bytes) {
        String printed = text.print(bytes);
        return text.hex() ? printed.getBytes(StandardCharsets.US_ASCII) : bytes;
    }

    private void writeEscaped(byte[] bytes) throws IOException {
        int from = 0;
        for (int k = 0; k < bytes.length; k++) {
            int letter = escape(bytes[k]);
            if (letter != 0) {
                out.write(bytes, from, k - from);
                out.write('\\');
                out.write(letter);
                from = k + 1;
            }
        }
        out.write(bytes, from, bytes.length - from);
    }

    private static int escape(byte b) {
        return switch (b) {
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\\' -> '\\';
            default -> 0;
        };
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
