package io.sdds.testkit.check;

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
 * What the clients of a run did and saw. Operations that were begun and never ended count as unknown. Not thread-safe.
 */
public final class History {
    private final List<Pending> begun = new ArrayList<>();
    private final List<Clearing> clears = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
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

    /**
     * A clear of the whole table under way. Unless it was done, it may remove any record at any time from its start on.
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

        /** It has come to its end. */
        public void done(long nanos) {
            result = Result.OK;
            endNanos = nanos;
        }

        private Operation of(String key) {
            return new Operation(client, Kind.CLEAR, key, null, null, result, null, startNanos, endNanos);
        }
    }

    /** A clear is asked for. */
    public Clearing beginClear(int client, long startNanos) {
        Clearing clearing = new Clearing(client, startNanos);
        clears.add(clearing);
        return clearing;
    }

    /** A copy of a write's request, which left at some instant. */
    public record Copy(String key, long sentNanos) {
        private boolean isOf(Operation operation) {
            return operation.key().equals(key)
                    && operation.startNanos() <= sentNanos
                    && operation.endNanos() >= sentNanos;
        }
    }

    /**
     * Records that were lost with what was known of the writes to them: those under way may take effect a second time.
     *
     * @param nanos when at the latest
     * @param late copies of writes that are still on their way, though the writes may have been answered
     */
    private record Loss(Predicate<String> keys, long nanos, List<Copy> late) {
        private Operation of(String key) {
            return new Operation(0, Kind.CLEAR, key, null, null, Result.OK, null, 0, nanos);
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
     * The records of some keys are lost, at an instant that has passed.
     *
     * @param late copies of writes that are still on their way, though the writes may have been answered
     */
    public void lose(Predicate<String> keys, long nanos, List<Copy> late) {
        losses.add(new Loss(keys, nanos, List.copyOf(late)));
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

    /** All operations, in the order they were begun; then, for each clear, one on each key that it may have met. */
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
     * For each loss one clear of each lost key, and the writes to it that may be done once more in what is empty then.
     * A write that may be done after one loss may be done once more after each later one: a request or its copy may
     * still wait at a brick.
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

    public List<Scan> scans() {
        return List.copyOf(scans);
    }

    /**
     * The operations, and the complete scans as what they are for each single key: a read of it at some moment of the
     * scan. A scan that is right in this sense reads every key as linearizably as a get does.
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
                if (value != null || scan.isAbout(key) && !found.containsKey(key)) {
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
