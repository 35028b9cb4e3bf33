package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The types that operations take and give, as {@link Op} tells them. */
public final class Typing {
    private Typing() {}

    /**
     * The type of an operation's result.
     *
     * @param wanted the type of the instruction, which decides for {@link Op#CAST}, {@link Op#CONSTANT} and the scale
     *     of {@link Op#DIVIDE}; others ignore it
     * @param operands the types of {@code a}, {@code b} and {@code c} as far as there are any; of a column its own type
     * @return null if the operation does not take such operands
     */
    public static @Nullable ValueType result(Op op, ValueType wanted, List<ValueType> operands) {
        if (operands.size() < operandsMin(op) || operands.size() > operandsMax(op)) {
            return null;
        }
        return switch (op) {
            case KEY_COLUMN, VALUE_COLUMN -> operands.get(0);
            case KEY, VALUE -> ValueType.VARBINARY;
            case RECORD_VERSION -> ValueType.BIGINT;
            case CONSTANT -> wanted;
            case AND, OR, NOT, IS_TRUE -> all(operands, Kind.BOOLEAN) ? ValueType.BOOLEAN : null;
            case IS_NULL, IN, BLOOM -> ValueType.BOOLEAN;
            case CASE -> choice(operands);
            case EQUAL, LESS, LESS_OR_EQUAL -> alike(operands.get(0), operands.get(1)) ? ValueType.BOOLEAN : null;
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, NEGATE -> arithmetic(op, wanted, operands);
            case CAST -> castExists(operands.get(0), wanted) ? wanted : null;
            default -> text(op, operands);
        };
    }

    /** Fewest operands of an operation, the number of a column included. */
    static int operandsMin(Op op) {
        return op == Op.SUBSTRING ? 2 : operandsMax(op);
    }

    static int operandsMax(Op op) {
        return switch (op) {
            case KEY, VALUE, RECORD_VERSION, CONSTANT, UNKNOWN -> 0;
            case KEY_COLUMN, VALUE_COLUMN, NOT, IS_NULL, IS_TRUE, IN, BLOOM, NEGATE, LIKE -> 1;
            case LOWER, UPPER, CHAR_LENGTH, OCTET_LENGTH, TRIM, CAST -> 1;
            case AND, OR, EQUAL, LESS, LESS_OR_EQUAL, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER -> 2;
            case CONTAINS, STARTS_WITH, ENDS_WITH, CONCAT -> 2;
            case CASE, SUBSTRING -> 3;
        };
    }

    /** Whether values of both types can be compared and chosen from: one kind and, of DECIMAL, one scale. */
    public static boolean alike(ValueType one, ValueType other) {
        return one.kind() == other.kind() && one.scale() == other.scale();
    }

    /** The type of computed values of this kind: without a limit of length, and with as many digits as can be. */
    public static ValueType widest(ValueType type) {
        int precision = type.kind() == Kind.DECIMAL ? ValueType.DECIMAL_DIGITS_MAX : 0;
        return precision == type.precision() ? type : new ValueType(type.kind(), precision, type.scale());
    }

    public static boolean isNumber(ValueType type) {
        return switch (type.kind()) {
            case INTEGER, BIGINT, DOUBLE, DECIMAL -> true;
            default -> false;
        };
    }

    /** Whether {@link Op#CAST} takes values of the one type to the other. */
    public static boolean castExists(ValueType from, ValueType to) {
        Kind source = from.kind();
        Kind target = to.kind();
        if (source == target || isNumber(from) && isNumber(to) || source == Kind.VARCHAR) {
            return true;
        }
        return switch (target) {
            case VARCHAR -> source != Kind.DOUBLE;
            case TIMESTAMP -> source == Kind.DATE;
            case DATE, TIME -> source == Kind.TIMESTAMP;
            default -> false;
        };
    }

    private static @Nullable ValueType choice(List<ValueType> operands) {
        boolean fits = operands.get(0).kind() == Kind.BOOLEAN && alike(operands.get(1), operands.get(2));
        return fits ? widest(operands.get(1)) : null;
    }

    private static @Nullable ValueType arithmetic(Op op, ValueType wanted, List<ValueType> operands) {
        ValueType a = operands.get(0);
        ValueType b = operands.get(operands.size() - 1);
        if (!isNumber(a) || a.kind() != b.kind()) {
            return null;
        }
        if (a.kind() == Kind.DECIMAL && op == Op.DIVIDE) {
            return wanted.kind() == Kind.DECIMAL ? widest(wanted) : null;
        }
        if (a.kind() == Kind.DECIMAL && op == Op.MULTIPLY) {
            int scale = a.scale() + b.scale();
            return scale <= ValueType.DECIMAL_DIGITS_MAX
                    ? ValueType.decimal(ValueType.DECIMAL_DIGITS_MAX, scale)
                    : null;
        }
        return alike(a, b) ? widest(a) : null;
    }

    private static @Nullable ValueType text(Op op, List<ValueType> operands) {
        ValueType a = operands.get(0);
        boolean isText = a.kind() == Kind.VARCHAR;
        boolean isTextOrBytes = isText || a.kind() == Kind.VARBINARY;
        return switch (op) {
            case CONTAINS, STARTS_WITH, ENDS_WITH ->
                isTextOrBytes && all(operands, a.kind()) ? ValueType.BOOLEAN : null;
            case CONCAT -> isTextOrBytes && all(operands, a.kind()) ? widest(a) : null;
            case OCTET_LENGTH -> isTextOrBytes ? ValueType.INTEGER : null;
            case LIKE -> isText ? ValueType.BOOLEAN : null;
            case CHAR_LENGTH -> isText ? ValueType.INTEGER : null;
            case LOWER, UPPER, TRIM -> isText ? ValueType.VARCHAR : null;
            case SUBSTRING ->
                isText && all(operands.subList(1, operands.size()), Kind.INTEGER) ? ValueType.VARCHAR : null;
            default -> null;
        };
    }

    private static boolean all(List<ValueType> types, Kind kind) {
        return types.stream().allMatch(type -> type.kind() == kind);
    }
}
