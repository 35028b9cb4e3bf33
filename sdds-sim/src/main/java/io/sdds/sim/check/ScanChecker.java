package io.sdds.sim.check;

import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import io.sdds.testkit.check.Violation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a scan returned every record that existed during the whole scan exactly once, and no record that never
 * existed. A record that was concurrently written or removed may be returned or not; {@link History#withScansAsReads}
 * is stricter.
 */
public final class ScanChecker {
    private final Map<String, List<Operation>> byKey = new TreeMap<>();

    /** @param operations all operations on the table since it was empty */
    public ScanChecker(List<Operation> operations) {
        for (Operation operation : operations) {
            if (operation.result() != Result.REFUSED) {
                byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
            }
        }
    }

    /** The violations of all scans, in their order. */
    public List<Violation> check(List<RecordedScan> scans) {
        List<Violation> violations = new ArrayList<>();
        scans.forEach(scan -> check(scan, violations));
        return violations;
    }

    /** Checks a size that was counted during an interval; null if the size is possible. */
    public @Nullable Violation checkSize(long counted, long startNanos, long endNanos) {
        long least = 0;
        long most = 0;
        for (List<Operation> operations : byKey.values()) {
            least += presentThroughout(operations, startNanos, endNanos) != null ? 1 : 0;
            most += absentThroughout(operations, startNanos, endNanos) ? 0 : 1;
        }
        return counted >= least && counted <= most
                ? null
                : new Violation(
                        "size " + counted + " counted in [" + startNanos + ", " + endNanos + "]: at least " + least
                                + " and at most " + most + " records were there",
                        List.of());
    }

    private void check(RecordedScan scan, List<Violation> violations) {
        Map<String, @Nullable String> found = new HashMap<>();
        Set<String> twice = new HashSet<>();
        if (scan.ordered()) {
            checkOrder(scan, violations);
        }
        for (RecordedScan.Entry entry : scan.records()) {
            if (!scan.asksFor(entry.key())) {
                violations.add(violation(scan, "gave what it was not asked for:", entry.key()));
            }
            if (found.containsKey(entry.key()) && twice.add(entry.key())) {
                violations.add(violation(scan, "gave twice", entry.key()));
            }
            found.put(entry.key(), entry.value());
            if (!scan.wanted().test(entry.key()) || !scan.passes(entry.key(), entry.value())) {
                String what = "gave " + entry.value() + ", which its filter does not pass, of";
                violations.add(violation(scan, what, entry.key()));
            }
            if (!byKey.containsKey(entry.key())) {
                violations.add(violation(scan, "gave what nobody wrote:", entry.key()));
            }
        }
        byKey.forEach((key, operations) -> {
            if (!found.containsKey(key)) {
                Operation evidence = scan.isAbout(key) ? needed(scan, key, operations) : null;
                if (evidence != null) {
                    violations.add(violation(scan, "lacks what was there throughout, by " + evidence + ":", key));
                }
            } else if (absentThroughout(operations, scan.startNanos(), scan.endNanos())) {
                violations.add(violation(scan, "gave what was not there at any time:", key));
            } else {
                checkValue(scan, key, found.get(key), operations, violations);
            }
        });
    }

    private void checkOrder(RecordedScan scan, List<Violation> violations) {
        byte[] before = null;
        boolean descending = scan.bounds() != null && scan.bounds().descending();
        for (RecordedScan.Entry entry : scan.records()) {
            byte[] key = entry.key().getBytes(StandardCharsets.UTF_8);
            int order = before == null ? -1 : Arrays.compareUnsigned(before, key);
            if (before != null && (descending ? order <= 0 : order >= 0)) {
                violations.add(violation(scan, "gave out of order", entry.key()));
            }
            before = key;
        }
    }

    private void checkValue(
            RecordedScan scan,
            String key,
            @Nullable String value,
            List<Operation> operations,
            List<Violation> violations) {
        if (value != null && operations.stream().noneMatch(o -> mayHaveWritten(o, value, scan.endNanos()))) {
            violations.add(violation(scan, "gave value " + value + " that nobody had written:", key));
        }
    }

    private static boolean mayHaveWritten(Operation operation, String value, long endNanos) {
        if (operation.startNanos() > endNanos || !operation.mayHaveEffect()) {
            return false;
        }
        return switch (operation.kind()) {
            case INCREMENT -> operation.result() == Result.UNKNOWN || value.equals(operation.out());
            case ADD -> true; // any number may be the sum
            default -> value.equals(operation.value());
        };
    }

    /** An operation which shows that a scan must give a record of the key; null if there is none. */
    private static @Nullable Operation needed(RecordedScan scan, String key, List<Operation> operations) {
        if (!scan.looksAtValues()) {
            return presentThroughout(operations, scan.startNanos(), scan.endNanos());
        }
        for (Operation evidence : operations) {
            if (evidence.endNanos() < scan.startNanos()
                    && showsPresence(evidence)
                    && scan.passes(key, shown(evidence))
                    && nothingBetween(operations, evidence, scan.endNanos(), Operation::mayHaveEffect)) {
                return evidence;
            }
        }
        return null;
    }

    /** The value that an operation has written or read; null: it does not tell. */
    private static @Nullable String shown(Operation evidence) {
        return switch (evidence.kind()) {
            case PUT, REPLACE, CAS -> evidence.value();
            case PUT_IF_ABSENT -> evidence.result() == Result.OK ? evidence.value() : null;
            default -> evidence.out();
        };
    }

    /**
     * An operation which shows that the key existed before the interval and cannot have been removed since; null if
     * there is none.
     */
    private static @Nullable Operation presentThroughout(List<Operation> operations, long start, long end) {
        for (Operation evidence : operations) {
            if (evidence.endNanos() < start
                    && showsPresence(evidence)
                    && nothingBetween(operations, evidence, end, ScanChecker::mayRemove)) {
                return evidence;
            }
        }
        return null;
    }

    private static boolean absentThroughout(List<Operation> operations, long start, long end) {
        if (operations.stream().noneMatch(o -> mayCreate(o) && o.startNanos() < end)) {
            return true;
        }
        for (Operation evidence : operations) {
            if (evidence.endNanos() < start
                    && showsAbsence(evidence)
                    && nothingBetween(operations, evidence, end, ScanChecker::mayCreate)) {
                return true;
            }
        }
        return false;
    }

    private static boolean nothingBetween(
            List<Operation> operations,
            Operation evidence,
            long end,
            java.util.function.Predicate<Operation> disturbs) {
        for (Operation other : operations) {
            if (!other.equals(evidence)
                    && disturbs.test(other)
                    && other.endNanos() >= evidence.startNanos()
                    && other.startNanos() <= end) {
                return false;
            }
        }
        return true;
    }

    private static boolean showsPresence(Operation operation) {
        return operation.result() == Result.VALUE
                || operation.result() == Result.OK && !removes(operation)
                || operation.result() == Result.FALSE && operation.kind() == Kind.PUT_IF_ABSENT;
    }

    private static boolean showsAbsence(Operation operation) {
        return operation.result() == Result.ABSENT || operation.result() == Result.OK && removes(operation);
    }

    private static boolean removes(Operation operation) {
        return operation.kind() == Kind.DELETE || operation.kind() == Kind.CLEAR;
    }

    private static boolean mayRemove(Operation operation) {
        return (removes(operation) || operation.kind() == Kind.EXPIRE) && operation.mayHaveEffect();
    }

    private static boolean mayCreate(Operation operation) {
        return operation.mayHaveEffect()
                && (operation.kind() == Kind.PUT
                        || operation.kind() == Kind.PUT_IF_ABSENT
                        || operation.kind() == Kind.INCREMENT);
    }

    private Violation violation(RecordedScan scan, String what, String key) {
        return new Violation(scan + " " + what + " " + key, byKey.getOrDefault(key, List.of()));
    }
}
