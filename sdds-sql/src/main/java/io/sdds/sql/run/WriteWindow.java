package io.sdds.sql.run;

import io.sdds.client.SddsException;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Writes of records that are under way, of one statement or of the statements of a batch. They are awaited in their
 * order. A write begins when no other write of its key is under way, because the client sends a request again that a
 * brick has refused, and so may change the order of two.
 */
public final class WriteWindow {
    private static final int WRITES_MAX = 1_024;

    /** Hears of the end of a write. */
    interface Outcome {
        /**
         * @param isWritten whether the record was written
         * @param failure of the request; null: it was answered
         */
        void is(boolean isWritten, @Nullable RuntimeException failure);
    }

    private record Pending(ByteString key, CompletableFuture<Boolean> future, Outcome outcome) {}

    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final Set<ByteString> keys = new HashSet<>();
    private final Deadline deadline;
    private boolean isBroken;

    public WriteWindow(Deadline deadline) {
        this.deadline = deadline;
    }

    /**
     * Begins a write.
     *
     * @param outcome is told when the write is awaited, by a later call
     * @throws StatementEnd if the statement was cancelled; the write has not begun
     */
    void add(byte[] key, Supplier<CompletableFuture<Boolean>> write, Outcome outcome) {
        try {
            deadline.check();
        } catch (StatementEnd e) {
            isBroken = true;
            throw e;
        }
        ByteString name = new ByteString(key);
        while (pending.size() == WRITES_MAX || keys.contains(name)) {
            awaitFirst();
        }
        CompletableFuture<Boolean> begun = write.get(); // may throw
        keys.add(name);
        pending.add(new Pending(name, begun, outcome));
    }

    /** Whether a write has failed for a reason for which others will fail, too. */
    public boolean isBroken() {
        return isBroken;
    }

    /** Awaits all writes, up to one for whose reason others fail, too. */
    public void finish() {
        while (!pending.isEmpty() && !isBroken) {
            awaitFirst();
        }
    }

    /** As {@link #finish}, after the statement has failed: neither a cancel nor a timeout ends the wait. */
    public void drain() {
        while (!pending.isEmpty()) {
            Pending first = removeFirst();
            try {
                first.outcome().is(first.future().join(), null);
            } catch (RuntimeException e) {
                first.outcome().is(false, e);
            }
        }
    }

    private Pending removeFirst() {
        Pending first = pending.remove();
        keys.remove(first.key());
        return first;
    }

    private void awaitFirst() {
        boolean isWritten;
        try {
            isWritten = deadline.await(pending.element().future());
        } catch (SddsException | StatementEnd e) {
            isBroken |= SqlErrors.endsBatch(e);
            removeFirst().outcome().is(false, e);
            return;
        }
        removeFirst().outcome().is(isWritten, null);
    }
}
