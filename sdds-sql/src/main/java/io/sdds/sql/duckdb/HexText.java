package io.sdds.sql.duckdb;

/** Bytes as texts of hexadecimal digits, which are UTF-8. */
final class HexText {
    private static final byte[] DIGITS = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };
    private static final int UUID_DIGITS = 36;

    private HexText() {}

    /** Two digits for each byte. */
    static byte[] of(byte[] bytes) {
        byte[] text = new byte[2 * bytes.length];
        for (int k = 0; k < bytes.length; k++) {
            write(bytes[k], text, 2 * k);
        }
        return text;
    }

    /** A UUID as people write it, with hyphens before the bytes 4, 6, 8 and 10. */
    static byte[] uuid(byte[] bytes) {
        byte[] text = new byte[UUID_DIGITS];
        int at = 0;
        for (int k = 0; k < bytes.length; k++) {
            if (k >= 4 && k <= 10 && k % 2 == 0) {
                text[at++] = '-';
            }
            write(bytes[k], text, at);
            at += 2;
        }
        return text;
    }

    private static void write(byte value, byte[] text, int at) {
        text[at] = DIGITS[value >> 4 & 0xf];
        text[at + 1] = DIGITS[value & 0xf];
    }
}
