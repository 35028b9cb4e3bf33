package io.sdds.cli.command.bench;

import io.sdds.bench.load.LoadProgress;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Screen;
import java.util.Locale;

/** Shows the progress of a load on a terminal. */
final class ProgressLine implements LoadProgress.Listener, AutoCloseable {
    private static final String CLEAR = "\r\u001b[K";

    private final Screen screen;

    ProgressLine(Screen screen) {
        this.screen = screen;
    }

    @Override
    public void progressed(LoadProgress progress) {
        if (screen.errIsTerminal()) {
            screen.err().print(CLEAR + line(progress));
            screen.err().flush();
        }
    }

    private static String line(LoadProgress progress) {
        return String.format(
                Locale.ROOT,
                "%s %3.0f %%  %s operations/s",
                progress.step().name().toLowerCase(Locale.ROOT),
                100 * progress.done(),
                Numbers.count(Math.round(progress.operationsPerSecond())));
    }

    @Override
    public void close() {
        if (screen.errIsTerminal()) {
            screen.err().print(CLEAR);
            screen.err().flush();
        }
    }
}
