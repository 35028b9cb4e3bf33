package io.sdds.sql.jdbc;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The length of the values of parameters. */
final class ValueBytes {
    /** Half of what a program of a brick has room for: the other half is for constants of the statement. */
    private static final int SHORT_MAX = 32 << 10;

    private static final int BYTES_OF_A_CHAR_MAX = 3;

    private ValueBytes() {}

    /** Whether texts and bytes are together longer than programs of bricks have room for. */
    static boolean areLong(@Nullable Object[] values) {
        long most = 0;
        for (Object value : values) {
            most += value instanceof String text ? (long) BYTES_OF_A_CHAR_MAX * text.length() : length(value);
        }
        return most > SHORT_MAX && bytes(values) > SHORT_MAX;
    }

    private static long bytes(@Nullable Object[] values) {
        long bytes = 0;
        for (Object value : values) {
            bytes += value instanceof String text ? text.getBytes(StandardCharsets.UTF_8).length : length(value);
        }
        return bytes;
    }

    private static int length(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.length : 0;
    }
}
