package io.sdds.core.netty;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * Polls for events for a short time before the thread goes to sleep. The wake-up of a thread costs 15 to 30 µs, more
 * than a whole request. So a caller with one request at a time, which sends the next request soon after an answer,
 * finds the threads on both sides awake. The loop yields between polls, so that a thread with work gets the processor.
 * Therefore it may poll for longer than a wake-up takes, also where processes share processors.
 *
 * <p>Polling pays only while events come soon. After {@value #PATIENCE} vain periods in a row the thread sleeps at
 * once, except one time in {@value #PATIENCE}.
 *
 * <p>System property {@code sdds.spin.micros}: the time to poll, {@value #DEFAULT_MICROS} by default, 0 for never. With
 * one processor the thread never polls.
 */
final class BriefSpin implements SelectStrategy {
    private static final int DEFAULT_MICROS = 200;
    private static final int PATIENCE = 16;
    private static final long SPIN_NANOS = Runtime.getRuntime().availableProcessors() == 1
            ? 0
            : 1000L * Integer.getInteger("sdds.spin.micros", DEFAULT_MICROS);

    private boolean restarts = true;
    private boolean spinning;
    private long endNanos;
    private int patience = PATIENCE;
    private int sleeps;

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        int ready = selectNow.get();
        if (hasTasks) {
            return ready;
        }
        if (ready > 0) {
            found();
            return ready;
        }
        return keepsLooking() ? CONTINUE : SELECT;
    }

    private void found() {
        if (spinning) {
            spinning = false;
            patience = PATIENCE;
        }
        restarts = true; // poll again after these events
    }

    private boolean keepsLooking() {
        if (restarts) {
            restarts = false;
            spinning = patience > 0 || ++sleeps % PATIENCE == 0;
            endNanos = System.nanoTime() + SPIN_NANOS;
        }
        if (spinning && System.nanoTime() - endNanos < 0) {
            Thread.yield();
            return true;
        }
        if (spinning) {
            spinning = false;
            patience = Math.max(0, patience - 1);
        }
        restarts = true;
        return false;
    }
}
