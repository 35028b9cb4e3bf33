package io.sdds.cli.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Writes any bytes as UTF-8 text on one line: {@code \t}, {@code \n}, {@code \r} and {@code \\} stand for these
 * characters, {@code \x} and two hexadecimal digits for a byte that is not part of UTF-8 text. Reading restores the
 * same bytes.
 */
final class Escapes {
    private static final HexFormat HEX = HexFormat.of();

    private Escapes() {}

    static String of(byte[] bytes) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(bytes.length + 16);
        try {
            write(bytes, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    static void write(byte[] bytes, OutputStream out) throws IOException {
        if (Text.isUtf8(bytes, 0, bytes.length)) {
            writeText(bytes, 0, bytes.length, out);
        } else {
            writeMixed(bytes, out);
        }
    }

    private static void writeMixed(byte[] bytes, OutputStream out) throws IOException {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer decoded = CharBuffer.allocate(bytes.length);
        while (in.hasRemaining()) {
            int from = in.position();
            CoderResult result = decoder.reset().decode(in, decoded.clear(), true);
            writeText(bytes, from, in.position(), out);
            int malformed = result.isError() ? result.length() : 0;
            for (int k = 0; k < malformed; k++) {
                out.write('\\');
                out.write('x');
                byte b = in.get();
                out.write(HEX.toHighHexDigit(b));
                out.write(HEX.toLowHexDigit(b));
            }
        }
    }

    /** Writes UTF-8 text in one piece between two escapes. */
    static void writeText(byte[] text, int from, int to, OutputStream out) throws IOException {
        int begin = from;
        for (int k = from; k < to; k++) {
            int letter = letter(text[k]);
            if (letter != 0) {
                out.write(text, begin, k - begin);
                out.write('\\');
                out.write(letter);
                begin = k + 1;
            }
        }
        out.write(text, begin, to - begin);
    }

    private static int letter(byte b) {
        return switch (b) {
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\\' -> '\\';
            default -> 0;
        };
    }

    /**
     * The bytes of a part of a line, with all escapes replaced.
     *
     * @throws IllegalArgumentException if the part is not UTF-8 text, or has an unknown escape
     */
    static byte[] read(byte[] line, int from, int to) {
        if (!Text.isUtf8(line, from, to)) {
            throw new IllegalArgumentException(
                    "bytes " + Text.shortened(HEX.formatHex(line, from, to)) + " are not UTF-8 text; use --hex");
        }
        byte[] bytes = new byte[to - from];
        int length = 0;
        for (int k = from; k < to; k++) {
            byte b = line[k];
            if (b == '\\') {
                k++;
                char letter = k < to ? (char) line[k] : ' ';
                if (letter == 'x' && k + 2 < to && isDigit(line[k + 1]) && isDigit(line[k + 2])) {
                    b = (byte) (HexFormat.fromHexDigit(line[k + 1]) << 4 | HexFormat.fromHexDigit(line[k + 2]));
                    k += 2;
                } else {
                    b = character(letter);
                }
            }
            bytes[length++] = b;
        }
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private static boolean isDigit(byte b) {
        return b >= 0 && HexFormat.isHexDigit(b);
    }

    private static byte character(char letter) {
        return switch (letter) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case '\\' -> '\\';
            default ->
                throw new IllegalArgumentException("unknown escape \\" + (letter <= ' ' || letter > '~' ? "" : letter)
                        + ": \\t, \\n, \\r, \\\\ and \\xff are known");
        };
    }
}
