package io.sdds.testkit.check;

import io.sdds.testkit.check.Operation.Result;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one key may do: the sequential specification. Values are numbered, so that a state is an int. */
final class Register {
    static final int ABSENT = 0;
    static final int IMPOSSIBLE = -1;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<@Nullable String> values = new ArrayList<>();

    Register() {
        values.add(null);
    }

    /** The state in which the key has this value. */
    int state(@Nullable String value) {
        if (value == null) {
            return ABSENT;
        }
        Integer known = numbers.get(value);
        if (known == null) {
            known = values.size();
            values.add(value);
            numbers.put(value, known);
        }
        return known;
    }

    /** States named so far are below this. */
    int states() {
        return values.size();
    }

    @Nullable String value(int state) {
        return values.get(state);
    }

    /**
     * The state after an operation, or {@link #IMPOSSIBLE} when it can't have had its outcome in this one. An operation of unknown outcome
     * is possible only where it has an effect: where it has none it need not be placed at all.
     */
    int after(int state, Operation operation) {
        boolean unknown = operation.result() == Result.UNKNOWN;
        int after = effect(state, operation);
        if (unknown) {
            return after == state ? IMPOSSIBLE : after;
        }
        return outcomeFits(state, after, operation) ? after : IMPOSSIBLE;
    }

    /** What the operation does to a state by its definition. */
    private int effect(int state, Operation operation) {
        return switch (operation.kind()) {
            case GET -> state;
            case PUT -> state(operation.value());
            case PUT_IF_ABSENT -> state == ABSENT ? state(operation.value()) : state;
            case REPLACE -> state == ABSENT ? ABSENT : state(operation.value());
            case CAS -> state == state(operation.expected()) ? state(operation.value()) : state;
            case DELETE -> ABSENT;
            case INCREMENT -> sum(state, operation);
        };
    }

    private boolean outcomeFits(int state, int after, Operation operation) {
        boolean present = state != ABSENT;
        return switch (operation.result()) {
            case VALUE -> present && state == state(operation.out());
            case ABSENT -> !present;
            case OK ->
                switch (operation.kind()) {
                    case PUT -> true;
                    case PUT_IF_ABSENT -> !present;
                    case CAS -> state == state(operation.expected());
                    case INCREMENT -> isNumber(state) && (operation.out() == null || after == state(operation.out()));
                    default -> present;
                };
            case FALSE ->
                switch (operation.kind()) {
                    case PUT_IF_ABSENT -> present && (operation.out() == null || state == state(operation.out()));
                    case CAS -> state != state(operation.expected());
                    case INCREMENT -> !isNumber(state);
                    default -> !present;
                };
            default -> false;
        };
    }

    private int sum(int state, Operation operation) {
        BigInteger before = number(state);
        String delta = operation.value();
        return before == null || delta == null
                ? state
                : state(before.add(new BigInteger(delta)).toString());
    }

    private boolean isNumber(int state) {
        return number(state) != null;
    }

    private @Nullable BigInteger number(int state) {
        String value = values.get(state);
        if (value == null) {
            return BigInteger.ZERO;
        }
        return value.matches("-?[0-9]{1,19}") ? new BigInteger(value) : null;
    }
}
