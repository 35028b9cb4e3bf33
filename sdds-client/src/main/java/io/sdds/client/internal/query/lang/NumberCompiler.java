package io.sdds.client.internal.query.lang;

import io.sdds.core.query.Op;
import io.sdds.core.query.Typing;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.util.List;

/** Compiles operators and functions of numbers. */
final class NumberCompiler {
    /** Fewest digits behind the point of a quotient of decimal numbers. */
    private static final int QUOTIENT_SCALE_MIN = 6;

    private final InstructionList list;
    private final ImplicitCasts casts;

    NumberCompiler(InstructionList list, ImplicitCasts casts) {
        this.list = list;
        this.casts = casts;
    }

    Operand compute(String sign, int at, Operand left, Operand right) {
        Operand a = casts.number(left, right.type());
        Operand b = casts.number(right, a.type());
        return switch (sign) {
            case "*" -> product(at, a, b);
            case "/" -> quotient(at, a, b);
            default -> {
                List<Operand> operands = casts.unify(at, List.of(a, b));
                yield list.compute(op(sign), at, operands.get(0), operands.get(1));
            }
        };
    }

    private static Op op(String sign) {
        return switch (sign) {
            case "+" -> Op.ADD;
            case "-" -> Op.SUBTRACT;
            default -> Op.REMAINDER;
        };
    }

    /** The scale of the product is the sum of the scales, so that the operands keep theirs. */
    private Operand product(int at, Operand a, Operand b) {
        if (!isDecimal(a, b)) {
            List<Operand> operands = casts.unify(at, List.of(a, b));
            return list.compute(Op.MULTIPLY, at, operands.get(0), operands.get(1));
        }
        Operand one = decimal(a);
        Operand other = decimal(b);
        int scale = scale(one) + scale(other);
        if (scale > ValueType.DECIMAL_DIGITS_MAX) {
            throw list.error(
                    at,
                    "a product with " + scale + " digits behind the point, " + ValueType.DECIMAL_DIGITS_MAX
                            + " are possible; cast an operand");
        }
        return list.compute(Op.MULTIPLY, at, one, other);
    }

    private Operand quotient(int at, Operand a, Operand b) {
        if (!isDecimal(a, b)) {
            List<Operand> operands = casts.unify(at, List.of(a, b));
            return list.compute(Op.DIVIDE, at, operands.get(0), operands.get(1));
        }
        Operand one = decimal(a);
        Operand other = decimal(b);
        int scale = Math.max(QUOTIENT_SCALE_MIN, Math.max(scale(one), scale(other)));
        ValueType type = ValueType.decimal(ValueType.DECIMAL_DIGITS_MAX, scale);
        return list.compute(Op.DIVIDE, type, List.of(), at, one, other);
    }

    /** Whether both are exact, and one is a decimal number. */
    private static boolean isDecimal(Operand a, Operand b) {
        boolean isExact = !a.is(Kind.DOUBLE) && !b.is(Kind.DOUBLE);
        return isExact && (a.is(Kind.DECIMAL) || b.is(Kind.DECIMAL));
    }

    private Operand decimal(Operand operand) {
        return operand.is(Kind.DECIMAL)
                ? operand
                : casts.convert(operand, ValueType.decimal(ValueType.DECIMAL_DIGITS_MAX, 0));
    }

    private static int scale(Operand operand) {
        return operand.type() == null ? 0 : operand.type().scale();
    }

    Operand negate(int at, Operand operand) {
        return list.compute(Op.NEGATE, at, casts.number(operand, null));
    }

    Operand abs(int at, Operand operand) {
        Operand number = casts.number(operand, null);
        Operand zero = casts.convert(Operand.constant(ValueType.INTEGER, new byte[Integer.BYTES], at), type(number));
        return list.compute(Op.CASE, at, list.compute(Op.LESS, at, number, zero), negate(at, number), number);
    }

    private static ValueType type(Operand number) {
        return number.type() == null ? ValueType.INTEGER : Typing.widest(number.type());
    }
}
