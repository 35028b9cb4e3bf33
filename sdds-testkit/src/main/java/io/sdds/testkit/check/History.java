package io.sdds.testkit.check;

import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the clients of a run did and saw. Operations that were begun and never ended count as unknown. Not thread-safe. */
public final class History {
    private final List<Pending> begun = new ArrayList<>();
    private final List<Scan> scans = new ArrayList<>();

    /** An operation under way. */
    public static final class Pending {
        private final Operation begun;
        private Operation now;

        private Pending(Operation begun) {
            this.begun = begun;
            this.now = begun;
        }

        /** Its outcome has come. */
        public void end(Result result, @Nullable String out, long endNanos) {
            now = new Operation(
                    begun.client(),
                    begun.kind(),
                    begun.key(),
                    begun.value(),
                    begun.expected(),
                    result,
                    out,
                    begun.startNanos(),
                    result == Result.UNKNOWN ? Operation.OPEN : endNanos);
        }
    }

    /** An operation is asked for. */
    public Pending begin(
            int client, Kind kind, String key, @Nullable String value, @Nullable String expected, long startNanos) {
        Pending pending = new Pending(
                new Operation(client, kind, key, value, expected, Result.UNKNOWN, null, startNanos, Operation.OPEN));
        begun.add(pending);
        return pending;
    }

    /** A scan has ended. */
    public void add(Scan scan) {
        scans.add(scan);
    }

    /** All operations, in the order they were begun. */
    public List<Operation> operations() {
        return begun.stream().map(pending -> pending.now).toList();
    }

    public List<Scan> scans() {
        return List.copyOf(scans);
    }

    /**
     * The operations, and the complete scans as what they are for each single key: a read of it at some moment of the scan. A scan that is
     * right in this sense reads every key as linearizably as a get does.
     */
    public List<Operation> withScansAsReads() {
        List<Operation> all = new ArrayList<>(operations());
        TreeSet<String> keys = new TreeSet<>();
        all.forEach(operation -> keys.add(operation.key()));
        for (Scan scan : scans) {
            Map<String, @Nullable String> found = new TreeMap<>();
            scan.records().forEach(entry -> found.put(entry.key(), entry.value()));
            keys.addAll(found.keySet());
            for (String key : keys) {
                String value = found.get(key);
                if (value != null || scan.complete() && scan.asksFor(key) && !found.containsKey(key)) {
                    all.add(read(scan, key, value));
                }
            }
        }
        return all;
    }

    private static Operation read(Scan scan, String key, @Nullable String value) {
        return new Operation(
                scan.client(),
                Kind.GET,
                key,
                null,
                null,
                value == null ? Result.ABSENT : Result.VALUE,
                value,
                scan.startNanos(),
                scan.endNanos());
    }
}
