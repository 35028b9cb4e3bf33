package io.sdds.cli.terminal;

import java.io.PrintStream;
import java.util.List;

/** Lines on a terminal that are redrawn in place. Other output must come before the first or after the last drawing. */
public final class LiveView implements AutoCloseable {
    private static final String WRAP_OFF = "\u001b[?7l";
    private static final String WRAP_ON = "\u001b[?7h";
    private static final String CURSOR_OFF = "\u001b[?25l";
    private static final String CURSOR_ON = "\u001b[?25h";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_SCREEN = "\u001b[J";

    private final PrintStream terminal;
    private final ExitHook atExit;
    private int drawn;
    private boolean closed;

    public LiveView(PrintStream terminal) {
        this.terminal = terminal;
        // The hook shows the cursor again, even if a signal ends the command.
        atExit = new ExitHook(this::leave);
        terminal.print(CURSOR_OFF + WRAP_OFF);
    }

    /** Replaces the previous drawing. */
    public synchronized void draw(List<String> lines) {
        if (closed) {
            return;
        }
        StringBuilder frame = new StringBuilder(drawn == 0 ? "" : "\u001b[" + drawn + "A");
        for (String line : lines) {
            frame.append('\r').append(line).append(REST_OF_LINE).append('\n');
        }
        frame.append(REST_OF_SCREEN);
        terminal.print(frame);
        terminal.flush();
        drawn = lines.size();
    }

    /** Ends the view. The last drawing stays on the terminal. */
    @Override
    public void close() {
        leave();
        atExit.close();
    }

    private synchronized void leave() {
        if (!closed) {
            closed = true;
            terminal.print(WRAP_ON + CURSOR_ON);
            terminal.flush();
        }
    }
}
