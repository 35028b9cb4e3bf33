package io.sdds.sql.run;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Threads with large stacks, for work of the planners that nothing interrupts and that descends as deep as the
 * statement is nested. The caller waits for the work until its deadline, and then leaves it. Any thread may call.
 */
public final class DeepThreads {
    /** Memory is used as far as a stack has grown. */
    private static final long STACK_BYTES = 256L << 20;

    private static final long IDLE_SECONDS = 10;

    /** Works that their callers have left, and that still use a processor. */
    static final int LEFT_MAX = 4;

    /** Works at the same time; others wait. Ten thousand virtual threads may each have a statement. */
    private static final int WORKS_MAX = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());

    private static final Semaphore ROOM = new Semaphore(WORKS_MAX, true);
    private static final AtomicInteger LEFT = new AtomicInteger();
    private static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), DeepThreads::thread);

    private DeepThreads() {}

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "sdds-sql-plan", STACK_BYTES);
        thread.setDaemon(true);
        thread.setContextClassLoader(DeepThreads.class.getClassLoader());
        return thread;
    }

    /**
     * Begins work, as soon as there is room for it.
     *
     * @param deadline of the wait for room
     * @param ifLeft ends what the work has begun, on its thread, if the caller has cancelled the future before
     * @throws StatementEnd if too many works that were left have not ended
     */
    public static <T> CompletableFuture<T> begin(Deadline deadline, Supplier<T> work, Runnable ifLeft) {
        if (LEFT.get() >= LEFT_MAX) {
            throw new StatementEnd(
                    LEFT_MAX + " statements that have ended are still being planned here: this one was not begun",
                    SqlErrors.TOO_MANY);
        }
        deadline.await(ROOM);
        CompletableFuture<T> result = new CompletableFuture<>();
        boolean isBegun = false;
        try {
            THREADS.execute(() -> run(work, ifLeft, result));
            isBegun = true;
        } finally {
            if (!isBegun) {
                ROOM.release();
            }
        }
        return result;
    }

    /** The plan of a statement, which leaves nothing behind. */
    public static <T> T plan(Deadline deadline, Supplier<T> work) {
        CompletableFuture<T> plan = begin(deadline, work, () -> {});
        long begun = System.nanoTime();
        return await(plan, () -> deadline.checkPlan(begun, System.nanoTime()));
    }

    /** The result of work, or the end of the statement, after which the future is cancelled if the work goes on. */
    public static <T> T await(Deadline deadline, CompletableFuture<T> work) {
        return await(work, deadline::check);
    }

    private static <T> T await(CompletableFuture<T> work, Runnable check) {
        try {
            return Deadline.await(work, check);
        } finally {
            if (work.isCancelled()) {
                LEFT.incrementAndGet();
            }
        }
    }

    private static <T> void run(Supplier<T> work, Runnable ifLeft, CompletableFuture<T> result) {
        boolean isTaken = false;
        try {
            isTaken = result.complete(work.get());
        } catch (Throwable e) {
            isTaken = result.completeExceptionally(e);
        } finally {
            ROOM.release();
            if (!isTaken) {
                LEFT.decrementAndGet();
                ifLeft.run();
            }
        }
    }
}
