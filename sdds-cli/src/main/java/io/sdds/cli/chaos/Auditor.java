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
 * Checks the history of each generation of keys when clients no longer write its keys. First reads each key, so that a
 * lost acknowledged write becomes visible. Checks one generation after the other, on one thread.
 */
final class Auditor {
    /** Client number of the auditor in histories. */
    static final int CLIENT = 0;

    /** Wait after the end of a generation until its last operations have ended, except those of paused clients. */
    private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /**
     * Attempts to read a key. After so many failed attempts the auditor skips the remaining keys, because a table
     * without answers would delay the run by one timeout for each key.
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

    /** Checks the generations whose keys are no longer in use. */
    void auditOver() {
        while (System.nanoTime() >= keys.overNanos(next) + SETTLING_NANOS && !recorder.isOpen(next)) {
            audit();
        }
    }

    /** Checks all remaining generations after the clients have ended. */
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

    /** Number of violations that the reads of the auditor revealed: an acknowledged write is missing. */
    long writesLost() {
        return violations.stream()
                .filter(violation ->
                        violation.operations().stream().anyMatch(operation -> operation.client() == CLIENT))
                .count();
    }

    long keysChecked() {
        return keysChecked;
    }

    /** Number of keys that the auditor failed to read, or skipped after such a failure. */
    long keysUnread() {
        return keysUnread;
    }

    long checkNanos() {
        return checkNanos;
    }
}
