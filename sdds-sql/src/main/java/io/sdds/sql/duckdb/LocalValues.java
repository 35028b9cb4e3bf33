package io.sdds.sql.duckdb;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/** Values of results of DuckDB in the form of the types that the statement was validated with. */
public final class LocalValues {
    private static final int NANOS_OF_MILLI = 1_000_000;

    private LocalValues() {}

    /**
     * The value of a column of the row that a result stands at.
     *
     * @param keepsDigits whether a decimal number may have more digits behind the point than its type
     */
    public static @Nullable Object read(ResultSet rows, int column, RelDataType type, boolean keepsDigits)
            throws SQLException {
        return switch (type.getSqlTypeName()) {
            case DATE, TIMESTAMP -> time(rows.getObject(column, LocalDateTime.class), type);
            default -> {
                Object value = rows.getObject(column);
                yield value == null ? null : of(value, type, keepsDigits);
            }
        };
    }

    private static @Nullable Object time(@Nullable LocalDateTime time, RelDataType type) {
        if (time == null) {
            return null;
        }
        return switch (type.getSqlTypeName()) {
            case DATE -> (int) time.toLocalDate().toEpochDay();
            default -> time.toInstant(ZoneOffset.UTC).toEpochMilli();
        };
    }

    private static Object of(Object value, RelDataType type, boolean keepsDigits) throws SQLException {
        return switch (type.getSqlTypeName()) {
            case TINYINT -> (byte) whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> (short) whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> (int) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
            case REAL -> ((Number) value).floatValue();
            case DOUBLE, FLOAT -> ((Number) value).doubleValue() + 0.0; // one zero
            case DECIMAL -> keepsDigits && value instanceof BigDecimal ? value : decimal(value, type.getScale());
            case TIME -> (int) (((LocalTime) value).toNanoOfDay() / NANOS_OF_MILLI);
            // A parameter of which nothing is known is a text.
            case CHAR, VARCHAR, NULL, ANY, UNKNOWN -> value.toString();
            case BINARY, VARBINARY -> bytes((Blob) value);
            case BOOLEAN, UUID -> value;
            default -> throw new StatementEnd("a result of type " + type + " is not supported", SqlErrors.UNSUPPORTED);
        };
    }

    private static ByteString bytes(Blob value) throws SQLException {
        return new ByteString(value.getBytes(1, Math.toIntExact(value.length())));
    }

    private static long whole(Object value, long min, long max) {
        BigDecimal number = value instanceof Long || value instanceof Integer
                ? null
                : decimal(value).setScale(0, RoundingMode.HALF_UP);
        boolean fits = number == null || number.toBigInteger().bitLength() < Long.SIZE;
        long whole = number == null ? ((Number) value).longValue() : fits ? number.longValue() : 0;
        if (!fits || whole < min || whole > max) {
            throw new StatementEnd("the number " + value + " is out of range", SqlErrors.NUMERIC_RANGE);
        }
        return whole;
    }

    /** A number that DuckDB knows with fewer digits behind the point keeps these, as in PostgreSQL. */
    private static BigDecimal decimal(Object value, int scale) {
        BigDecimal number = decimal(value);
        return value instanceof BigDecimal && number.scale() <= scale
                ? number
                : number.setScale(scale, RoundingMode.HALF_UP);
    }

    private static BigDecimal decimal(Object value) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof BigInteger whole) {
            return new BigDecimal(whole);
        }
        double floating = ((Number) value).doubleValue();
        boolean isWhole =
                value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
        if (isWhole) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        if (!Double.isFinite(floating)) {
            throw new StatementEnd("the number " + value + " is no decimal number", SqlErrors.NUMERIC_RANGE);
        }
        return BigDecimal.valueOf(floating);
    }
}
