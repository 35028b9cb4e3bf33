package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Expression.Literal;
import io.sdds.core.query.Typing;
import io.sdds.core.query.ValueOrder;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Constants as key columns would store them, if comparing them there is the same as where the program compares. */
final class KeyConstants {
    private KeyConstants() {}

    /**
     * A constant in the type of a column.
     *
     * @return as rows store it; null: it is NULL, or the column cannot have exactly this value, or the program compares
     *     values of another type that have another order
     */
    static byte @Nullable [] stored(Literal literal, ValueType column) {
        if (literal.type() == null || literal.value() == null) {
            return null;
        }
        Kind from = literal.type().kind();
        boolean isText = from == Kind.VARCHAR || from == Kind.VARBINARY;
        return switch (column.kind()) {
            case BOOLEAN -> from == Kind.BOOLEAN ? literal.value() : null;
            case VARCHAR, VARBINARY -> isText ? literal.value() : null;
            case INTEGER, BIGINT, DECIMAL -> Typing.isNumber(literal.type()) ? exact(literal, column) : null;
            case DOUBLE -> Typing.isNumber(literal.type()) ? converted(literal, column) : null;
            case DATE, TIME, UUID -> from == Kind.VARCHAR || from == column.kind() ? converted(literal, column) : null;
            case TIMESTAMP ->
                from == Kind.VARCHAR || from == Kind.DATE || from == Kind.TIMESTAMP ? converted(literal, column) : null;
            case UNKNOWN -> null;
        };
    }

    /** An exact number. With a double the program compares doubles, which are coarser than large numbers. */
    private static byte @Nullable [] exact(Literal literal, ValueType column) {
        if (literal.type() == null || literal.value() == null || literal.type().kind() == Kind.DOUBLE) {
            return null;
        }
        BigDecimal number =
                new BigDecimal(Values.decode(literal.type(), literal.value()).toString());
        try {
            return Values.encode(
                    column,
                    switch (column.kind()) {
                        case INTEGER -> (Object) number.intValueExact();
                        case BIGINT -> number.longValueExact();
                        default -> number;
                    },
                    null);
        } catch (ArithmeticException | IllegalArgumentException e) {
            return null;
        }
    }

    /** The value that the cast of the program has. */
    private static byte @Nullable [] converted(Literal literal, ValueType column) {
        Operand constant = Operand.constant(literal.type(), literal.value(), literal.at());
        return new ImplicitCasts(new InstructionList(InstructionList.QUERY_MAX))
                .convert(constant, column)
                .constant();
    }

    /** The order of two values of a column. */
    static int compare(ValueType type, byte[] one, byte[] other) {
        return ValueOrder.compare(type, one, other);
    }

    /** The comparison with its sides exchanged. */
    static String mirrored(String sign) {
        return switch (sign) {
            case "<" -> ">";
            case "<=" -> ">=";
            case ">" -> "<";
            case ">=" -> "<=";
            default -> sign;
        };
    }
}
