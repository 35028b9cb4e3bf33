package io.sdds.client;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the result of a query: values of types, each of which may be NULL. Columns have numbers from 0 on, and
 * names, which are found without regard to case if none is written so. Immutable.
 *
 * <pre>{@code
 * for (Row row : names.scan().select("key", "length(value) as n")) {
 *     show(row.getString("key"), row.getInt("n"));
 * }
 * }</pre>
 *
 * <p>The classes of values are {@link Boolean}, {@link Integer}, {@link Long}, {@link Double}, {@link BigDecimal},
 * {@link String}, {@code byte[]}, {@link java.time.LocalDate}, {@link java.time.LocalTime},
 * {@link java.time.LocalDateTime} and {@link java.util.UUID}.
 *
 * <p>All methods that take a column throw {@link IllegalArgumentException} if there is no such column. Those that give
 * a number, or another primitive value, throw it also if the column has another type or the number does not fit, and
 * {@link IllegalStateException} if the value is NULL.
 */
public interface Row {
    /** The names of the columns, in their order. */
    List<String> columns();

    /** The number of the column with a name. */
    int column(String name);

    /** The value in a column; null: NULL. An array belongs to the caller. */
    @Nullable
    Object get(int column);

    /** The value in a column; null: NULL. An array belongs to the caller. */
    default @Nullable Object get(String column) {
        return get(column(column));
    }

    /** Whether the value is NULL. */
    default boolean isNull(int column) {
        return get(column) == null;
    }

    /** Whether the value is NULL. */
    default boolean isNull(String column) {
        return isNull(column(column));
    }

    /** An integer, a bigint, or a decimal number without a fraction. */
    long getLong(int column);

    /** An integer, a bigint, or a decimal number without a fraction. */
    default long getLong(String column) {
        return getLong(column(column));
    }

    /** Like {@link #getLong(int)}, of 32 bits. */
    int getInt(int column);

    /** Like {@link #getLong(String)}, of 32 bits. */
    default int getInt(String column) {
        return getInt(column(column));
    }

    /** A number of any type, as the nearest double. */
    double getDouble(int column);

    /** A number of any type, as the nearest double. */
    default double getDouble(String column) {
        return getDouble(column(column));
    }

    /** A boolean. */
    boolean getBoolean(int column);

    /** A boolean. */
    default boolean getBoolean(String column) {
        return getBoolean(column(column));
    }

    /** An integer, bigint or decimal number; null: NULL. */
    @Nullable
    BigDecimal getDecimal(int column);

    /** An integer, bigint or decimal number; null: NULL. */
    default @Nullable BigDecimal getDecimal(String column) {
        return getDecimal(column(column));
    }

    /** The value as text, bytes as UTF-8; null: NULL. */
    @Nullable
    String getString(int column);

    /** The value as text, bytes as UTF-8; null: NULL. */
    default @Nullable String getString(String column) {
        return getString(column(column));
    }
}
