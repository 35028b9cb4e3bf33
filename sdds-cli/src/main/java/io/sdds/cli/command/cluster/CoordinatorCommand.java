package io.sdds.cli.command.cluster;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.base.Errors;
import io.sdds.cli.config.ConfigFile;
import io.sdds.cli.config.CoordinatorOptions;
import io.sdds.cli.config.HostPort;
import io.sdds.cli.process.Health;
import io.sdds.cli.process.JvmSettings;
import io.sdds.cli.process.LogFiles;
import io.sdds.cli.process.Stop;
import io.sdds.cli.terminal.Json;
import io.sdds.coordinator.shell.CoordinatorConfig;
import io.sdds.coordinator.shell.CoordinatorProcess;
import io.sdds.coordinator.shell.WrongDirectoryException;
import io.sdds.core.node.Readiness;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(description = "Run a coordinator in the foreground.")
public final class CoordinatorCommand implements Callable<Integer> {
    private final CommandContext sdds;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Read settings from a YAML file such as conf/coordinator.yaml. Flags override settings.")
    private @Nullable Path config;

    @Option(names = "--id", paramLabel = "ID", description = "Set the name of the coordinator. Default: c1.")
    private @Nullable String id;

    @Option(
            names = "--listen",
            paramLabel = "H:P",
            description = "Set the address to listen on. Default: 127.0.0.1:7400.")
    private @Nullable String listen;

    @Option(
            names = "--advertise",
            paramLabel = "H:P",
            description = "Set the address that other processes dial. Default: --listen.")
    private @Nullable String advertise;

    @Option(
            names = "--peers",
            paramLabel = "ID=H:P",
            split = ",",
            description =
                    "List all three coordinators of the cluster, this one included. Default: a single coordinator.")
    private @Nullable List<String> peers;

    @Option(names = "--dir", paramLabel = "DIR", description = "Keep the state in DIR, and the log in DIR/log.")
    private @Nullable String dir;

    @Option(
            names = "--insecure",
            description = "Allow addresses that other machines can reach. There is no access control yet.")
    private @Nullable Boolean insecure;

    @Option(names = "--http", paramLabel = "PORT", description = "Answer /health/live and /health/ready over HTTP.")
    private @Nullable Integer http;

    @Option(names = "--bricks", hidden = true, description = "Print the state of the cluster when N bricks are ready.")
    private int bricks;

    @Option(names = "--attached", hidden = true, description = "End when standard input ends.")
    private boolean attached;

    public CoordinatorCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    /** Returns the command with options as {@code sdds up} passes them; null if there are other options. */
    public static @Nullable CoordinatorCommand of(CommandContext sdds, Map<String, String> options) {
        CoordinatorCommand command = new CoordinatorCommand(sdds);
        try {
            for (Map.Entry<String, String> option : options.entrySet()) {
                String value = option.getValue();
                switch (option.getKey()) {
                    case "--id" -> command.id = value;
                    case "--dir" -> command.dir = value;
                    case "--listen" -> command.listen = value;
                    case "--peers" -> command.peers = List.of(value.split(",", -1));
                    case "--bricks" -> command.bricks = Integer.parseInt(value);
                    case "--attached" -> command.attached = true;
                    default -> {
                        return null;
                    }
                }
            }
        } catch (NumberFormatException e) {
            return null;
        }
        return command;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CoordinatorOptions flags = flags();
        CoordinatorOptions options = options(flags);
        CoordinatorConfig settings;
        try {
            settings = options.config().withBricks(bricks);
        } catch (IllegalArgumentException e) {
            throw ConfigFile.located(config, flags, e);
        }
        LogFiles.use(options.directory());
        JvmSettings.ofNameLookups();
        Stop stop = Stop.onSignal();
        if (attached) {
            stop.onEndOfInput();
        }
        CompletableFuture<CoordinatorProcess> started = new CompletableFuture<>();
        HostPort listens = HostPort.parse("listen", settings.listen());
        try (Health health = health(listens.host(), Objects.requireNonNull(options.http()), started);
                CoordinatorProcess process = start(settings)) {
            started.complete(process);
            stop.closing(() -> close(process));
            CompletableFuture.anyOf(process.ready(), process.failed()).get();
            if (process.failed().isDone()) {
                throw cannotGoOn(process);
            }
            announce(settings.id(), process.address());
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

    private CoordinatorOptions flags() {
        return new CoordinatorOptions(id, listen, advertise, peers, dir, null, null, null, insecure, http);
    }

    private CoordinatorOptions options(CoordinatorOptions flags) {
        CoordinatorOptions said = config == null ? flags : flags.or(ConfigFile.read(config, CoordinatorOptions.class));
        return said.or(CoordinatorOptions.DEFAULTS);
    }

    private static CoordinatorProcess start(CoordinatorConfig settings) throws IOException {
        try {
            return CoordinatorProcess.start(settings);
        } catch (WrongDirectoryException e) {
            throw CommandFailure.usage(e.getMessage() + "; choose another directory with --dir", e);
        }
    }

    private static @Nullable Health health(String host, int port, CompletableFuture<CoordinatorProcess> process)
            throws IOException {
        return port == 0
                ? null
                : Health.serve(
                        host,
                        port,
                        () -> process.isDone() ? process.join().liveness() : new Readiness(true, "starting"),
                        () -> process.isDone() ? process.join().readiness() : Readiness.no("starting"));
    }

    private void announce(String name, String address) {
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("ready", true);
            document.put("coordinator", name);
            document.put("address", address);
            Json.print(sdds.screen().out(), document);
        } else {
            sdds.screen().out().println("ready: coordinator " + name + " at " + address);
        }
        sdds.screen().out().flush();
    }

    private static void close(CoordinatorProcess process) {
        try {
            process.close();
        } catch (IOException e) {
            // every state that the coordinator acknowledged is on disk already
        }
    }
}
