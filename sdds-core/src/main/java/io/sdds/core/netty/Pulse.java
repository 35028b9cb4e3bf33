package io.sdds.core.netty;

import io.sdds.core.node.Env;
import io.sdds.core.node.Readiness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Checks whether the threads of a process's nodes make progress. Each thread gets a task, and the next one after it has
 * run this task. Thread-safe.
 */
public final class Pulse {
    private final List<Env> envs;
    private final List<CompletableFuture<Void>> beats = new ArrayList<>();
    private final long patienceNanos;

    /** @param patience a thread that runs no task for this time makes no progress */
    public Pulse(List<Env> envs, Duration patience) {
        this.envs = List.copyOf(envs);
        this.patienceNanos = patience.toNanos();
        envs.forEach(env -> beats.add(CompletableFuture.completedFuture(null)));
    }

    /** Whether all threads make progress. Waits for the patience at most. */
    public synchronized Readiness check() {
        for (int k = 0; k < envs.size(); k++) {
            if (beats.get(k).isDone()) {
                beats.set(k, ask(envs.get(k), done -> done.complete(null)));
            }
        }
        long endNanos = System.nanoTime() + patienceNanos;
        for (int k = 0; k < envs.size(); k++) {
            if (!isDoneBy(beats.get(k), endNanos - System.nanoTime())) {
                return Readiness.no("stage " + (k + 1) + " of " + envs.size() + " has made no progress for "
                        + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms");
            }
        }
        return Readiness.OK;
    }

    /** Asks a node for its readiness, on the node's thread. */
    public static Readiness ask(Env env, Duration patience, Consumer<CompletableFuture<Readiness>> question) {
        CompletableFuture<Readiness> answer = ask(env, question);
        return isDoneBy(answer, patience.toNanos())
                ? answer.join()
                : Readiness.no("it has not answered for " + patience.toMillis() + " ms");
    }

    private static <T> CompletableFuture<T> ask(Env env, Consumer<CompletableFuture<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            env.execute(() -> question.accept(answer));
        } catch (RejectedExecutionException e) {
            // the thread has ended, so no answer comes
        }
        return answer;
    }

    private static boolean isDoneBy(CompletableFuture<?> answer, long nanos) {
        try {
            answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
