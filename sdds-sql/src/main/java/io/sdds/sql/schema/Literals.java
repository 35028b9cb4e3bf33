package io.sdds.sql.schema;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.NoProgramException;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Constants of SQL in the language of bricks. */
public final class Literals {
    /** Where samples begin. It is a time of a day in milliseconds, and the number of a day. */
    private static final int SAMPLES = 2_130_001;

    private Literals() {}

    /** The type of the language for a type of SQL; null: none. */
    public static @Nullable ValueType type(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case BOOLEAN -> ValueType.BOOLEAN;
            case TINYINT, SMALLINT, INTEGER -> ValueType.INTEGER;
            case BIGINT -> ValueType.BIGINT;
            case DOUBLE, FLOAT, REAL -> ValueType.DOUBLE;
            case DECIMAL -> ValueType.decimal(type.getPrecision(), type.getScale());
            case CHAR, VARCHAR -> ValueType.VARCHAR;
            case BINARY, VARBINARY -> ValueType.VARBINARY;
            case DATE -> ValueType.DATE;
            case TIME -> ValueType.TIME;
            case TIMESTAMP -> ValueType.TIMESTAMP;
            case UUID -> ValueType.UUID;
            default -> null;
        };
    }

    /**
     * A value of the engine as a constant.
     *
     * @param type of the place where the value stands. A number or a time of a day that the type has no room for is a
     *     constant of a wider type, which is equal to no value of the type
     * @throws NoProgramException if no type has room for the value
     */
    public static Expression constant(@Nullable Object value, ValueType type) {
        if (value == null) {
            return new Expression.Literal(type, null, Expression.NOWHERE);
        }
        return switch (type.kind()) {
            case INTEGER, BIGINT -> number(new BigDecimal(value.toString()).setScale(0, RoundingMode.DOWN), type);
            case DECIMAL -> number(new BigDecimal(value.toString()), type);
            case DOUBLE -> Expression.constant(type, ((Number) value).doubleValue());
            case DATE -> ofClient(value, value instanceof Long ? ValueType.TIMESTAMP : type);
            default -> ofClient(value, type);
        };
    }

    /**
     * The value of a parameter that plans are tried with. It hardly equals a constant, or the sample of another one.
     */
    public static Expression sample(Expression.Parameter parameter) {
        int number = parameter.number();
        Object value = switch (parameter.type().kind()) {
            case INTEGER, TIME, DATE -> SAMPLES + number;
            case BIGINT, TIMESTAMP -> (long) SAMPLES + number;
            case DOUBLE -> SAMPLES + number + 0.25;
            case DECIMAL ->
                BigDecimal.valueOf(SAMPLES + number, parameter.type().scale());
            case VARCHAR -> "sample " + number;
            case VARBINARY -> ("sample " + number).getBytes(StandardCharsets.UTF_8);
            case UUID -> new UUID(SAMPLES, number);
            default -> null;
        };
        return constant(value, parameter.type());
    }

    private static Expression ofClient(Object value, ValueType type) {
        return Expression.constant(type, Objects.requireNonNull(SqlTypes.toClient(value, type)));
    }

    private static Expression number(BigDecimal value, ValueType type) {
        int scale = Math.max(type.scale(), value.stripTrailingZeros().scale());
        long digits = Math.max(Math.max(1, scale), (long) value.precision() - value.scale() + scale);
        if (type.kind() == ValueType.Kind.DECIMAL) {
            boolean fits = value.signum() == 0 || scale == type.scale() && digits <= type.precision();
            return fits ? Expression.constant(type, value) : ofDigits(value, digits, scale);
        }
        boolean fits = value.toBigInteger().bitLength() < Byte.SIZE * type.bytes();
        return fits ? Expression.constant(type, value.longValue()) : ofDigits(value, digits, scale);
    }

    private static Expression ofDigits(BigDecimal value, long digits, int scale) {
        if (digits > ValueType.DECIMAL_DIGITS_MAX) {
            throw new NoProgramException(
                    "a number has at most " + ValueType.DECIMAL_DIGITS_MAX + " digits, this one " + digits);
        }
        return Expression.constant(ValueType.decimal((int) digits, scale), value);
    }

    /** The value of a literal as the engine computes with it; null: NULL, or a literal of another kind. */
    public static @Nullable Object value(RexLiteral literal) {
        if (literal.isNull()) {
            return null;
        }
        SqlTypeName name = literal.getType().getSqlTypeName();
        return switch (name) {
            case BOOLEAN -> literal.getValueAs(Boolean.class);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> literal.getValueAs(BigDecimal.class);
            case REAL -> literal.getValueAs(Float.class);
            case DOUBLE, FLOAT -> literal.getValueAs(Double.class);
            case CHAR, VARCHAR -> literal.getValueAs(String.class);
            case BINARY, VARBINARY -> literal.getValueAs(byte[].class);
            case DATE, TIME -> literal.getValueAs(Integer.class);
            case TIMESTAMP -> literal.getValueAs(Long.class);
            case UUID -> literal.getValueAs(java.util.UUID.class);
            default -> null;
        };
    }
}
