package io.sdds.sql.jdbc;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The length of the values of parameters. */
final class ValueBytes {
    /** Half of what a program of a brick has room for. Constants of the statement may have the other half. */
    private static final int SHORT_MAX = 32 << 10;

    private static final int BYTES_OF_A_CHAR_MAX = 3;

    private ValueBytes() {}

    /** Whether texts and bytes are together longer than programs of bricks have room for. */
    static boolean areLong(@Nullable Object[] values) {
        long bytes = 0;
        for (Object value : values) {
            if (value instanceof String text) {
                bytes += bytes(text);
            } else if (value instanceof byte[] array) {
                bytes += array.length;
            }
        }
        return bytes > SHORT_MAX;
    }

    private static long bytes(String text) {
        return (long) text.length() * BYTES_OF_A_CHAR_MAX <= SHORT_MAX / 8
                ? text.length()
                : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
