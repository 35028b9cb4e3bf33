package io.sdds.client.internal;

import io.sdds.client.Callback;
import io.sdds.client.SddsException;
import io.sdds.client.UnavailableException;
import io.sdds.client.internal.routing.Failure;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs many operations under one future, with a bounded number of operations outstanding at a time. Runs on the loop.
 * After a failure the batch begins no more operations, and the future ends when the operations under way have ended.
 * Once the future is cancelled the batch begins no more operations.
 *
 * @param <T> type of the result of each operation
 */
abstract class Batch<T> implements Runnable {
    private static final int OUTSTANDING_MAX = 512;
    private static final long ROOM_RETRY_NANOS = 5_000_000;

    private final ClientRuntime runtime;
    private final int size;
    private final long timeoutNanos;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int begun;
    private int outstanding;
    private boolean beginning;
    private long roomDeadlineNanos;
    private Requests.@Nullable Typed<T> next;
    private @Nullable SddsException failure;

    Batch(ClientRuntime runtime, int size, long timeoutNanos) {
        this.runtime = runtime;
        this.size = size;
        this.timeoutNanos = timeoutNanos;
    }

    /** Makes the operation of an index. The operation ends with the callback. */
    abstract Requests.Typed<T> operation(int index, Callback<T> callback);

    /** Takes the result of the operation of an index. */
    abstract void answered(int index, @Nullable T result);

    /** Begins the operations. */
    final CompletableFuture<Void> start() {
        roomDeadlineNanos = runtime.nowNanos() + timeoutNanos;
        try {
            runtime.execute(this);
        } catch (UnavailableException e) {
            ended.completeExceptionally(e);
        }
        return ended;
    }

    /**
     * Begins as many operations as there is room for. Operations that end inside this method are counted, and do not
     * begin other operations recursively.
     */
    @Override
    public final void run() {
        if (beginning) {
            return;
        }
        beginning = true;
        while (failure == null && !ended.isDone() && begun < size && outstanding < OUTSTANDING_MAX && beginOne()) {
            begun++;
        }
        beginning = false;
        if (outstanding == 0) {
            onIdle();
        }
    }

    private boolean beginOne() {
        Requests.Typed<T> operation = next;
        if (operation == null) {
            int index = begun;
            operation = operation(index, (result, failed) -> onEnd(index, result, failed));
        }
        next = null;
        outstanding++;
        if (runtime.tryBegin(operation)) {
            return true;
        }
        outstanding--;
        next = operation;
        return false;
    }

    private void onEnd(int index, @Nullable T result, @Nullable SddsException failed) {
        outstanding--;
        roomDeadlineNanos = runtime.nowNanos() + timeoutNanos;
        if (failed == null) {
            answered(index, result);
        } else if (failure == null) {
            failure = failed;
        }
        run();
    }

    /** No operation is under way: all have ended, or other operations fill the window. */
    private void onIdle() {
        if (ended.isDone()) {
            return; // cancelled
        }
        if (failure != null) {
            ended.completeExceptionally(failure);
        } else if (begun == size) {
            ended.complete(null);
        } else if (runtime.failsFast()) {
            end(Failure.Kind.WINDOW_FULL, Failures.WINDOW_FULL);
        } else if (runtime.nowNanos() >= roomDeadlineNanos) {
            end(Failure.Kind.TIMEOUT, "this client's window stayed full until the deadline");
        } else {
            runtime.schedule(ROOM_RETRY_NANOS, this);
        }
    }

    private void end(Failure.Kind kind, String why) {
        failure = Failures.exception(new Failure(kind, why, false));
        ended.completeExceptionally(failure);
    }
}
