package io.sdds.cli.format;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Keys and values as cells: text as it is, other bytes as {@code \x} and hexadecimal digits, {@code \xc328}. Text that
 * looks so is written as bytes, too.
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

    /**
     * @throws IllegalArgumentException when digits are wanted and something else is there, or text has half a surrogate
     *     pair
     */
    static byte[] parse(Text text, String cell) {
        return !text.hex() && isBytes(cell) ? Text.digits(cell.substring(BYTES.length())) : text.parse(cell);
    }

    private static boolean isBytes(String cell) {
        return cell.startsWith(BYTES) && LOOKS_LIKE_BYTES.matcher(cell).matches();
    }
}
