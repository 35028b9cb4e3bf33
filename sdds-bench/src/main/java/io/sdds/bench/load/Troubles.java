package io.sdds.bench.load;

import io.sdds.client.OverloadedException;
import io.sdds.client.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Operations that did not end well, by kind. Thread-safe. */
final class Troubles {
    private final LongAdder refused = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    /** An operation failed. */
    void add(RuntimeException trouble) {
        if (trouble instanceof OverloadedException) {
            refused.increment();
        } else if (trouble instanceof TimeoutException) {
            timedOut.increment();
        } else {
            failed.increment();
        }
        first.compareAndSet(null, trouble.toString());
    }

    /** A read found no record, or another one's value. */
    void addWrong(String what) {
        wrong.increment();
        first.compareAndSet(null, what);
    }

    Counts counts() {
        return new Counts(refused.sum(), timedOut.sum(), failed.sum(), wrong.sum(), first.get());
    }

    /**
     * So many operations did not end well.
     *
     * @param refused certainly had no effect: the brick was busy until the retry budget was spent, or the client's
     *     window was full
     * @param timedOut at their deadline
     * @param failed otherwise
     * @param wrong reads of a missing record, or of another one's value
     * @param first what the first of them said
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
