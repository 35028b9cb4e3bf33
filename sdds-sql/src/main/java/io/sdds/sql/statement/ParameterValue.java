package io.sdds.sql.statement;

import io.sdds.sql.error.SqlErrors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The type of a parameter, and its values.
 *
 * @param number from 1
 * @param type of {@link Types}
 */
public record ParameterValue(int number, int type, String typeName) {
    /** The value of a parameter that has none. */
    public static final Object UNSET = new Object();

    private static final int NANOS_OF_MILLI = 1_000_000;
    private static final int UUID_BYTES = 16;

    /** A value of an application as one of this type. */
    @Nullable
    public Object of(@Nullable Object given) throws SQLException {
        if (given == null) {
            return null;
        }
        try {
            return converted(given);
        } catch (ArithmeticException e) {
            throw wrong(given, SqlErrors.NUMERIC_RANGE);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw wrong(given, SqlErrors.DATA);
        }
    }

    private SQLException wrong(Object given, String state) {
        String shown = given instanceof byte[] bytes
                ? bytes.length + " bytes"
                : given instanceof Number || given instanceof Boolean || given instanceof String
                        ? "'" + given + "'"
                        : given + " of " + given.getClass().getName();
        return new SQLException("parameter " + number + ": " + shown + " is no " + typeName, state);
    }

    /**
     * The value as one of this type.
     *
     * @throws RuntimeException if there is none
     */
    public Object converted(Object given) {
        if (type == Types.BIGINT && given instanceof Long) {
            return given;
        }
        return switch (type) {
            case Types.BOOLEAN, Types.BIT -> bool(given);
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> number(given).intValueExact();
            case Types.BIGINT -> number(given).longValueExact();
            case Types.DECIMAL, Types.NUMERIC -> number(given);
            case Types.DOUBLE, Types.FLOAT, Types.REAL -> floating(given);
            case Types.CHAR, Types.VARCHAR -> text(given);
            case Types.BINARY, Types.VARBINARY -> bytes(given);
            case Types.DATE -> date(given);
            case Types.TIME -> time(given);
            case Types.TIMESTAMP -> dateTime(given);
            default -> typeName.equals("UUID") ? uuid(given) : ofUnknownType(given);
        };
    }

    /** A time is a text if nothing says what it is compared with. */
    private static Object ofUnknownType(Object given) {
        boolean isTime = given instanceof LocalDate || given instanceof LocalTime || given instanceof LocalDateTime;
        return isTime ? text(given) : given;
    }

    private static Object uuid(Object given) {
        if (given instanceof byte[] bytes) {
            if (bytes.length != UUID_BYTES) {
                throw new IllegalArgumentException("a UUID has 16 bytes");
            }
            ByteBuffer both = ByteBuffer.wrap(bytes);
            return new UUID(both.getLong(), both.getLong());
        }
        return given instanceof String text ? UUID.fromString(text) : given;
    }

    private static Boolean bool(Object given) {
        if (given instanceof Number) {
            return number(given).signum() != 0;
        }
        return switch (given.toString().toLowerCase(java.util.Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new IllegalArgumentException("no boolean");
        };
    }

    private static BigDecimal number(Object given) {
        if (given instanceof Boolean isTrue) {
            return isTrue ? BigDecimal.ONE : BigDecimal.ZERO;
        }
        if (given instanceof BigDecimal decimal) {
            return decimal;
        }
        if (given instanceof BigInteger whole) {
            return new BigDecimal(whole);
        }
        return given instanceof Integer || given instanceof Long
                ? BigDecimal.valueOf(((Number) given).longValue())
                : new BigDecimal(given.toString().strip());
    }

    private static Double floating(Object given) {
        return given instanceof Double || given instanceof Float
                ? ((Number) given).doubleValue()
                : given instanceof String text
                        ? Double.valueOf(text.strip())
                        : number(given).doubleValue();
    }

    private static String text(Object given) {
        if (given instanceof byte[]) {
            throw new IllegalArgumentException("bytes");
        }
        if (given instanceof LocalDateTime time) {
            return time.toString().replace('T', ' ');
        }
        return given instanceof BigDecimal decimal ? decimal.toPlainString() : given.toString();
    }

    private static byte[] bytes(Object given) {
        if (given instanceof byte[] bytes) {
            return bytes;
        }
        return HexFormat.of().parseHex(given.toString());
    }

    /** A date; a time of a day stays one, because a date is compared with it. */
    private static Object date(Object given) {
        if (given instanceof LocalDate date) {
            return date;
        }
        if (given instanceof LocalDateTime time) {
            return time.toLocalTime().equals(LocalTime.MIDNIGHT) ? time.toLocalDate() : time;
        }
        return LocalDate.parse(given.toString().strip());
    }

    private static LocalTime time(Object given) {
        if (given instanceof LocalTime time) {
            return time;
        }
        return given instanceof LocalDateTime time
                ? time.toLocalTime()
                : LocalTime.parse(given.toString().strip());
    }

    private static LocalDateTime dateTime(Object given) {
        if (given instanceof LocalDateTime time) {
            return time;
        }
        if (given instanceof LocalDate date) {
            return date.atStartOfDay();
        }
        return LocalDateTime.parse(given.toString().strip().replace(' ', 'T'));
    }

    /** A value of this type in the form that the engine computes with. */
    public static @Nullable Object ofEngine(@Nullable Object value) {
        if (value instanceof LocalDate date) {
            return (int) date.toEpochDay();
        }
        if (value instanceof LocalTime time) {
            return (int) (time.toNanoOfDay() / NANOS_OF_MILLI);
        }
        return value instanceof LocalDateTime time
                ? time.toInstant(ZoneOffset.UTC).toEpochMilli()
                : value;
    }

    /** Gives a value of this type to the engine. */
    public void bind(PreparedStatement statement, @Nullable Object given) throws SQLException {
        Object value = ofEngine(given);
        if (value == null) {
            statement.setNull(number, type);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(number, bytes);
        } else {
            statement.setObject(number, value);
        }
    }
}
