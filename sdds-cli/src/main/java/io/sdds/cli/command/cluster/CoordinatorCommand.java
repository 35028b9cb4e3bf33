package io.sdds.cli.command.cluster;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.base.Errors;
import io.sdds.cli.config.CoordinatorOptions;
import io.sdds.cli.config.HostPort;
import io.sdds.cli.process.Health;
import io.sdds.cli.process.JvmSettings;
import io.sdds.cli.process.LogFiles;
import io.sdds.cli.process.Stop;
import io.sdds.coordinator.shell.CoordinatorConfig;
import io.sdds.coordinator.shell.CoordinatorProcess;
import io.sdds.coordinator.shell.WrongDirectoryException;
import java.io.IOException;
import java.net.BindException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(description = "Run a coordinator in the foreground.")
public final class CoordinatorCommand extends ServerCommand<CoordinatorOptions> {
    /** Flags of {@code sdds up}. */
    private static final List<String> SIMPLE = List.of("--id", "--dir", "--listen", "--peers");

    @Option(names = "--bricks", hidden = true, description = "Print the state of the cluster when N bricks are ready.")
    private int bricks;

    public CoordinatorCommand(CommandContext context) {
        super(context, "coordinator", CoordinatorOptions.flags());
    }

    /** Returns the command with options as {@code sdds up} passes them; null if there are other options. */
    public static @Nullable CoordinatorCommand of(CommandContext context, Map<String, String> options) {
        CoordinatorCommand command = new CoordinatorCommand(context);
        Map<String, String> flags = new LinkedHashMap<>(options);
        String bricks = flags.remove("--bricks");
        try {
            command.bricks = bricks == null ? 0 : Integer.parseInt(bricks);
        } catch (NumberFormatException e) {
            return null;
        }
        return command.take(flags, SIMPLE) ? command : null;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CoordinatorOptions options = settings(CoordinatorOptions.DEFAULTS);
        CoordinatorConfig settings =
                checked(options, CoordinatorOptions::config).withBricks(bricks);
        LogFiles.use(options.directory());
        JvmSettings.ofNameLookups();
        Stop stop = stop();
        CompletableFuture<CoordinatorProcess> started = new CompletableFuture<>();
        String host = HostPort.parse("listen", settings.listen()).host();
        int http = Objects.requireNonNull(options.http());
        try (Health health = health(host, http, started, CoordinatorProcess::liveness, CoordinatorProcess::readiness);
                CoordinatorProcess process = start(settings)) {
            started.complete(process);
            stop.closing(() -> close(process));
            CompletableFuture.anyOf(process.ready(), process.failed()).get();
            if (process.failed().isDone()) {
                throw cannotGoOn(process);
            }
            announce(settings.id(), process.address(), Map.of(), "");
            process.failed().get();
            throw cannotGoOn(process);
        } catch (ExecutionException e) {
            throw CommandFailure.failed("can't start: " + e.getCause(), e);
        } catch (BindException e) {
            throw Errors.of(e);
        } finally {
            stop.byItself();
        }
    }

    private static CommandFailure cannotGoOn(CoordinatorProcess process) {
        Throwable cause = process.failed().join();
        return cause instanceof WrongDirectoryException
                ? CommandFailure.usage(
                        cause.getMessage() + "; choose another directory with --dir, or correct --peers", cause)
                : CommandFailure.stopped("coordinator failed and has stopped: " + cause + "; the log has details");
    }

    private static CoordinatorProcess start(CoordinatorConfig settings) throws IOException {
        try {
            return CoordinatorProcess.start(settings);
        } catch (WrongDirectoryException e) {
            throw CommandFailure.usage(e.getMessage() + "; choose another directory with --dir", e);
        }
    }

    private static void close(CoordinatorProcess process) {
        try {
            process.close();
        } catch (IOException e) {
            // every state that the coordinator acknowledged is on disk already
        }
    }
}
