package io.sdds.client.internal;

import io.sdds.client.internal.routing.Window;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The window of a client, with the threads that wait for room in the window, in the order in which they came. All event
 * loops of the client share one gate.
 *
 * <p>The thread that gives room back takes the room for those who wait. If they took it themselves, the room would stay
 * empty until the first of them runs, which takes long among thousands of virtual threads. The gate has no lock,
 * because an event loop would wait for the lock while a virtual thread that has no processor is next in the lock's
 * queue.
 */
final class WindowGate {
    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private final int bytes;

        /** Whether the room was taken for this thread. */
        private volatile boolean isIn;

        Waiter(int bytes) {
            this.bytes = bytes;
        }
    }

    private final Window window;
    private final boolean failsFast;

    /** A waiter leaves the queue once: removed by a thread that lets the waiter in, or by itself when it gives up. */
    private final Queue<Waiter> waiting = new ConcurrentLinkedQueue<>();

    /**
     * The number of changes of the window or the queue after which nobody has let waiters in yet. The thread that
     * counts the first change lets waiters in until the number is 0 again. So one thread at a time does so.
     */
    private final AtomicInteger changes = new AtomicInteger();

    /** @param failsFast whether a full window refuses at once instead of letting threads wait */
    WindowGate(Window window, boolean failsFast) {
        this.window = window;
        this.failsFast = failsFast;
        window.onRoom(this::onChange);
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
     * @param closed whether the client is closed; {@link #wake} tells of a change
     * @return false if there was no room until the deadline, the thread was interrupted, or the client was closed
     */
    boolean enter(int bytes, long deadlineNanos, LongSupplier clock, BooleanSupplier closed) {
        if (waiting.isEmpty() && window.tryEnter(bytes)) {
            return true;
        }
        Waiter waiter = new Waiter(bytes);
        waiting.add(waiter);
        onChange();
        while (!waiter.isIn) {
            long left = deadlineNanos - clock.getAsLong();
            if ((closed.getAsBoolean() || left <= 0 || waiter.thread.isInterrupted()) && waiting.remove(waiter)) {
                onChange();
                return false;
            }
            LockSupport.parkNanos(this, left);
        }
        return true;
    }

    /** Lets each thread that waits look whether its client is closed. */
    void wake() {
        waiting.forEach(waiter -> LockSupport.unpark(waiter.thread));
    }

    /** Lets waiters in after a change: room was given back, or the queue has another first waiter. */
    private void onChange() {
        if (waiting.isEmpty() || changes.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            letIn();
            seen = changes.addAndGet(-seen);
        } while (seen > 0);
    }

    private void letIn() {
        Waiter next = waiting.peek();
        while (next != null && window.tryEnter(next.bytes)) {
            if (waiting.remove(next)) {
                next.isIn = true;
                LockSupport.unpark(next.thread);
            } else {
                window.leave(next.bytes); // the waiter has given up meanwhile
            }
            next = waiting.peek();
        }
    }
}
