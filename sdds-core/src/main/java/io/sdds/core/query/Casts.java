package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** The conversions of {@link Op#CAST}, on values as rows store them. */
public final class Casts {
    private Casts() {}

    /**
     * The value as a value of another type: the cast must exist ({@link Typing#castExists}).
     *
     * @param value not changed; may be the result
     * @throws EvaluationFailure when the value does not fit
     */
    public static byte[] cast(byte[] value, ValueType from, ValueType to) {
        if (from.kind() == Kind.VARCHAR && to.bytes() != 0) {
            return orFail(CastText.parse(value, to), EvaluationError.INVALID_TEXT);
        }
        if (to.kind() == Kind.VARCHAR && from.bytes() != 0) {
            return limited(orFail(CastText.print(value, from), EvaluationError.OVERFLOW), to);
        }
        if (Typing.isNumber(to)) {
            return numeric(value, from, to);
        }
        return switch (to.kind()) {
            case VARCHAR -> text(value, from, to);
            case VARBINARY -> limited(value, to);
            case DATE, TIME, TIMESTAMP -> temporal(value, from, to);
            default -> value;
        };
    }

    private static byte[] orFail(byte @Nullable [] value, EvaluationError error) {
        if (value == null) {
            throw new EvaluationFailure(error);
        }
        return value;
    }

    private static byte[] text(byte[] value, ValueType from, ValueType to) {
        if (from.kind() == Kind.VARBINARY && !Utf8.isValid(value)) {
            throw new EvaluationFailure(EvaluationError.INVALID_UTF8);
        }
        return limited(value, to);
    }

    private static byte[] limited(byte[] value, ValueType to) {
        int length = to.kind() == Kind.VARCHAR && to.precision() != 0 ? Utf8.codePoints(value) : value.length;
        if (to.precision() != 0 && length > to.precision()) {
            throw new EvaluationFailure(EvaluationError.TOO_LONG);
        }
        return value;
    }

    private static byte[] temporal(byte[] value, ValueType from, ValueType to) {
        if (from.kind() == to.kind()) {
            return value;
        }
        long number = Stored.number(value);
        return switch (to.kind()) {
            case DATE -> Stored.number(Math.floorDiv(number, Values.MICROS_OF_DAY), Integer.BYTES);
            case TIME -> Stored.number(Math.floorMod(number, Values.MICROS_OF_DAY), Long.BYTES);
            default -> {
                if (Math.abs(number) > Long.MAX_VALUE / Values.MICROS_OF_DAY) {
                    throw new EvaluationFailure(EvaluationError.OVERFLOW);
                }
                yield Stored.number(number * Values.MICROS_OF_DAY, Long.BYTES);
            }
        };
    }

    private static byte[] numeric(byte[] value, ValueType from, ValueType to) {
        if (from.kind() == to.kind() && from.kind() != Kind.DECIMAL) {
            return value;
        }
        BigDecimal number = switch (from.kind()) {
            case INTEGER, BIGINT -> BigDecimal.valueOf(Stored.number(value));
            case DECIMAL -> new BigDecimal(Int128.read(value), from.scale());
            default -> exact(Stored.floating(value));
        };
        if (to.kind() == Kind.DOUBLE) {
            return Stored.floating(number.doubleValue());
        }
        BigInteger unscaled = number.setScale(to.scale(), RoundingMode.HALF_UP).unscaledValue();
        boolean fits = to.kind() == Kind.DECIMAL
                ? Int128.hasDigits(unscaled, to.precision())
                : unscaled.bitLength() < Byte.SIZE * to.bytes();
        if (!fits) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        return to.kind() == Kind.DECIMAL ? Int128.write(unscaled) : Stored.number(unscaled.longValue(), to.bytes());
    }

    private static BigDecimal exact(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        return new BigDecimal(number);
    }
}
