package io.sdds.cli.command.cluster;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.base.Errors;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.LiveView;
import io.sdds.cli.terminal.OutputClosedException;
import io.sdds.cli.terminal.Screen;
import io.sdds.client.ClusterStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(description = "Print bricks, tables, and running splits, copies and repairs.")
public final class StatusCommand implements Callable<Integer> {
    private static final long WATCH_MILLIS = 500;

    private final CommandContext context;

    @Option(names = "--watch", description = "Repeat the output until interrupted.")
    private boolean watch;

    public StatusCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (watch && context.json()) {
            throw CommandFailure.usage("--watch repeats the output, --json prints one document: use only one of them");
        }
        if (watch) {
            watch();
        }
        ClusterText text = new ClusterText(status(), colour());
        if (context.json()) {
            Json.print(context.screen().out(), text.document());
        } else {
            text.lines().forEach(context.screen().out()::println);
        }
        return CommandFailure.OK;
    }

    private ClusterStatus status() {
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            return client.await(connected -> connected.statusAsync(false));
        }
    }

    private boolean colour() {
        return context.screen().outIsTerminal() && context.screen().colour();
    }

    /** Repeats the output. Ends only by an exception. */
    private void watch() throws InterruptedException {
        Screen screen = context.screen();
        if (!screen.outIsTerminal()) {
            while (true) {
                OutputClosedException.check(screen.out());
                new ClusterText(status(), false).lines().forEach(screen.out()::println);
                screen.out().println();
                Thread.sleep(WATCH_MILLIS);
            }
        }
        try (LiveView view = new LiveView(screen.out())) {
            while (true) {
                view.draw(watched());
                Thread.sleep(WATCH_MILLIS);
            }
        }
    }

    private List<String> watched() {
        try {
            return new ClusterText(status(), colour()).lines();
        } catch (RuntimeException e) {
            CommandFailure known = Errors.known(e);
            if (known == null || known.exitCode() != CommandFailure.UNREACHABLE) {
                throw e;
            }
            return List.of(known.line());
        }
    }
}
