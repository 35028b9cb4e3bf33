package io.sdds.client.internal;

import io.sdds.client.internal.routing.Window;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The window of a client, with the threads that wait for room in the window, in the order in which they came. All event
 * loops of the client share one gate.
 */
final class WindowGate {
    /** Longest time between two checks of a waiting thread, because the close of a client signals no thread. */
    private static final long CHECK_NANOS = 100_000_000;

    private final Window window;
    private final boolean failsFast;

    /**
     * Held by the first of the waiting threads; fair, so the others wait in order. Else threads that come later could
     * take all room, and one of thousands would wait until its deadline.
     */
    private final ReentrantLock turn = new ReentrantLock(true);

    private final AtomicInteger waiters = new AtomicInteger();

    /** The thread that holds the turn and waits for room; null: none. */
    private volatile @Nullable Thread first;

    /** @param failsFast whether a full window refuses at once instead of letting threads wait */
    WindowGate(Window window, boolean failsFast) {
        this.window = window;
        this.failsFast = failsFast;
        window.onRoom(this::onRoom);
    }

    Window window() {
        return window;
    }

    /** Whether a full window refuses operations at once. */
    boolean failsFast() {
        return failsFast;
    }

    /**
     * Takes room, and waits for it.
     *
     * @return false if there was no room until the deadline, the thread was interrupted, or the client was closed
     */
    boolean enter(int bytes, long deadlineNanos, LongSupplier clock, BooleanSupplier closed) {
        if (waiters.get() == 0 && window.tryEnter(bytes)) {
            return true;
        }
        waiters.incrementAndGet();
        try {
            if (!turn.tryLock(deadlineNanos - clock.getAsLong(), TimeUnit.NANOSECONDS)) {
                return false;
            }
            try {
                return awaitRoom(bytes, deadlineNanos, clock, closed);
            } finally {
                turn.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiters.decrementAndGet();
        }
    }

    private boolean awaitRoom(int bytes, long deadlineNanos, LongSupplier clock, BooleanSupplier closed) {
        first = Thread.currentThread();
        try {
            while (!window.tryEnter(bytes)) {
                long left = deadlineNanos - clock.getAsLong();
                if (closed.getAsBoolean() || left <= 0 || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                LockSupport.parkNanos(this, Math.min(left, CHECK_NANOS));
            }
            return true;
        } finally {
            first = null;
        }
    }

    private void onRoom() {
        Thread waiting = first;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }
}
