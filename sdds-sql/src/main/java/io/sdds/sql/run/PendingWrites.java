package io.sdds.sql.run;

import io.sdds.client.SddsException;
import io.sdds.sql.error.StatementEnd;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The writes of one statement, and their outcomes. */
public final class PendingWrites {
    private final WriteWindow window;
    private final boolean isOfBatch;
    private long written;
    private long unknown;
    private @Nullable RuntimeException failure;

    private PendingWrites(WriteWindow window, boolean isOfBatch) {
        this.window = window;
        this.isOfBatch = isOfBatch;
    }

    /** Writes of a statement that runs by itself: it ends at the first that fails. */
    public static PendingWrites ofStatement(Deadline deadline) {
        return new PendingWrites(new WriteWindow(deadline), false);
    }

    /** Writes of a statement of a batch: the batch looks for failures. */
    public static PendingWrites ofBatch(WriteWindow window) {
        return new PendingWrites(window, true);
    }

    /** Rows that were written. */
    public long written() {
        return written;
    }

    /**
     * Begins a write.
     *
     * @param ifNot gives the failure of the statement if the request ends with false; null: that is none
     */
    void add(byte[] key, Supplier<CompletableFuture<Boolean>> write, @Nullable Supplier<StatementEnd> ifNot) {
        try {
            window.add(key, write, (isWritten, thrown) -> ended(isWritten, thrown, ifNot));
        } catch (StatementEnd cancelled) {
            note(cancelled);
        }
        throwUnlessOfBatch();
    }

    private void ended(boolean isWritten, @Nullable RuntimeException thrown, @Nullable Supplier<StatementEnd> ifNot) {
        if (isWritten) {
            written++;
        } else if (thrown != null) {
            unknown += thrown instanceof SddsException known && !known.isOutcomeUnknown() ? 0 : 1;
            note(thrown);
        } else if (ifNot != null) {
            note(ifNot.get());
        }
    }

    /** The statement fails, for another reason than that of a write. */
    public void fail(RuntimeException reason) {
        note(reason);
        throwUnlessOfBatch();
    }

    private void note(RuntimeException thrown) {
        failure = failure == null ? thrown : failure;
    }

    private void throwUnlessOfBatch() {
        if (!isOfBatch && failure != null) {
            window.drain();
            throw end(failure);
        }
    }

    /** Awaits the writes of a statement that runs by itself. */
    public long finish() {
        window.finish();
        throwUnlessOfBatch();
        return written;
    }

    public boolean isFailed() {
        return failure != null;
    }

    /** The failure of a statement whose writes have all ended; null: there is none. */
    @Nullable
    public StatementEnd end() {
        return failure == null ? null : end(failure);
    }

    private StatementEnd end(RuntimeException thrown) {
        return StatementEnd.after(thrown, written, unknown);
    }
}
