package io.sdds.testkit.check;

import io.sdds.testkit.check.Operation.Result;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one key may do: the sequential specification. Values are numbered, so that a state is an int. Values that make
 * no difference to any outcome of a history are one and the same state. A value that a touch has given another time to
 * live is a state of its own, which looks the same.
 */
final class RegisterModel {
    static final int ABSENT = 0;
    static final int IMPOSSIBLE = -1;
    private static final String UNOBSERVED = "\u0000";
    private static final String TOUCHED_BY = "\u0001";

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<@Nullable String> values = new ArrayList<>();

    /** By state: the same value as it was written, before any touch. */
    private final List<Integer> written = new ArrayList<>();

    private final Set<String> observed = new HashSet<>();
    private final boolean tellsAll;
    private boolean increments;

    /**
     * Whether the key may hold a number that is 0 or less. If all numbers that are written or added are positive, so
     * are all sums.
     */
    private boolean mayBeZero;

    /** One that tells all values apart. */
    RegisterModel() {
        name(null, ABSENT);
        tellsAll = true;
        mayBeZero = true;
    }

    /**
     * @param operations whose outcomes tell values apart
     * @param initialValues what the key may hold before all of them
     */
    RegisterModel(List<Operation> operations, List<@Nullable String> initialValues) {
        name(null, ABSENT);
        tellsAll = false;
        for (String initial : initialValues) {
            mayBeZero |= initial != null && isNumber(initial) && !isPositive(initial);
        }
        for (Operation operation : operations) {
            boolean adds = operation.kind() == Operation.Kind.INCREMENT;
            String value = operation.value();
            increments |= adds;
            mayBeZero |= value != null && (adds || isNumber(value)) && !isPositive(value);
            observe(operation.out());
            observe(operation.expected());
        }
    }

    private void observe(@Nullable String value) {
        if (value != null) {
            observed.add(value);
        }
    }

    /** The state in which the key has this value. */
    int state(@Nullable String value) {
        if (value == null) {
            return ABSENT;
        }
        boolean told = tellsAll || observed.contains(value) || increments && isNumber(value);
        String name = told ? value : UNOBSERVED;
        Integer known = numbers.get(name);
        return known != null ? known : name(name, values.size());
    }

    /** The state of a value that a touch has given another time to live. */
    private int touched(int state, String touch) {
        String name = values.get(written(state)) + TOUCHED_BY + touch;
        Integer known = numbers.get(name);
        return known != null ? known : name(name, written(state));
    }

    private boolean isTouchedBy(int state, String touch) {
        String value = values.get(state);
        return value != null && value.endsWith(TOUCHED_BY + touch);
    }

    private int name(@Nullable String name, int writtenAs) {
        int state = values.size();
        values.add(name);
        written.add(writtenAs);
        if (name != null) {
            numbers.put(name, state);
        }
        return state;
    }

    /** The state of the same value before any touch. */
    int written(int state) {
        return written.get(state);
    }

    @Nullable
    String value(int state) {
        return values.get(written(state));
    }

    /**
     * The state after an operation, or {@link #IMPOSSIBLE} when it can't have had its outcome in this one. An operation
     * of unknown outcome is possible only where it has an effect: where it has none it need not be placed at all.
     */
    int after(int state, Operation operation) {
        boolean unknown = operation.result() == Result.UNKNOWN;
        int after = effect(state, operation);
        if (unknown) {
            return after == state ? IMPOSSIBLE : after;
        }
        return outcomeFits(state, after, operation) ? after : IMPOSSIBLE;
    }

    /**
     * The one value, as the state before any touch, on which an operation can have had its outcome; {@link #IMPOSSIBLE}
     * when there are several.
     */
    int needs(Operation operation) {
        return switch (operation.result()) {
            case VALUE -> state(operation.out());
            case ABSENT -> ABSENT;
            case OK ->
                switch (operation.kind()) {
                    case CAS -> state(operation.expected());
                    case PUT_IF_ABSENT -> ABSENT;
                    case INCREMENT -> beforeSum(operation);
                    default -> IMPOSSIBLE;
                };
            default -> IMPOSSIBLE;
        };
    }

    /**
     * The same, or if there are several, the likeliest of them: a sum that was begun with nothing was most likely begun
     * where no record was.
     */
    int wants(Operation operation) {
        int needed = needs(operation);
        boolean mayBeginSum = operation.kind() == Operation.Kind.INCREMENT
                && operation.result() == Result.OK
                && operation.out() != null
                && operation.out().equals(operation.value());
        return needed == IMPOSSIBLE && mayBeginSum ? ABSENT : needed;
    }

    /** The one state that an operation can lead to; {@link #IMPOSSIBLE} when there are several. */
    int makes(Operation operation) {
        return switch (operation.kind()) {
            case DELETE, CLEAR, EXPIRE -> ABSENT;
            case GET, TOUCH -> IMPOSSIBLE;
            case INCREMENT -> operation.out() == null ? IMPOSSIBLE : state(operation.out());
            default -> state(operation.value());
        };
    }

    /** States named so far are below this. */
    int states() {
        return values.size();
    }

    /** What the operation does to a state by its definition. */
    private int effect(int state, Operation operation) {
        return switch (operation.kind()) {
            case GET -> state;
            case PUT -> state(operation.value());
            case PUT_IF_ABSENT -> state == ABSENT ? state(operation.value()) : state;
            case REPLACE -> state == ABSENT ? ABSENT : state(operation.value());
            case CAS -> isExpected(state, operation) ? state(operation.value()) : state;
            case DELETE -> operation.expected() == null || isExpected(state, operation) ? ABSENT : state;
            case INCREMENT -> sum(state, operation);
            case CLEAR -> ABSENT;
            case TOUCH -> state == ABSENT ? ABSENT : touched(state, String.valueOf(operation.value()));
            case EXPIRE -> isOver(state, operation) ? ABSENT : state;
        };
    }

    private boolean isExpected(int state, Operation operation) {
        return written(state) == state(operation.expected());
    }

    /** Whether it is this very life of a record that an EXPIRE ends. */
    private boolean isOver(int state, Operation expiry) {
        return expiry.value() == null ? state == state(expiry.expected()) : isTouchedBy(state, expiry.value());
    }

    private boolean outcomeFits(int state, int after, Operation operation) {
        boolean present = state != ABSENT;
        return switch (operation.result()) {
            case VALUE -> present && written(state) == state(operation.out());
            case ABSENT ->
                switch (operation.kind()) {
                    case GET, REPLACE, CAS, DELETE, TOUCH -> !present;
                    default -> false;
                };
            case OK ->
                switch (operation.kind()) {
                    case PUT, CLEAR -> true;
                    case PUT_IF_ABSENT -> !present;
                    case CAS -> isExpected(state, operation);
                    case INCREMENT -> isNumber(state) && (operation.out() == null || after == state(operation.out()));
                    case REPLACE, TOUCH -> present;
                    case DELETE -> present && after == ABSENT;
                    case GET, EXPIRE -> false;
                };
            case FALSE ->
                switch (operation.kind()) {
                    case PUT_IF_ABSENT ->
                        present && (operation.out() == null || written(state) == state(operation.out()));
                    case CAS -> !isExpected(state, operation);
                    case INCREMENT -> !isNumber(state);
                    case DELETE -> operation.expected() == null ? !present : present && after == state;
                    case REPLACE -> !present;
                    case GET, PUT, CLEAR, TOUCH, EXPIRE -> false;
                };
            default -> false;
        };
    }

    private int sum(int state, Operation operation) {
        String value = value(state);
        String delta = operation.value();
        if (delta == null || value != null && !isNumber(value)) {
            return state;
        }
        BigInteger before = value == null ? BigInteger.ZERO : new BigInteger(value);
        return state(before.add(new BigInteger(delta)).toString());
    }

    private int beforeSum(Operation operation) {
        if (operation.out() == null || operation.value() == null) {
            return IMPOSSIBLE;
        }
        BigInteger before = new BigInteger(operation.out()).subtract(new BigInteger(operation.value()));
        if (before.signum() != 0) {
            return state(before.toString());
        }
        return mayBeZero ? IMPOSSIBLE : ABSENT; // An increment takes an absent record for 0.
    }

    private static boolean isPositive(String number) {
        return new BigInteger(number).signum() > 0;
    }

    boolean isNumber(int state) {
        String value = value(state);
        return value == null || isNumber(value);
    }

    private static boolean isNumber(String value) {
        int digits = value.startsWith("-") ? 1 : 0;
        for (int k = digits; k < value.length(); k++) {
            if (value.charAt(k) < '0' || value.charAt(k) > '9') {
                return false;
            }
        }
        return value.length() > digits && value.length() <= 20;
    }
}
