package io.sdds.testkit.check;

import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks linearizability (Herlihy and Wing 1990): whether the operations of each key have an order that respects time
 * and explains the outcome of every operation. Linearizability is local, so each key is checked separately.
 */
public final class LinearizabilityChecker {
    private static final List<@Nullable String> NOTHING = java.util.Collections.singletonList(null);

    private LinearizabilityChecker() {}

    /** The violations, at most one for each key; empty if the history is linearizable. */
    public static List<Violation> check(List<Operation> operations) {
        Map<String, List<Operation>> byKey = new TreeMap<>();
        for (Operation operation : operations) {
            if (counts(operation)) {
                byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
            }
        }
        List<Violation> violations = new ArrayList<>();
        byKey.forEach((key, ofKey) -> {
            ofKey.sort(Comparator.comparingLong(Operation::startNanos));
            try {
                if (!holds(ofKey, NOTHING)) {
                    violations.add(smallest(key, ofKey));
                }
            } catch (LinearizationSearch.TooManyOrders e) {
                violations.add(new Violation("undecided: " + e.getMessage(), List.of()));
            }
        });
        return violations;
    }

    /** Refused operations had no effect and say nothing; nor do reads of unknown outcome. */
    private static boolean counts(Operation operation) {
        return operation.result() != Result.REFUSED
                && !(operation.kind() == Kind.GET && operation.result() == Result.UNKNOWN);
    }

    private static boolean holds(List<Operation> operations, List<@Nullable String> initialValues) {
        RegisterModel register = new RegisterModel(operations, initialValues);
        for (@Nullable String initial : initialValues) {
            if (LinearizationSearch.succeeds(register, operations, register.state(initial))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the history certainly is not linearizable. */
    private static boolean fails(List<Operation> operations, List<@Nullable String> initialValues) {
        try {
            return !holds(operations, initialValues);
        } catch (LinearizationSearch.TooManyOrders e) {
            return false;
        }
    }

    /*
     * Finds a smallest window with a violation in three steps. The first step finds the earliest end at which the
     * history has a violation; operations that have not ended by then count as open. The second step finds the latest
     * start from which the history has a violation for every initial value; operations that started before are
     * optional. The third step removes each read that is not needed. Each step relaxes the history, so a violation in
     * the window is a violation in the whole history.
     */
    private static Violation smallest(String key, List<Operation> operations) {
        List<Operation> ending = cut(
                operations,
                operations.stream()
                        .mapToLong(Operation::endNanos)
                        .filter(end -> end != Operation.OPEN)
                        .sorted()
                        .toArray());
        // A window that begins later has neither the time to live of the record nor the number that an add begins with.
        boolean isWhole =
                ending.stream().anyMatch(operation -> operation.kind() == Kind.EXPIRE || operation.kind() == Kind.ADD);
        List<Operation> window = isWhole ? ending : fromLatestStart(ending);
        List<@Nullable String> initial = window.equals(ending) ? NOTHING : anyValue(window);
        for (Operation read : List.copyOf(window)) {
            if (!read.mayHaveEffect()) {
                List<Operation> without = new ArrayList<>(window);
                without.remove(read);
                if (fails(without, initial)) {
                    window = without;
                }
            }
        }
        return new Violation(
                "key " + key + " is not linearizable: no order of these " + window.size() + " of its "
                        + operations.size() + " operations explains their outcomes",
                window);
    }

    private static List<Operation> cut(List<Operation> operations, long[] ends) {
        int first = firstTrue(ends.length - 1, k -> fails(until(operations, ends[k]), NOTHING));
        return until(operations, ends[first]);
    }

    private static List<Operation> until(List<Operation> operations, long end) {
        List<Operation> kept = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation.startNanos() <= end) {
                Operation then = operation.endNanos() <= end ? operation : opened(operation, Result.UNKNOWN);
                if (counts(then)) {
                    kept.add(then);
                }
            }
        }
        return kept;
    }

    private static List<Operation> fromLatestStart(List<Operation> operations) {
        long[] starts = operations.stream().mapToLong(Operation::startNanos).toArray();
        int kept = firstTrue(starts.length, k -> {
            List<Operation> later = from(operations, starts[starts.length - 1 - k]);
            return fails(later, anyValue(later));
        });
        return kept == starts.length ? operations : from(operations, starts[starts.length - 1 - kept]);
    }

    private static List<Operation> from(List<Operation> operations, long start) {
        List<Operation> kept = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation.startNanos() >= start) {
                kept.add(operation);
            } else if (operation.endNanos() >= start && operation.mayHaveEffect()) {
                kept.add(opened(operation, operation.result()));
            }
        }
        return kept;
    }

    private static Operation opened(Operation operation, Result result) {
        return new Operation(
                operation.client(),
                operation.kind(),
                operation.key(),
                operation.value(),
                operation.expected(),
                result,
                result == Result.UNKNOWN ? null : operation.out(),
                operation.startNanos(),
                Operation.OPEN);
    }

    /** All values that make a difference to these operations, absence, and one value that no operation names. */
    private static List<@Nullable String> anyValue(List<Operation> operations) {
        List<@Nullable String> values = new ArrayList<>();
        values.add(null);
        values.add("\u0000");
        for (Operation operation : operations) {
            addNew(values, operation.out());
            addNew(values, operation.expected());
            if (operation.kind() == Kind.INCREMENT && operation.out() != null && operation.value() != null) {
                addNew(
                        values,
                        new java.math.BigInteger(operation.out())
                                .subtract(new java.math.BigInteger(operation.value()))
                                .toString());
            }
        }
        return values;
    }

    private static void addNew(List<@Nullable String> values, @Nullable String value) {
        if (value != null && !values.contains(value)) {
            values.add(value);
        }
    }

    /**
     * The smallest k in [0, end) for which a monotone condition holds; {@code end} if the condition is not known to
     * hold for any k.
     */
    private static int firstTrue(int end, IntPredicate condition) {
        int low = 0;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (condition.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
