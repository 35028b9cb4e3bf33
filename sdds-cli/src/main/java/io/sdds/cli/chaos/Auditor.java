package io.sdds.cli.chaos;

import io.sdds.client.HashTable;
import io.sdds.client.SddsException;
import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import io.sdds.testkit.check.Violation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads each key of a generation once nobody writes to it any more, so that a write that was acknowledged and lost
 * shows, and checks the generation's history. Generations one after the other, on one thread.
 */
final class Auditor {
    /** Its number among the clients. */
    static final int CLIENT = 0;

    /** What was begun on a generation's last keys has ended by then, but for what a paused client holds. */
    private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /**
     * Once a key could not be read by so many attempts the others are not tried: a table that does not answer would
     * hold the run up for a timeout a key.
     */
    private static final int READS_MAX = 5;

    private final HashTable<String, String> table;
    private final Keys keys;
    private final Recorder recorder;
    private final List<Violation> violations = new CopyOnWriteArrayList<>();
    private int next;
    private long numbers;
    private long keysChecked;
    private long keysUnread;
    private long checkNanos;

    Auditor(HashTable<String, String> table, Keys keys, Recorder recorder) {
        this.table = table;
        this.keys = keys;
        this.recorder = recorder;
    }

    /** Checks the generations that are over. */
    void auditOver() {
        while (System.nanoTime() >= keys.overNanos(next) + SETTLING_NANOS && !recorder.isOpen(next)) {
            audit();
        }
    }

    /** Checks all generations that are left: the clients have ended. */
    void auditRest() {
        int last = keys.generation(System.nanoTime());
        while (next <= last) {
            audit();
        }
    }

    private void audit() {
        keys.all(next).forEach(this::read);
        List<Operation> history = recorder.close(next++);
        long began = System.nanoTime();
        violations.addAll(LinearizabilityChecker.check(history));
        checkNanos += System.nanoTime() - began;
        keysChecked += history.stream().map(Operation::key).distinct().count();
    }

    private void read(String key) {
        for (int attempt = 0; attempt < READS_MAX && keysUnread == 0; attempt++) {
            long number = ++numbers;
            recorder.take(CLIENT, new Event.Begun(number, Kind.GET, key, null, null, System.nanoTime()));
            try {
                @Nullable String found = table.get(key);
                Result result = found == null ? Result.ABSENT : Result.VALUE;
                recorder.take(CLIENT, new Event.Ended(number, result, found, System.nanoTime()));
                return;
            } catch (SddsException e) {
                recorder.take(CLIENT, new Event.Ended(number, Result.UNKNOWN, null, System.nanoTime()));
            }
        }
        keysUnread++;
    }

    List<Violation> violations() {
        return violations;
    }

    /** Violations that the audit's own reads show: what was acknowledged is not there. */
    long writesLost() {
        return violations.stream()
                .filter(violation ->
                        violation.operations().stream().anyMatch(operation -> operation.client() == CLIENT))
                .count();
    }

    long keysChecked() {
        return keysChecked;
    }

    /** Keys that could not be read in the end. */
    long keysUnread() {
        return keysUnread;
    }

    long checkNanos() {
        return checkNanos;
    }
}
