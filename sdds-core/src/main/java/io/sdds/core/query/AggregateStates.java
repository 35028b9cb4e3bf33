package io.sdds.core.query;

import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The states of aggregates ({@link AggregateFunction}), as tuples have them; null: NULL. */
public final class AggregateStates {
    private AggregateStates() {}

    /** The state before the first row. */
    public static byte @Nullable [] first(AggregateFunction function) {
        return switch (function) {
            case COUNT_ROWS, COUNT -> Stored.number(0, Long.BYTES);
            case SUM, MIN, MAX, UNKNOWN -> null;
        };
    }

    /**
     * The state after one more row.
     *
     * @param type of the operand; of COUNT_ROWS any
     * @param operand null: NULL, or there is none
     * @throws EvaluationFailure when a sum has more than 127 bits, or is infinite of finite numbers
     */
    public static byte @Nullable [] add(
            AggregateFunction function, ValueType type, byte @Nullable [] state, byte @Nullable [] operand) {
        return switch (function) {
            case COUNT_ROWS -> count(state, 1);
            case COUNT -> count(state, operand == null ? 0 : 1);
            case SUM -> merge(function, Program.sum(type), state, operand == null ? null : summand(type, operand));
            default -> merge(function, type, state, operand);
        };
    }

    /**
     * The state of the rows of two states.
     *
     * @param type of the states
     * @throws EvaluationFailure like {@link #add}
     */
    public static byte @Nullable [] merge(
            AggregateFunction function, ValueType type, byte @Nullable [] one, byte @Nullable [] other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return switch (function) {
            case COUNT_ROWS, COUNT -> count(one, Stored.number(other));
            case SUM ->
                type.kind() == Kind.DOUBLE
                        ? Arithmetic.finite(Stored.floating(one), Stored.floating(other), Double::sum)
                        : Int128.sum(one, other);
            case MIN -> ValueOrder.compare(type, one, other) <= 0 ? one : other;
            case MAX -> ValueOrder.compare(type, one, other) >= 0 ? one : other;
            case UNKNOWN -> throw new IllegalArgumentException("an aggregate of a later version");
        };
    }

    /**
     * Checks the state of all rows, which is the result of the aggregate.
     *
     * @param type of the state
     * @throws EvaluationFailure when a sum has more than 38 digits, as a state of some of the rows may have
     */
    public static byte @Nullable [] result(AggregateFunction function, ValueType type, byte @Nullable [] state) {
        boolean isExact = function == AggregateFunction.SUM && type.kind() == Kind.DECIMAL;
        if (isExact && state != null && !Int128.hasDigits(state, ValueType.DECIMAL_DIGITS_MAX)) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        return state;
    }

    private static byte[] count(byte @Nullable [] state, long more) {
        return Stored.number((state == null ? 0 : Stored.number(state)) + more, Long.BYTES);
    }

    private static byte[] summand(ValueType type, byte[] operand) {
        boolean isInteger = type.kind() == Kind.INTEGER || type.kind() == Kind.BIGINT;
        return isInteger ? Int128.write(BigInteger.valueOf(Stored.number(operand))) : operand;
    }
}
