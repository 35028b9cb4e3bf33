package io.sdds.sql.local;

import io.sdds.sql.run.Deadline;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls of DuckDB for one statement, one at a time. DuckDB hears no interrupt while it makes a plan. So another thread
 * makes the call, and the thread of the statement waits until the deadline. The plan of a short text takes far less
 * than a second, so it is made in the thread of the statement.
 */
final class NativeCalls {
    /** Calls beyond so many wait for one to end: thousands of virtual threads may have a statement each. */
    private static final int CALLS_MAX = 64;

    /** Length of a text for which another thread makes the plan: one with a dozen subqueries. */
    private static final int LONG_TEXT = 600;

    private static final long INTERRUPT_MILLIS = 100;

    private static final ExecutorService THREADS = threads();

    private final boolean isLong;

    /** Completed when the last call has ended. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    /** @param text of the statement, in pieces */
    NativeCalls(List<String> text) {
        this.isLong = text.stream().mapToInt(String::length).sum() >= LONG_TEXT;
    }

    private static ExecutorService threads() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(CALLS_MAX, CALLS_MAX, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "sdds-sql-duckdb");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * The result of a call.
     *
     * @throws io.sdds.sql.error.StatementEnd if the deadline passes before; the call may go on
     */
    <T> T await(Deadline deadline, Call<T> call) throws SQLException {
        if (!isLong) {
            return call.call();
        }
        CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        ended = over;
        THREADS.execute(() -> {
            try {
                result.complete(new Outcome<>(call.call(), null));
            } catch (SQLException e) {
                result.complete(new Outcome<>(null, e));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            } finally {
                over.complete(null);
            }
        });
        Outcome<T> outcome = deadline.await(result);
        if (outcome.failure != null) {
            throw outcome.failure;
        }
        return Objects.requireNonNull(outcome.value);
    }

    /** A call of DuckDB. */
    interface Call<T> {
        T call() throws SQLException;
    }

    /** A call has ended: its result, or the exception that it has thrown. */
    private record Outcome<T>(@Nullable T value, @Nullable SQLException failure) {}

    /** Whether a call goes on for which nobody waits. */
    boolean isRunning() {
        return !ended.isDone();
    }

    /** Whether no call goes on, or the one that does ends within a time in which DuckDB hears most interrupts. */
    boolean haveEnded() {
        try {
            ended.get(INTERRUPT_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Does something once no call goes on. */
    void whenEnded(Runnable then) {
        ended.thenRun(then);
    }
}
