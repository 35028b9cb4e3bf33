package io.sdds.cli.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Keys and values as people type and read them: UTF-8 text, or hexadecimal digits.
 *
 * @param hex whether it is digits
 */
public record Text(boolean hex) {

    /** @throws IllegalArgumentException when digits are wanted and something else is there, or text has half a surrogate pair */
    public byte[] parse(String text) {
        if (!hex) {
            return utf8(text);
        }
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + shortened(text) + "' is not hexadecimal: an even number of digits 0-9 a-f", e);
        }
    }

    /** @throws IllegalArgumentException when the bytes are no text and text is wanted */
    public String print(byte[] bytes) {
        if (hex) {
            return HexFormat.of().formatHex(bytes);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "bytes " + shortened(HexFormat.of().formatHex(bytes)) + " are not UTF-8 text: use --hex", e);
        }
    }

    private static byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "'" + shortened(text) + "' is not text: it has half a surrogate pair", e);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 37) + "...";
    }
}
