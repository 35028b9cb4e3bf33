package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
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
        if (value instanceof LocalDate date) {
            return LocalTimes.date(date.atStartOfDay(), null);
        }
        if (value instanceof LocalTime time) {
            return LocalTimes.time(time.atDate(LocalDate.EPOCH), null);
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
        if (wanted == Boolean.class) {
            return value instanceof Number ? decimal(value).signum() != 0 : Boolean.valueOf(value.toString());
        }
        if (wanted == Double.class || wanted == Float.class) {
            double number = Double.parseDouble(value.toString());
            return wanted == Double.class ? (Object) number : (Object) (float) number;
        }
        BigDecimal number = decimal(value);
        if (wanted == BigDecimal.class) {
            return number;
        }
        if (wanted == BigInteger.class) {
            return number.toBigIntegerExact();
        }
        if (wanted == Long.class) {
            return number.longValueExact();
        }
        if (wanted == Integer.class) {
            return number.intValueExact();
        }
        return wanted == Short.class
                ? (Object) number.shortValueExact()
                : wanted == Byte.class ? (Object) number.byteValueExact() : null;
    }

    private static BigDecimal decimal(Object value) {
        return value instanceof Boolean isTrue
                ? isTrue ? BigDecimal.ONE : BigDecimal.ZERO
                : new BigDecimal(value.toString());
    }

    private static @Nullable Object time(Object value, Class<?> wanted) {
        LocalDateTime time = value instanceof LocalDateTime given
                ? given
                : value instanceof LocalDate date
                        ? date.atStartOfDay()
                        : value instanceof LocalTime clock ? clock.atDate(LocalDate.EPOCH) : parsed(value.toString());
        if (wanted == LocalDateTime.class) {
            return time;
        }
        if (wanted == LocalDate.class) {
            return time.toLocalDate();
        }
        if (wanted == LocalTime.class) {
            return time.toLocalTime();
        }
        if (wanted == Timestamp.class || wanted == java.util.Date.class) {
            return LocalTimes.timestamp(time, null);
        }
        return wanted == Date.class
                ? LocalTimes.date(time, null)
                : wanted == Time.class ? LocalTimes.time(time, null) : null;
    }

    /** The time that a text of a result is. */
    static @Nullable LocalDateTime dateTime(@Nullable String text, int column) throws SQLException {
        try {
            return text == null ? null : parsed(text);
        } catch (DateTimeException e) {
            throw wrong(text, LocalDateTime.class, column);
        }
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
