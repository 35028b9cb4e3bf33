package io.sdds.cli.format;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Converts keys and values to cells. Text stays unchanged. Other bytes become {@code \x} and hexadecimal digits, such
 * as {@code \xc328}. Text that begins like such bytes is written as bytes too.
 */
final class CsvText {
    private static final String BYTES = "\\x";
    private static final Pattern LOOKS_LIKE_BYTES = Pattern.compile("\\\\x([0-9a-fA-F]{2})*");

    private CsvText() {}

    static String print(Text text, byte[] bytes) {
        if (text.hex()) {
            return text.print(bytes);
        }
        String cell = Text.isUtf8(bytes, 0, bytes.length) ? text.print(bytes) : BYTES;
        return isBytes(cell) ? BYTES + HexFormat.of().formatHex(bytes) : cell;
    }

    /** @throws IllegalArgumentException if hexadecimal digits are wrong, or the text has half a surrogate pair */
    static byte[] parse(Text text, String cell) {
        return !text.hex() && isBytes(cell) ? Text.digits(cell.substring(BYTES.length())) : text.parse(cell);
    }

    private static boolean isBytes(String cell) {
        return cell.startsWith(BYTES) && LOOKS_LIKE_BYTES.matcher(cell).matches();
    }
}
