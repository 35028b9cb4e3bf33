package io.sdds.cli.terminal;

import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A progress bar with percent, count, rate and time left, redrawn in place on a terminal. Draws nothing if standard
 * error is not a terminal. A signal that ends the process removes the bar. For one thread.
 */
public final class Progress implements AutoCloseable {
    private static final long DRAW_NANOS = 100_000_000;
    private static final int BAR_WIDTH = 20;
    private static final String CLEAR = "\r\u001b[K";

    private final Screen screen;
    private final String title;
    private final long totalUnits;
    private final LongSupplier clock;
    private final long beginNanos;
    private final ExitHook atExit;
    private long drawnNanos;
    private volatile Supplier<String> interruption = () -> "";
    private boolean closed;

    /** @param totalUnits total work, for example the bytes of a file; 0 if unknown */
    public Progress(Screen screen, String title, long totalUnits, LongSupplier nanoClock) {
        this.screen = screen;
        this.title = title;
        this.totalUnits = totalUnits;
        this.clock = nanoClock;
        this.beginNanos = nanoClock.getAsLong();
        this.drawnNanos = beginNanos;
        this.atExit = new ExitHook(this::interrupted);
    }

    /** Sets the line that says how far the work came when a signal ends the process. */
    public Progress onInterrupt(Supplier<String> line) {
        interruption = line;
        return this;
    }

    /** Draws the bar, unless the last drawing is recent. */
    public void at(long units, long records) {
        draw(() -> line(units, records, clock.getAsLong() - beginNanos));
    }

    /**
     * Draws the bar of work whose share is known, unless the last drawing is recent.
     *
     * @param done share of the work that is done, from 0 to 1
     * @param what text about the current step
     */
    public void at(double done, String what) {
        draw(() -> line(done, what, clock.getAsLong() - beginNanos));
    }

    private synchronized void draw(Supplier<String> line) {
        long now = clock.getAsLong();
        if (!closed && screen.errIsTerminal() && now - drawnNanos >= DRAW_NANOS) {
            drawnNanos = now;
            screen.err().print(CLEAR + line.get());
            screen.err().flush();
        }
    }

    /** Prints a line above the bar. */
    public synchronized void note(String line) {
        screen.err().println((screen.errIsTerminal() ? CLEAR : "") + line);
    }

    /** Removes the bar. */
    @Override
    public void close() {
        atExit.close();
        clear();
    }

    private synchronized void clear() {
        closed = true;
        if (screen.errIsTerminal()) {
            screen.err().print(CLEAR);
            screen.err().flush();
        }
    }

    private void interrupted() {
        clear();
        String line = interruption.get();
        if (!line.isEmpty()) {
            screen.err().println(line);
        }
    }

    String line(long units, long records, long nanos) {
        String rate = Numbers.count(Math.round(records / Math.max(1e-3, nanos / 1e9))) + "/s";
        if (totalUnits <= 0) {
            return String.format(Locale.ROOT, "%s  %s records  %s", title, Numbers.count(records), rate);
        }
        return line(Math.min(1.0, (double) units / totalUnits), Numbers.count(records) + " records  " + rate, nanos);
    }

    String line(double done, String what, long nanos) {
        long leftNanos = done == 0 ? 0 : Math.round(nanos / done - nanos);
        return String.format(
                Locale.ROOT,
                "%s  %s %3.0f %%  %s  %s left",
                title,
                bar(done),
                100 * done,
                what,
                Numbers.duration(Math.max(leftNanos, 0)));
    }

    private static String bar(double done) {
        int filled = (int) Math.round(done * BAR_WIDTH);
        return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    }
}
