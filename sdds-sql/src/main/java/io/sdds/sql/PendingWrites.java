package io.sdds.sql;

import io.sdds.client.SddsException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** The writes of a statement that are under way. They are awaited in their order. */
final class PendingWrites {
    private static final int WRITES_MAX = 256;

    /** What a write is about to tell: whether the record was written. */
    private record Pending(CompletableFuture<Boolean> future, Runnable ifNot) {}

    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final Deadline deadline;
    private long written;

    PendingWrites(Deadline deadline) {
        this.deadline = deadline;
    }

    /** Rows that were written. */
    long written() {
        return written;
    }

    /**
     * Adds a write that has begun.
     *
     * @param ifNot is run if the write ends with false; it may throw
     */
    void add(CompletableFuture<Boolean> future, Runnable ifNot) {
        pending.add(new Pending(future, ifNot));
        if (pending.size() == WRITES_MAX) {
            awaitFirst();
        }
    }

    void finish() {
        while (!pending.isEmpty()) {
            awaitFirst();
        }
    }

    private void awaitFirst() {
        Pending first = pending.remove();
        boolean isWritten;
        try {
            isWritten = deadline.await(first.future());
        } catch (SddsException e) {
            throw failed(e);
        } catch (StatementEnd e) {
            throw new StatementEnd(e.getMessage() + tally(1), e.state(), e);
        }
        if (isWritten) {
            written++;
        } else {
            first.ifNot().run();
        }
    }

    private StatementEnd failed(SddsException failure) {
        int unknown = failure.isOutcomeUnknown() ? 1 : 0;
        Throwable known = SqlErrors.translated(failure);
        String state = ((java.sql.SQLException) known).getSQLState();
        return new StatementEnd(SqlErrors.line(failure) + tally(unknown), state, failure);
    }

    /** What took effect, when a statement fails midway. The writes under way are awaited first. */
    String tally(int unknownBefore) {
        long unknown = unknownBefore;
        while (!pending.isEmpty()) {
            try {
                written += pending.remove().future().join() ? 1 : 0;
            } catch (RuntimeException e) {
                unknown++;
            }
        }
        return "; " + written + " rows were written" + (unknown == 0 ? "" : ", of " + unknown + " it is unknown");
    }
}
