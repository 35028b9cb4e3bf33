package io.sdds.sql.run;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;
import org.apache.calcite.runtime.CalciteException;
import org.jspecify.annotations.Nullable;

/** When a statement ends: by {@code Statement.cancel}, or when its time is over. */
public final class Deadline {
    /** How long a thread waits before it looks again whether its statement was cancelled. */
    static final long LOOK_MILLIS = 10;

    /** The same while thousands of threads may wait. */
    private static final long LOOK_FOR_ROOM_MILLIS = 500;

    /** How long a plan may take. */
    static final long PLAN_SECONDS = 30;

    private static final Deadline NEVER = new Deadline(null, 0, false);

    /** The deadline of the statement that the thread runs. */
    private static final ThreadLocal<@Nullable Deadline> CURRENT = new ThreadLocal<>();

    private final @Nullable AtomicBoolean cancelled;
    private final long endMillis;
    private final boolean hasEnd;

    private Deadline(@Nullable AtomicBoolean cancelled, long endMillis, boolean hasEnd) {
        this.cancelled = cancelled;
        this.endMillis = endMillis;
        this.hasEnd = hasEnd;
    }

    /** The deadline that {@link #during} has set for the thread; else none. */
    public static Deadline current() {
        Deadline current = CURRENT.get();
        return current == null ? NEVER : current;
    }

    /** Work that may throw. */
    public interface Work<T, X extends Exception> {
        @Nullable
        T run() throws X;
    }

    /** Does work that ends by this deadline: all that it plans and runs has this one. */
    public <T, X extends Exception> @Nullable T during(Work<T, X> work) throws X {
        Deadline outer = CURRENT.get();
        CURRENT.set(this);
        try {
            return work.run();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /**
     * The deadline of a statement or a batch that begins now, unless it is part of one that has begun.
     *
     * @param timeoutSeconds 0: it has no end
     */
    public static Deadline ofBatch(AtomicBoolean cancelled, int timeoutSeconds) {
        Deadline current = CURRENT.get();
        if (current != null) {
            return current;
        }
        long endMillis = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(timeoutSeconds);
        return new Deadline(cancelled, endMillis, timeoutSeconds > 0);
    }

    /** The deadline of the statement that is run. Its time began when it was executed. */
    public static Deadline of(DataContext context) {
        Deadline current = CURRENT.get();
        if (current != null) {
            return current;
        }
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

    /** A plan that is made now ends by this deadline, and within half a minute. */
    public void checkPlan(long begunNanos, long nowNanos) {
        check();
        if (nowNanos - begunNanos > TimeUnit.SECONDS.toNanos(PLAN_SECONDS)) {
            throw new StatementEnd(
                    "the statement is too large: it has no plan after " + PLAN_SECONDS + " s", SqlErrors.TOO_LARGE);
        }
    }

    /** The result of a call of the client. */
    public <T> T await(CompletableFuture<T> future) {
        return await(future, this::check);
    }

    /** Takes a permit, as soon as there is one. */
    void await(Semaphore permits) {
        try {
            while (!permits.tryAcquire(LOOK_FOR_ROOM_MILLIS, TimeUnit.MILLISECONDS)) {
                check();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** @param check throws if it has been waited for long enough */
    static <T> T await(CompletableFuture<T> future, Runnable check) {
        while (true) {
            try {
                return future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (java.util.concurrent.TimeoutException e) {
                checkOr(future, check);
            } catch (InterruptedException e) {
                future.cancel(false);
                throw interrupted();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause
                        ? cause
                        : new CalciteException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    private static StatementEnd interrupted() {
        Thread.currentThread().interrupt();
        return new StatementEnd("the thread was interrupted", SqlErrors.CANCELLED);
    }

    private static void checkOr(CompletableFuture<?> future, Runnable check) {
        try {
            check.run();
        } catch (StatementEnd end) {
            future.cancel(false);
            throw end;
        }
    }
}
