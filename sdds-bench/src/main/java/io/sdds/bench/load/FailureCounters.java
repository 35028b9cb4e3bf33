package io.sdds.bench.load;

import io.sdds.client.OverloadedException;
import io.sdds.client.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the operations that failed, by kind. Thread-safe. */
final class FailureCounters {
    private final LongAdder refused = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    /** Counts a failed operation. */
    void add(RuntimeException failure) {
        if (failure instanceof OverloadedException) {
            refused.increment();
        } else if (failure instanceof TimeoutException) {
            timedOut.increment();
        } else {
            failed.increment();
        }
        first.compareAndSet(null, failure.toString());
    }

    /** Counts a read that found no record, or the value of another record. */
    void addWrong(String description) {
        wrong.increment();
        first.compareAndSet(null, description);
    }

    Counts counts() {
        return new Counts(refused.sum(), timedOut.sum(), failed.sum(), wrong.sum(), first.get());
    }

    /**
     * Numbers of failed operations.
     *
     * @param refused operations that certainly had no effect: the brick was busy until their deadline or, in fail-fast
     *     mode, when they began, or the client's window was full
     * @param timedOut operations that reached their deadline
     * @param failed operations that failed for another reason
     * @param wrong reads that found no record, or the value of another record
     * @param first description of the first failure; null if there was no failure
     */
    record Counts(
            long refused,
            long timedOut,
            long failed,
            long wrong,
            @Nullable String first) {
        long total() {
            return refused + timedOut + failed + wrong;
        }
    }
}
