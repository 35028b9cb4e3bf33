package io.sdds.sql.schema;

import io.sdds.core.row.ValueText;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Constants of SQL as texts of the language of bricks. */
public final class Literals {
    /** Where samples begin: a time of a day in milliseconds, and the number of a day. */
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

    /** The text of a value of the engine. */
    public static String text(@Nullable Object value, RelDataType type) {
        ValueType target = type(type);
        if (target == null) {
            throw new IllegalArgumentException("no constant of type " + type);
        }
        if (value == null) {
            return "cast(null as " + target + ")";
        }
        return switch (target.kind()) {
            case INTEGER, BIGINT -> whole(new BigDecimal(value.toString()), target);
            case DECIMAL -> decimal(new BigDecimal(value.toString()), target);
            case DOUBLE -> number(((Number) value).doubleValue());
            // A parameter for a date may be a time of a day. Bricks compare the two.
            case DATE -> value instanceof Long ? literal(value, ValueType.TIMESTAMP) : literal(value, target);
            default -> literal(value, target);
        };
    }

    /** A constant that differs from the samples of other numbers, and hardly equals a constant of a statement. */
    public static String sample(int number, RelDataType type) {
        ValueType target = type(type);
        Object value = target == null
                ? null
                : switch (target.kind()) {
                    case INTEGER, TIME, DATE -> SAMPLES + number;
                    case BIGINT, TIMESTAMP -> (long) SAMPLES + number;
                    case DOUBLE -> SAMPLES + number + 0.25;
                    case DECIMAL -> BigDecimal.valueOf(SAMPLES + number, target.scale());
                    case VARCHAR -> "sample " + number;
                    case VARBINARY -> ("sample " + number).getBytes(StandardCharsets.UTF_8);
                    case UUID -> new UUID(SAMPLES, number);
                    default -> null;
                };
        return text(value, type);
    }

    private static String literal(Object value, ValueType type) {
        return ValueText.literal(type, requireValue(SqlTypes.toClient(value, type)));
    }

    private static Object requireValue(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("no value");
        }
        return value;
    }

    private static String whole(BigDecimal value, ValueType type) {
        String text = value.setScale(0, RoundingMode.DOWN).toPlainString();
        boolean isPlain = type.kind() == ValueType.Kind.INTEGER && value.signum() >= 0;
        return isPlain ? text : "cast(" + text + " as " + type + ")";
    }

    /** A number with more digits behind the point than the type keeps them: it is equal to no other. */
    private static String decimal(BigDecimal value, ValueType type) {
        if (value.stripTrailingZeros().scale() > type.scale()) {
            return "(" + value.toPlainString() + ")";
        }
        String text = value.setScale(type.scale(), RoundingMode.HALF_UP).toPlainString();
        return "cast(" + text + " as " + type + ")";
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            return "cast('" + value + "' as double)";
        }
        String shortest = Double.toString(value);
        String exponent = shortest.indexOf('E') >= 0 ? shortest : shortest + "e0";
        return value < 0 ? "(" + exponent + ")" : exponent;
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
