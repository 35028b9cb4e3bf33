package io.sdds.cli.demo;

import io.sdds.bench.load.LoadProgress;
import io.sdds.cli.terminal.LiveView;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Screen;
import io.sdds.cli.terminal.Style;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints the steps of the demo: with moving pictures on a terminal, in plain lines elsewhere. */
public final class Narrator {
    private static final long PLAIN_LINE_NANOS = 500_000_000;

    private final PrintStream out;
    private final boolean terminal;
    private final boolean colour;
    private int step;

    public Narrator(Screen screen) {
        this.out = screen.out();
        this.terminal = screen.outIsTerminal();
        this.colour = terminal && screen.colour();
    }

    /** Prints the title of the next step. */
    void step(String title) {
        out.println((step == 0 ? "" : "\n") + Style.BOLD.on(++step + ". " + title, colour));
        out.flush();
    }

    /** Prints a line about the current step. */
    void tell(String line) {
        out.println("   " + line);
        out.flush();
    }

    void praise(String line) {
        tell(Style.GREEN.on(line, colour));
    }

    void complain(String line) {
        tell(Style.RED.on(line, colour));
    }

    /** Opens a picture of a growing table. */
    Picture picture(long totalRecords) {
        return new Picture(new GrowthPicture(totalRecords, colour), terminal ? new LiveView(out) : null);
    }

    /** Opens a display of the rate of a load. */
    Rates rates() {
        return new Rates(terminal ? new LiveView(out) : null);
    }

    /** Shows moments of growth. */
    final class Picture implements AutoCloseable {
        private final GrowthPicture growth;
        private final @Nullable LiveView view;
        private long toldNanos = -PLAIN_LINE_NANOS;

        Picture(GrowthPicture growth, @Nullable LiveView view) {
            this.growth = growth;
            this.view = view;
        }

        void show(GrowthPicture.Moment moment) {
            if (view != null) {
                view.draw(growth.lines(moment));
            } else if (moment.nanos() - toldNanos >= PLAIN_LINE_NANOS) {
                toldNanos = moment.nanos();
                out.println(growth.line(moment));
                out.flush();
            }
        }

        /** Shows the final moment. */
        void showLast(GrowthPicture.Moment moment) {
            toldNanos = -PLAIN_LINE_NANOS;
            show(moment);
        }

        @Override
        public void close() {
            if (view != null) {
                view.close();
            }
        }
    }

    /** Shows the progress of a load. */
    final class Rates implements LoadProgress.Listener, AutoCloseable {
        private final @Nullable LiveView view;

        Rates(@Nullable LiveView view) {
            this.view = view;
        }

        @Override
        public void progressed(LoadProgress progress) {
            String line = String.format(
                    Locale.ROOT,
                    "   %s %3.0f %%  %s operations/s",
                    progress.step() == LoadProgress.Step.WARMUP ? "warming up" : "measuring",
                    100 * progress.done(),
                    Numbers.count(Math.round(progress.operationsPerSecond())));
            if (view == null) {
                out.println(line);
                out.flush();
            } else {
                view.draw(List.of(line));
            }
        }

        @Override
        public void close() {
            if (view != null) {
                view.draw(List.of());
                view.close();
            }
        }
    }
}
