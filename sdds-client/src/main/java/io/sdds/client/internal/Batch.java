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
 * Once the future is cancelled the batch begins no more operations. A batch that is {@linkplain #Batch(ClientRuntime,
 * long) open} ends when no more operations can come.
 *
 * @param <T> type of the result of each operation
 */
public abstract class Batch<T> implements Runnable {
    private static final int OUTSTANDING_MAX = 512;
    private static final long ROOM_RETRY_NANOS = 5_000_000;

    private final ClientRuntime runtime;
    private final long timeoutNanos;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    // Of operations. They are compared for equality alone, so that an open batch may have any number of them.
    private int size;
    private int made;

    private boolean isOpen;
    private int outstanding;
    private boolean beginning;

    /** The time until which the batch waits for room in the window. */
    private long roomDeadlineNanos;

    private Requests.@Nullable Typed<T> next;
    private @Nullable SddsException failure;

    Batch(ClientRuntime runtime, int size, long timeoutNanos) {
        this.runtime = runtime;
        this.size = size;
        this.timeoutNanos = timeoutNanos;
    }

    /** A batch of operations that {@link #more} adds, until {@link #close} says that no more come. */
    protected Batch(ClientRuntime runtime, long timeoutNanos) {
        this(runtime, 0, timeoutNanos);
        this.isOpen = true;
    }

    /** Makes the operation of an index; called once for each index, in order. The operation ends with the callback. */
    protected abstract Requests.Typed<T> operation(int index, Callback<T> callback);

    /** Takes the result of the operation of an index. */
    protected abstract void answered(int index, @Nullable T result);

    /** Hears of each operation that has failed, after which the batch begins no more operations. */
    protected void onFailed(SddsException why) {}

    /** Adds operations. */
    protected final void more(int operations) {
        if (allBegun()) {
            roomDeadlineNanos = runtime.nowNanos() + timeoutNanos;
        }
        size += operations;
        run();
    }

    /** No more operations come. */
    protected final void close() {
        isOpen = false;
        run();
    }

    /** Begins no more operations, and ends with a failure when those under way have ended. */
    protected final void fail(SddsException why) {
        if (failure == null) {
            failure = why;
        }
        run();
    }

    /** Begins the operations. */
    protected final CompletableFuture<Void> start() {
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
        boolean hasRoom = true;
        while (hasRoom && mayBegin() && !allBegun()) {
            hasRoom = beginOne();
        }
        beginning = false;
        if (outstanding == 0) {
            onIdle();
        }
    }

    private boolean mayBegin() {
        return failure == null && !ended.isDone() && outstanding < OUTSTANDING_MAX;
    }

    private boolean allBegun() {
        return made == size && next == null;
    }

    private boolean beginOne() {
        Requests.Typed<T> operation = next == null ? make() : next;
        next = null;
        outstanding++;
        if (runtime.tryBegin(operation)) {
            return true;
        }
        outstanding--;
        next = operation;
        return false;
    }

    private Requests.Typed<T> make() {
        int index = made++;
        return operation(index, (result, failed) -> onEnd(index, result, failed));
    }

    private void onEnd(int index, @Nullable T result, @Nullable SddsException failed) {
        outstanding--;
        if (failed == null) {
            roomDeadlineNanos = runtime.nowNanos() + timeoutNanos;
            answered(index, result);
            run();
        } else {
            onFailed(failed);
            fail(failed);
        }
    }

    /** No operation is under way: all have ended, or others fill the window. */
    private void onIdle() {
        if (ended.isDone()) {
            return; // cancelled
        }
        if (failure != null) {
            ended.completeExceptionally(failure);
        } else if (allBegun()) {
            if (!isOpen) {
                ended.complete(null);
            }
        } else {
            awaitRoom();
        }
    }

    private void awaitRoom() {
        if (runtime.failsFast()) {
            end(Failure.Kind.WINDOW_FULL, Failures.WINDOW_FULL);
        } else if (runtime.nowNanos() >= roomDeadlineNanos) {
            end(Failure.Kind.OVERLOADED, ClientRuntime.NO_ROOM);
        } else {
            runtime.schedule(ROOM_RETRY_NANOS, this);
        }
    }

    private void end(Failure.Kind kind, String why) {
        failure = Failures.exception(new Failure(kind, why, false));
        ended.completeExceptionally(failure);
    }
}
