package io.sdds.sql.run;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;
import org.apache.calcite.runtime.CalciteException;
import org.jspecify.annotations.Nullable;

/** When a statement ends: by {@code Statement.cancel}, or when its time is over. */
public final class Deadline {
    /** How long it may take until a statement that waits hears that it was cancelled. */
    static final long LOOK_MILLIS = 10;

    private final @Nullable AtomicBoolean cancelled;
    private final long endMillis;
    private final boolean hasEnd;

    private Deadline(@Nullable AtomicBoolean cancelled, long endMillis, boolean hasEnd) {
        this.cancelled = cancelled;
        this.endMillis = endMillis;
        this.hasEnd = hasEnd;
    }

    /**
     * The deadline of a batch that begins now.
     *
     * @param timeoutSeconds 0: it has no end
     */
    public static Deadline ofBatch(AtomicBoolean cancelled, int timeoutSeconds) {
        long endMillis = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(timeoutSeconds);
        return new Deadline(cancelled, endMillis, timeoutSeconds > 0);
    }

    /** The deadline of the statement that is run. Its time began when it was executed. */
    public static Deadline of(DataContext context) {
        Object flag = DataContext.Variable.CANCEL_FLAG.get(context);
        Object begun = DataContext.Variable.UTC_TIMESTAMP.get(context);
        Object timeout = DataContext.Variable.TIMEOUT.get(context);
        boolean hasEnd = timeout instanceof Number && begun instanceof Number;
        return new Deadline(
                flag instanceof AtomicBoolean canceller ? canceller : null,
                hasEnd ? ((Number) begun).longValue() + ((Number) timeout).longValue() : 0,
                hasEnd);
    }

    /** Throws if the statement has to end. */
    public void check() {
        if (cancelled != null && cancelled.get()) {
            throw new StatementEnd("the statement was cancelled", SqlErrors.CANCELLED);
        }
        if (hasEnd && System.currentTimeMillis() > endMillis) {
            throw new StatementEnd("the query timeout has passed", SqlErrors.TIMEOUT);
        }
    }

    /** The result of a call of the client. */
    public <T> T await(CompletableFuture<T> future) {
        if (future.isDone()) {
            return result(future, null);
        }
        Waits.Wait wait = Waits.begin(this, future);
        try {
            return result(future, wait);
        } finally {
            wait.end();
        }
    }

    private static <T> T result(CompletableFuture<T> future, Waits.@Nullable Wait wait) {
        try {
            return future.get();
        } catch (CancellationException e) {
            StatementEnd end = wait == null ? null : wait.reason();
            throw end == null ? e : end;
        } catch (InterruptedException e) {
            future.cancel(false);
            throw interrupted();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new CalciteException(String.valueOf(e.getMessage()), e);
        }
    }

    private static StatementEnd interrupted() {
        Thread.currentThread().interrupt();
        return new StatementEnd("the thread was interrupted", SqlErrors.CANCELLED);
    }
}
