package io.sdds.cli.sql;

import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Screen;
import org.jspecify.annotations.Nullable;

/** A line on a terminal that shows how long a statement has run, and how many rows have arrived. */
final class Spinner implements AutoCloseable {
    private static final long FIRST_MILLIS = 400;
    private static final long NEXT_MILLIS = 100;
    private static final String[] FRAMES = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
    private static final String CLEAR = "\r\u001b[K";

    private final Screen screen;
    private final long beganNanos = System.nanoTime();
    private final @Nullable Thread thread;
    private volatile long rows;
    private volatile boolean isCancelled;
    private boolean isClosed;
    private boolean isDrawn;

    /** Starts a thread that draws, if standard error is a terminal. */
    Spinner(Screen screen) {
        this.screen = screen;
        if (screen.errIsTerminal()) {
            thread = new Thread(this::draw, "spinner");
            thread.setDaemon(true);
            thread.start();
        } else {
            thread = null;
        }
    }

    /** Sets the number of rows that have arrived. */
    void rows(long arrived) {
        rows = arrived;
    }

    /** The user has cancelled the statement. */
    void cancelled() {
        isCancelled = true;
    }

    private synchronized void draw() {
        try {
            for (int frame = 0; !isClosed; frame++) {
                wait(frame == 0 ? FIRST_MILLIS : NEXT_MILLIS);
                if (!isClosed) {
                    isDrawn = true;
                    screen.err().print(CLEAR + line(frame, System.nanoTime() - beganNanos));
                    screen.err().flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String line(int frame, long nanos) {
        String arrived = rows == 0 ? "" : "  " + Numbers.plural(rows, "row");
        String hint = isCancelled ? "cancelling" : "Ctrl-C cancels";
        return FRAMES[frame % FRAMES.length] + " " + Numbers.duration(nanos) + arrived + "  (" + hint + ")";
    }

    /** Removes the line. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            notifyAll();
            if (isDrawn) {
                screen.err().print(CLEAR);
                screen.err().flush();
            }
        }
    }
}
