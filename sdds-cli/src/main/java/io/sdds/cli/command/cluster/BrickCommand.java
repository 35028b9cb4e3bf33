package io.sdds.cli.command.cluster;

import io.sdds.brick.shell.BrickConfig;
import io.sdds.brick.shell.BrickProcess;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.base.Errors;
import io.sdds.cli.config.BrickOptions;
import io.sdds.cli.process.Health;
import io.sdds.cli.process.JvmSettings;
import io.sdds.cli.process.LogFiles;
import io.sdds.cli.process.Stop;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.shell.ClusterIdFile;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(description = "Run a brick in the foreground.")
public final class BrickCommand extends ServerCommand<BrickOptions> {
    /** Behind the line that says that it is ready, for the process that started it. */
    private static final String INCARNATION = ", incarnation ";

    /** Flags of {@code sdds up}. */
    private static final List<String> SIMPLE = List.of("--id", "--dir", "--listen", "--coordinators", "--memory");

    public BrickCommand(CommandContext context) {
        super(context, "brick", BrickOptions.flags());
    }

    /** Returns the command with options as {@code sdds up} passes them; null if there are other options. */
    public static @Nullable BrickCommand of(CommandContext context, Map<String, String> options) {
        BrickCommand command = new BrickCommand(context);
        return command.take(options, SIMPLE) ? command : null;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        BrickOptions options = settings(BrickOptions.DEFAULTS);
        BrickConfig settings = checked(options, BrickOptions::config);
        Path directory = options.directory();
        if (directory != null) {
            LogFiles.use(directory);
        }
        JvmSettings.ofNameLookups();
        Stop stop = stop();
        CompletableFuture<BrickProcess> started = new CompletableFuture<>();
        int http = Objects.requireNonNull(options.http());
        try (Health health =
                        health(settings.listenHost(), http, started, BrickProcess::liveness, BrickProcess::readiness);
                BrickProcess process = BrickProcess.start(settings, cluster(directory))) {
            started.complete(process);
            stop.closing(process::close);
            CompletableFuture.anyOf(process.ready(), process.ended()).join();
            if (!process.ended().isDone()) {
                announce(settings, process.port(), process.incarnation());
                stop.onFirstTerm(() -> new DrainingShutdown(context, settings, stop::end).run());
            }
            throw failure(settings.id(), process.ended().join(), directory);
        } catch (BindException e) {
            throw Errors.of(e);
        } finally {
            stop.byItself();
        }
    }

    private static ClusterIdentity cluster(@Nullable Path directory) throws IOException {
        return directory == null ? new ClusterIdentity() : ClusterIdFile.in(directory);
    }

    private static CommandFailure failure(String brick, BrickProcess.Ended ended, @Nullable Path directory) {
        return switch (ended.why()) {
            case FAILED ->
                CommandFailure.stopped(
                        "brick " + brick + " failed and has stopped: " + ended.line() + "; the log has details");
            case REPLACED ->
                CommandFailure.replaced(
                        "brick " + brick + " has stopped because another process replaced it: " + ended.line());
            case FOREIGN -> inWrongCluster(ended.line(), directory);
        };
    }

    private static CommandFailure inWrongCluster(String line, @Nullable Path directory) {
        String remedy = directory == null
                ? "start it again"
                : "remove " + directory.resolve(ClusterIdFile.NAME) + " and start it again";
        return CommandFailure.usage(line + "; correct --coordinators, or, to join the other cluster, " + remedy);
    }

    private void announce(BrickConfig settings, int port, long incarnation) {
        String address = settings.advertise().isEmpty() ? settings.listenHost() + ":" + port : settings.advertise();
        announce(
                settings.id(),
                address,
                Map.of("incarnation", incarnation),
                isAttached() ? INCARNATION + incarnation : "");
    }
}
