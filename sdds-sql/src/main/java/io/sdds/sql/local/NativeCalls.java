package io.sdds.sql.local;

import io.sdds.sql.run.Deadline;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls of DuckDB for one statement, one at a time. DuckDB hears no interrupt while it makes a plan. So another thread
 * makes the call, and the thread of the statement waits until the deadline.
 */
final class NativeCalls {
    private static final ExecutorService THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "sdds-sql-duckdb");
                thread.setDaemon(true);
                return thread;
            });

    private static final long INTERRUPT_MILLIS = 100;

    /** Completed when the last call has ended. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    /**
     * The result of a call.
     *
     * @throws io.sdds.sql.error.StatementEnd if the deadline passes before; the call may go on
     */
    <T> T await(Deadline deadline, Callable<T> call) throws SQLException {
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

    /** What a call has returned or thrown. */
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
