package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.function.DoubleBinaryOperator;

/** The arithmetic of {@link Op}, on values as rows store them. */
final class Arithmetic {
    private Arithmetic() {}

    /**
     * The result of ADD, SUBTRACT, MULTIPLY, DIVIDE or REMAINDER.
     *
     * @param a of type {@code typeOfA}
     * @param type of the result
     * @throws EvaluationFailure when the result does not fit, or the divisor is zero
     */
    static byte[] binary(Op op, ValueType type, byte[] a, ValueType typeOfA, byte[] b, ValueType typeOfB) {
        return switch (type.kind()) {
            case DOUBLE -> floating(op, Stored.floating(a), Stored.floating(b));
            case DECIMAL ->
                decimal(
                        op,
                        type,
                        new BigDecimal(Int128.read(a), typeOfA.scale()),
                        new BigDecimal(Int128.read(b), typeOfB.scale()));
            default -> integer(op, type.bytes(), Stored.number(a), Stored.number(b));
        };
    }

    /** The result of NEGATE; otherwise like {@link #binary}. */
    static byte[] negate(ValueType type, byte[] a) {
        return switch (type.kind()) {
            case DOUBLE -> Stored.floating(-Stored.floating(a));
            case DECIMAL -> inDigits(Int128.read(a).negate());
            default -> inBits(BigInteger.valueOf(Stored.number(a)).negate(), type.bytes());
        };
    }

    private static byte[] integer(Op op, int bytes, long a, long b) {
        if (b == 0 && (op == Op.DIVIDE || op == Op.REMAINDER)) {
            throw new EvaluationFailure(EvaluationError.DIVISION_BY_ZERO);
        }
        BigInteger one = BigInteger.valueOf(a);
        BigInteger other = BigInteger.valueOf(b);
        return inBits(
                switch (op) {
                    case ADD -> one.add(other);
                    case SUBTRACT -> one.subtract(other);
                    case MULTIPLY -> one.multiply(other);
                    case DIVIDE -> one.divide(other);
                    default -> one.remainder(other);
                },
                bytes);
    }

    private static byte[] decimal(Op op, ValueType type, BigDecimal a, BigDecimal b) {
        if (b.signum() == 0 && (op == Op.DIVIDE || op == Op.REMAINDER)) {
            throw new EvaluationFailure(EvaluationError.DIVISION_BY_ZERO);
        }
        BigDecimal result = switch (op) {
            case ADD -> a.add(b);
            case SUBTRACT -> a.subtract(b);
            case MULTIPLY -> a.multiply(b);
            case DIVIDE -> a.divide(b, type.scale(), RoundingMode.HALF_UP);
            default -> a.remainder(b);
        };
        return inDigits(result.setScale(type.scale(), RoundingMode.UNNECESSARY).unscaledValue());
    }

    private static byte[] floating(Op op, double a, double b) {
        if (b == 0 && (op == Op.DIVIDE || op == Op.REMAINDER)) {
            throw new EvaluationFailure(EvaluationError.DIVISION_BY_ZERO);
        }
        return finite(
                a,
                b,
                switch (op) {
                    case ADD -> Double::sum;
                    case SUBTRACT -> (one, other) -> one - other;
                    case MULTIPLY -> (one, other) -> one * other;
                    case DIVIDE -> (one, other) -> one / other;
                    default -> (one, other) -> one % other;
                });
    }

    /** The result, which is infinite only if an operand is. */
    static byte[] finite(double a, double b, DoubleBinaryOperator operator) {
        double result = operator.applyAsDouble(a, b);
        if (Double.isInfinite(result) && Double.isFinite(a) && Double.isFinite(b)) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        return Stored.floating(result);
    }

    private static byte[] inBits(BigInteger number, int bytes) {
        if (number.bitLength() >= Byte.SIZE * bytes) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        return Stored.number(number.longValue(), bytes);
    }

    private static byte[] inDigits(BigInteger unscaled) {
        if (!Int128.hasDigits(unscaled, ValueType.DECIMAL_DIGITS_MAX)) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        return Int128.write(unscaled);
    }
}
