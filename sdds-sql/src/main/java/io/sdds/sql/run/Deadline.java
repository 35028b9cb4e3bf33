package io.sdds.sql.run;

import io.sdds.client.IncompleteRangeException;
import io.sdds.client.OverloadedException;
import io.sdds.client.WindowFullException;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.runtime.CalciteException;
import org.jspecify.annotations.Nullable;

/** When a statement ends: by {@code Statement.cancel}, or when its time is over. */
public final class Deadline {
    /** How long it may take until a statement that waits hears that it was cancelled. */
    static final long LOOK_MILLIS = 10;

    /** How long the plan of a statement without a timeout may take. */
    private static final int PLAN_SECONDS = 30;

    private final @Nullable AtomicBoolean cancelled;
    private final long endMillis;
    private final boolean hasEnd;

    /** Whether the end is that of the making of a plan. */
    private final boolean isOfPlan;

    private Deadline(@Nullable AtomicBoolean cancelled, long endMillis, boolean hasEnd) {
        this(cancelled, endMillis, hasEnd, false);
    }

    private Deadline(@Nullable AtomicBoolean cancelled, long endMillis, boolean hasEnd, boolean isOfPlan) {
        this.cancelled = cancelled;
        this.endMillis = endMillis;
        this.hasEnd = hasEnd;
        this.isOfPlan = isOfPlan;
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

    /**
     * The deadline of a plan.
     *
     * @param timeoutSeconds of its statement; 0: the plan has a limit of its own
     */
    static Deadline ofPlan(@Nullable AtomicBoolean cancelled, int timeoutSeconds, long beginMillis) {
        int seconds = timeoutSeconds > 0 ? timeoutSeconds : PLAN_SECONDS;
        long endMillis = beginMillis + TimeUnit.SECONDS.toMillis(seconds);
        return new Deadline(cancelled, endMillis, true, timeoutSeconds == 0);
    }

    /** This deadline for a step that makes a plan. */
    public Deadline ofPlan() {
        return hasEnd ? this : ofPlan(cancelled, 0, System.currentTimeMillis());
    }

    /** The deadline of the statement that is run. Its time began when it was executed. */
    public static Deadline of(DataContext context) {
        Object flag = DataContext.Variable.CANCEL_FLAG.get(context);
        Object begun = DataContext.Variable.UTC_TIMESTAMP.get(context);
        Object timeout = DataContext.Variable.TIMEOUT.get(context);
        boolean hasEnd = timeout instanceof Number && begun instanceof Number;
        return new Deadline(
                flag instanceof AtomicBoolean canceller ? canceller : null,
                hasEnd ? Planning.beginMillis(((Number) begun).longValue()) + ((Number) timeout).longValue() : 0,
                hasEnd);
    }

    /** Throws if the statement has to end. */
    public void check() {
        if (cancelled != null && cancelled.get()) {
            throw new StatementEnd("the statement was cancelled", SqlErrors.CANCELLED);
        }
        if (hasEnd && System.currentTimeMillis() > endMillis) {
            throw isOfPlan
                    ? new StatementEnd(
                            "the statement is too large: its plan takes more than " + PLAN_SECONDS + " s",
                            SqlErrors.TOO_LARGE)
                    : new StatementEnd("the query timeout has passed", SqlErrors.TIMEOUT);
        }
    }

    /** The result of a call of the client. */
    public <T> T await(CompletableFuture<T> future) {
        if (future.isDone()) {
            return result(future, null);
        }
        Waits.Wait wait = Waits.begin(this, () -> future.cancel(false));
        try {
            return result(future, wait);
        } finally {
            wait.end();
        }
    }

    /**
     * The result of a read of the client. The read begins anew when it has waited for its turn until the client's
     * timeout, because the statement waits until its own end.
     */
    <T> T read(Supplier<CompletableFuture<T>> read) {
        while (true) {
            check();
            try {
                return await(call(read));
            } catch (OverloadedException | IncompleteRangeException e) {
                if (!mayBeginAnew(e)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Whether a read that has failed has waited until the client's timeout, for room in the client's window or for a
     * busy brick, and this thread may wait once more.
     */
    static boolean mayBeginAnew(@Nullable Throwable failure) {
        Throwable why = failure instanceof IncompleteRangeException ? failure.getCause() : failure;
        return why instanceof OverloadedException
                && !(why instanceof WindowFullException)
                && !Thread.currentThread().isInterrupted();
    }

    /**
     * Makes a call of the client that may wait for room in the client's window. The wait ends once the statement has to
     * end, by an interrupt that is gone when this method returns. An interrupt by the application at the same moment is
     * lost.
     */
    public <T> T call(Supplier<T> call) {
        Interruption interruption = new Interruption();
        Waits.Wait wait = Waits.begin(this, interruption::interrupt);
        try {
            return call.get();
        } catch (RuntimeException e) {
            StatementEnd end = wait.reason();
            throw end == null ? e : end;
        } finally {
            wait.end();
            interruption.end();
        }
    }

    /** Interrupts the thread that made it, until the thread ends it. */
    private static final class Interruption {
        private final Thread thread = Thread.currentThread();
        private final boolean wasInterrupted = thread.isInterrupted();
        private boolean hasInterrupted;
        private boolean isOver;

        synchronized void interrupt() {
            if (!isOver) {
                hasInterrupted = true;
                thread.interrupt();
            }
        }

        synchronized void end() {
            isOver = true;
            if (hasInterrupted && !wasInterrupted) {
                Thread.interrupted();
            }
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
