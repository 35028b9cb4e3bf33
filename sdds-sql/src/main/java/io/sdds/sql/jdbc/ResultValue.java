package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values of results as the classes that an application asks for. */
final class ResultValue {
    private ResultValue() {}

    /** The value as {@code getObject} gives it by default. */
    static @Nullable Object ofSql(@Nullable Object value) {
        if (value instanceof LocalDate) {
            return LocalTimes.date(dateTime(value), null);
        }
        if (value instanceof LocalTime) {
            return LocalTimes.time(dateTime(value), null);
        }
        return value instanceof LocalDateTime time ? LocalTimes.timestamp(time, null) : value;
    }

    /** The value as another class. */
    static @Nullable Object as(@Nullable Object value, Class<?> wanted, int column) throws SQLException {
        if (value == null || wanted.isInstance(value)) {
            return wanted == Object.class ? ofSql(value) : value;
        }
        Object made;
        try {
            made = converted(value, wanted);
        } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
            throw wrong(value, wanted, column);
        }
        if (made == null) {
            throw wrong(value, wanted, column);
        }
        return made;
    }

    private static SQLException wrong(Object value, Class<?> wanted, int column) {
        return new SQLException("column " + column + ": " + value + " is no " + wanted.getName(), SqlErrors.DATA);
    }

    private static @Nullable Object converted(Object value, Class<?> wanted) {
        if (wanted == String.class) {
            return value instanceof byte[] bytes
                    ? java.util.HexFormat.of().formatHex(bytes)
                    : value.toString().replace('T', ' ');
        }
        if (Number.class.isAssignableFrom(wanted) || wanted == Boolean.class) {
            return value instanceof byte[] ? null : number(value, wanted);
        }
        if (wanted == UUID.class) {
            return UUID.fromString(value.toString());
        }
        return time(value, wanted);
    }

    private static @Nullable Object number(Object value, Class<?> wanted) {
        return switch (wanted.getName()) {
            case "java.lang.Boolean" ->
                value instanceof Number ? decimal(value).signum() != 0 : Boolean.valueOf(value.toString());
            case "java.lang.Double" -> Double.valueOf(value.toString());
            case "java.lang.Float" -> (float) Double.parseDouble(value.toString());
            case "java.math.BigDecimal" -> decimal(value);
            case "java.math.BigInteger" -> decimal(value).toBigIntegerExact();
            case "java.lang.Long" -> decimal(value).longValueExact();
            case "java.lang.Integer" -> decimal(value).intValueExact();
            case "java.lang.Short" -> decimal(value).shortValueExact();
            case "java.lang.Byte" -> decimal(value).byteValueExact();
            default -> null;
        };
    }

    private static BigDecimal decimal(Object value) {
        return value instanceof Boolean isTrue
                ? isTrue ? BigDecimal.ONE : BigDecimal.ZERO
                : new BigDecimal(value.toString());
    }

    private static @Nullable Object time(Object value, Class<?> wanted) {
        LocalDateTime time = dateTime(value);
        return switch (wanted.getName()) {
            case "java.time.LocalDateTime" -> time;
            case "java.time.LocalDate" -> time.toLocalDate();
            case "java.time.LocalTime" -> time.toLocalTime();
            case "java.sql.Timestamp", "java.util.Date" -> LocalTimes.timestamp(time, null);
            case "java.sql.Date" -> LocalTimes.date(time, null);
            case "java.sql.Time" -> LocalTimes.time(time, null);
            default -> null;
        };
    }

    /** The time that a text or another value of a result is. */
    static @Nullable LocalDateTime dateTime(@Nullable Object value, int column) throws SQLException {
        try {
            return value == null ? null : dateTime(value);
        } catch (DateTimeException e) {
            throw wrong(value, LocalDateTime.class, column);
        }
    }

    private static LocalDateTime dateTime(Object value) {
        if (value instanceof LocalDateTime time) {
            return time;
        }
        if (value instanceof LocalDate date) {
            return date.atStartOfDay();
        }
        return value instanceof LocalTime time ? time.atDate(LocalDate.EPOCH) : parsed(value.toString());
    }

    private static LocalDateTime parsed(String given) {
        String text = given.strip().replace(' ', 'T');
        if (text.indexOf('T') >= 0) {
            return LocalDateTime.parse(text);
        }
        return text.indexOf(':') >= 0
                ? LocalTime.parse(text).atDate(LocalDate.EPOCH)
                : LocalDate.parse(text).atStartOfDay();
    }
}
