package io.sdds.core.netty;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * Looks for events a little longer before the thread goes to sleep. Waking it costs 15 to 30 µs, more than a whole
 * request does; so who asks again soon after an answer, as a caller with one request at a time does, finds the thread
 * awake on both sides. It yields between looks, so that a thread that has something to do gets the processor; that is
 * what lets it look for longer than a wake-up takes where processes share processors.
 *
 * <p>It pays only while events do come so soon: after {@value #PATIENCE} vain looks in a row it sleeps at once, but for
 * one time in {@value #PATIENCE}.
 *
 * <p>System property {@code sdds.spin.micros}: how long it looks, {@value #DEFAULT_MICROS} by default, 0 for never. On
 * one processor it never does.
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
        restarts = true; // look anew when these are done
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
