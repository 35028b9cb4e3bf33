package io.sdds.client.internal;

import io.sdds.client.internal.routing.Window;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The window of a client, with the threads that wait for room in the window. All event loops of the client share one
 * gate.
 */
final class WindowGate {
    /** Longest time between two checks of a waiting thread, because the close of a client signals no thread. */
    private static final long CHECK_NANOS = 100_000_000;

    private final Window window;
    private final boolean failsFast;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final AtomicInteger waiters = new AtomicInteger();

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
        if (window.tryEnter(bytes)) {
            return true;
        }
        waiters.incrementAndGet();
        lock.lock();
        try {
            while (!window.tryEnter(bytes)) {
                long left = deadlineNanos - clock.getAsLong();
                if (closed.getAsBoolean() || left <= 0) {
                    return false;
                }
                room.awaitNanos(Math.min(left, CHECK_NANOS));
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
            waiters.decrementAndGet();
        }
    }

    private void onRoom() {
        if (waiters.get() > 0) {
            lock.lock();
            try {
                room.signal();
            } finally {
                lock.unlock();
            }
        }
    }
}
