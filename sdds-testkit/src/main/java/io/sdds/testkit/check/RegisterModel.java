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
 * Model of a register: the sequential specification of the operations on one key. Values are numbered, so that a state
 * is an int. All values that make no difference to any outcome of a history share one state. A value whose time to live
 * was changed by a touch is another state with the same value.
 */
final class RegisterModel {
    static final int ABSENT = 0;
    static final int IMPOSSIBLE = -1;
    private static final String UNOBSERVED = "\u0000";
    private static final String TOUCHED_BY = "\u0001";

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<@Nullable String> values = new ArrayList<>();

    /** For each state, the state of the same value before any touch. */
    private final List<Integer> written = new ArrayList<>();

    private final Set<String> observed = new HashSet<>();
    private final boolean tellsAll;
    private boolean increments;

    /**
     * Whether the key may hold a number that is 0 or less. If all written and added numbers are positive, all sums are
     * positive too.
     */
    private boolean mayBeZero;

    /** Creates a model with one state for each value. */
    RegisterModel() {
        name(null, ABSENT);
        tellsAll = true;
        mayBeZero = true;
    }

    /**
     * Creates a model whose states distinguish only values that matter to the outcomes of some operations.
     *
     * @param operations operations of one history
     * @param initialValues values that the key may hold before these operations
     */
    RegisterModel(List<Operation> operations, List<@Nullable String> initialValues) {
        name(null, ABSENT);
        tellsAll = false;
        for (String initial : initialValues) {
            mayBeZero |= initial != null && isNumber(initial) && !isPositive(initial);
        }
        for (Operation operation : operations) {
            boolean adds = operation.kind() == Operation.Kind.INCREMENT || operation.kind() == Operation.Kind.ADD;
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

    /** The state of a value. */
    int state(@Nullable String value) {
        if (value == null) {
            return ABSENT;
        }
        boolean told = tellsAll || observed.contains(value) || increments && isNumber(value);
        String name = told ? value : UNOBSERVED;
        Integer known = numbers.get(name);
        return known != null ? known : name(name, values.size());
    }

    /** The state of a value after a touch has changed its time to live. */
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
     * The state after an operation, or {@link #IMPOSSIBLE} if the outcome of the operation is impossible in this state.
     * An operation of unknown outcome is possible only in states in which it has an effect, because an operation
     * without effect need not be placed.
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
     * The only value on which the outcome of an operation is possible, as the state before any touch;
     * {@link #IMPOSSIBLE} if there are several.
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
     * The value on which the outcome of an operation is possible; the most likely value if there are several. A sum
     * that equals its delta most likely began without a record.
     */
    int wants(Operation operation) {
        int needed = needs(operation);
        boolean mayBeginSum = operation.kind() == Operation.Kind.INCREMENT
                && operation.result() == Result.OK
                && operation.out() != null
                && operation.out().equals(operation.value());
        return needed == IMPOSSIBLE && mayBeginSum ? ABSENT : needed;
    }

    /** The only state to which an operation can lead; {@link #IMPOSSIBLE} if there are several. */
    int makes(Operation operation) {
        return switch (operation.kind()) {
            case DELETE, CLEAR, EXPIRE -> ABSENT;
            case GET, TOUCH -> IMPOSSIBLE;
            case INCREMENT, ADD -> operation.out() == null ? IMPOSSIBLE : state(operation.out());
            default -> state(operation.value());
        };
    }

    /** Upper limit (exclusive) of the states so far. */
    int states() {
        return values.size();
    }

    /** The state after an operation by its definition, whatever its outcome. */
    private int effect(int state, Operation operation) {
        return switch (operation.kind()) {
            case GET -> state;
            case PUT -> state(operation.value());
            case PUT_IF_ABSENT -> state == ABSENT ? state(operation.value()) : state;
            case REPLACE -> state == ABSENT ? ABSENT : state(operation.value());
            case CAS -> isExpected(state, operation) ? state(operation.value()) : state;
            case DELETE -> operation.expected() == null || isExpected(state, operation) ? ABSENT : state;
            case INCREMENT -> sum(state, operation);
            case ADD -> state == ABSENT ? ABSENT : sum(state, operation);
            case CLEAR -> ABSENT;
            case TOUCH -> state == ABSENT ? ABSENT : touched(state, String.valueOf(operation.value()));
            case EXPIRE -> isOver(state, operation) ? ABSENT : state;
        };
    }

    private boolean isExpected(int state, Operation operation) {
        return written(state) == state(operation.expected());
    }

    /** Whether an EXPIRE applies to the record in this state: to the same write and the same touch. */
    private boolean isOver(int state, Operation expiry) {
        return expiry.value() == null ? state == state(expiry.expected()) : isTouchedBy(state, expiry.value());
    }

    private boolean outcomeFits(int state, int after, Operation operation) {
        boolean present = state != ABSENT;
        return switch (operation.result()) {
            case VALUE -> present && written(state) == state(operation.out());
            case ABSENT ->
                switch (operation.kind()) {
                    case GET, REPLACE, CAS, DELETE, TOUCH, ADD -> !present;
                    default -> false;
                };
            case OK ->
                switch (operation.kind()) {
                    case PUT, CLEAR -> true;
                    case PUT_IF_ABSENT -> !present;
                    case CAS -> isExpected(state, operation);
                    case INCREMENT -> isNumber(state) && (operation.out() == null || after == state(operation.out()));
                    case ADD -> present && isNumber(state);
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
                    case ADD -> present && !isNumber(state);
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
        return mayBeZero ? IMPOSSIBLE : ABSENT; // An increment counts an absent record as 0.
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
