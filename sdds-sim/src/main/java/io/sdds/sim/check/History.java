package io.sdds.sim.check;

import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * History of the operations of all clients of a run. An operation that has started and never ended has an unknown
 * outcome. Not thread-safe.
 */
public final class History {
    private final List<Pending> begun = new ArrayList<>();
    private final List<Clearing> clears = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final List<RecordedScan> scans = new ArrayList<>();

    /** An outstanding operation. */
    public static final class Pending {
        private final Operation begun;
        private Operation now;

        private Pending(Operation begun) {
            this.begun = begun;
            this.now = begun;
        }

        /** Records the outcome. */
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

    /**
     * An outstanding clear of the whole table. A clear that has not ended may remove any record at any time after its
     * start.
     */
    public static final class Clearing {
        private final int client;
        private final long startNanos;
        private Result result = Result.UNKNOWN;
        private long endNanos = Operation.OPEN;

        private Clearing(int client, long startNanos) {
            this.client = client;
            this.startNanos = startNanos;
        }

        /** Records the end of the clear. */
        public void done(long nanos) {
            result = Result.OK;
            endNanos = nanos;
        }

        private Operation of(String key) {
            return new Operation(client, Kind.CLEAR, key, null, null, result, null, startNanos, endNanos);
        }
    }

    /** Records the start of a clear. */
    public Clearing beginClear(int client, long startNanos) {
        Clearing clearing = new Clearing(client, startNanos);
        clears.add(clearing);
        return clearing;
    }

    /** A copy of the request of a write, which was sent at some instant. */
    public record Copy(String key, long sentNanos) {
        private boolean isOf(Operation operation) {
            return operation.key().equals(key)
                    && operation.startNanos() <= sentNanos
                    && operation.endNanos() >= sentNanos;
        }
    }

    /**
     * The loss of records, together with the kept results of writes to them. Outstanding writes may take effect a
     * second time.
     *
     * @param nanos the instant at which the loss was accepted; until then the keys were not readable, or had their
     *     records
     * @param late copies of writes that are still in flight, even if the writes were answered
     */
    private record Loss(Predicate<String> keys, long nanos, List<Copy> late) {
        private Operation of(String key) {
            return new Operation(0, Kind.CLEAR, key, null, null, Result.OK, null, nanos, nanos);
        }

        private boolean mayRepeat(Operation operation) {
            return operation.kind() != Kind.GET
                    && operation.startNanos() <= nanos
                    && (operation.endNanos() > nanos || late.stream().anyMatch(copy -> copy.isOf(operation)));
        }

        private static Operation repeated(Operation operation) {
            return new Operation(
                    operation.client(),
                    operation.kind(),
                    operation.key(),
                    operation.value(),
                    operation.expected(),
                    Result.UNKNOWN,
                    null,
                    operation.startNanos(),
                    Operation.OPEN);
        }
    }

    /**
     * Records the loss of some keys at a past instant.
     *
     * @param late copies of writes that are still in flight, even if the writes were answered
     */
    public void lose(Predicate<String> keys, long nanos, List<Copy> late) {
        losses.add(new Loss(keys, nanos, List.copyOf(late)));
    }

    /** Records the start of an operation. */
    public Pending begin(
            int client, Kind kind, String key, @Nullable String value, @Nullable String expected, long startNanos) {
        Pending pending = new Pending(
                new Operation(client, kind, key, value, expected, Result.UNKNOWN, null, startNanos, Operation.OPEN));
        begun.add(pending);
        return pending;
    }

    /** Records a scan that has ended. */
    public void add(RecordedScan scan) {
        scans.add(scan);
    }

    /**
     * All operations in the order of their starts; then, for each clear, one operation on each key that it may have
     * met.
     */
    public List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        Map<String, Long> firstBegun = new TreeMap<>();
        for (Pending pending : begun) {
            all.add(pending.now);
            firstBegun.merge(pending.now.key(), pending.now.startNanos(), Math::min);
        }
        for (Clearing clear : clears) {
            firstBegun.forEach((key, nanos) -> {
                if (nanos <= clear.endNanos) {
                    all.add(clear.of(key));
                }
            });
        }
        addLosses(all, firstBegun.keySet());
        return all;
    }

    /**
     * For each loss, one clear of each lost key, and the writes to the key that may take effect again afterwards. A
     * write that may take effect after one loss may also take effect after each later loss, because a request or its
     * copy may still wait at a brick.
     */
    private void addLosses(List<Operation> all, Set<String> keys) {
        List<Operation> asked = List.copyOf(all);
        BitSet repeats = new BitSet(asked.size());
        for (Loss loss : losses) {
            keys.stream().filter(loss.keys()).map(loss::of).forEach(all::add);
            for (int k = 0; k < asked.size(); k++) {
                Operation operation = asked.get(k);
                if (loss.keys().test(operation.key()) && (repeats.get(k) || loss.mayRepeat(operation))) {
                    repeats.set(k);
                    all.add(Loss.repeated(operation));
                }
            }
        }
    }

    public List<RecordedScan> scans() {
        return List.copyOf(scans);
    }

    /**
     * The operations, and each complete scan as one read of each single key at some moment of the scan. If this history
     * is linearizable, the scan reads every key as linearizably as a get does.
     */
    public List<Operation> withScansAsReads() {
        List<Operation> all = new ArrayList<>(operations());
        TreeSet<String> keys = new TreeSet<>();
        all.forEach(operation -> keys.add(operation.key()));
        for (RecordedScan scan : scans) {
            Map<String, @Nullable String> found = new TreeMap<>();
            scan.records().forEach(entry -> found.put(entry.key(), entry.value()));
            keys.addAll(found.keySet());
            for (String key : keys) {
                String value = found.get(key);
                boolean isAbsent = scan.isAbout(key) && !scan.looksAtValues() && !found.containsKey(key);
                if (value != null || isAbsent) {
                    all.add(read(scan, key, value));
                }
            }
        }
        return all;
    }

    private static Operation read(RecordedScan scan, String key, @Nullable String value) {
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
