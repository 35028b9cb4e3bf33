package io.sdds.cli.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/**
 * Notation of keys and values for people: UTF-8 text or hexadecimal digits.
 *
 * @param hex whether the notation is hexadecimal digits
 */
public record Text(boolean hex) {
    /** Name of the JSON field with the bytes in hexadecimal digits, for bytes that are not text. */
    static final String HEX_FIELD = "$hex";

    /** @throws IllegalArgumentException if hexadecimal digits are wrong, or the text has half a surrogate pair */
    public byte[] parse(String text) {
        return hex ? digits(text) : utf8(text);
    }

    /** Formats bytes for people. Bytes that are not UTF-8 text become {@link Escapes}. */
    public String print(byte[] bytes) {
        if (hex) {
            return HexFormat.of().formatHex(bytes);
        }
        try {
            return decoded(bytes, 0, bytes.length);
        } catch (CharacterCodingException e) {
            return Escapes.of(bytes);
        }
    }

    /** Value for a JSON document: a text, or an object with the hexadecimal digits of bytes that are not UTF-8 text. */
    public Object json(byte[] bytes) {
        return hex || isUtf8(bytes, 0, bytes.length)
                ? print(bytes)
                : Map.of(HEX_FIELD, HexFormat.of().formatHex(bytes));
    }

    static boolean isUtf8(byte[] bytes, int from, int to) {
        try {
            decoded(bytes, from, to);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static String decoded(byte[] bytes, int from, int to) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, from, to - from))
                .toString();
    }

    static byte[] digits(String text) {
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + shortened(text) + "' is not hexadecimal: an even number of digits 0-9 a-f", e);
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

    /** The first cell of a file, without the mark that some programs put before UTF-8 text. */
    static String withoutByteOrderMark(String cell) {
        return cell.startsWith("\uFEFF") ? cell.substring(1) : cell;
    }

    static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 37) + "...";
    }
}
