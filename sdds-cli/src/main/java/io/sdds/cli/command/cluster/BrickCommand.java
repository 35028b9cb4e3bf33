package io.sdds.cli.command.cluster;

import io.sdds.brick.shell.BrickConfig;
import io.sdds.brick.shell.BrickProcess;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.base.Errors;
import io.sdds.cli.config.BrickOptions;
import io.sdds.cli.config.ConfigFile;
import io.sdds.cli.config.Size;
import io.sdds.cli.process.Health;
import io.sdds.cli.process.JvmSettings;
import io.sdds.cli.process.LogFiles;
import io.sdds.cli.process.Stop;
import io.sdds.cli.terminal.Json;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.Readiness;
import io.sdds.core.shell.ClusterIdFile;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(description = "Run a brick in the foreground.")
public final class BrickCommand implements Callable<Integer> {
    /** Behind the line that says that it is ready, for the process that started it. */
    private static final String INCARNATION = ", incarnation ";

    private final CommandContext sdds;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Read settings from a YAML file such as conf/brick.yaml. Flags override settings.")
    private @Nullable Path config;

    @Option(names = "--id", paramLabel = "ID", description = "Set the name of the brick. Default: b1.")
    private @Nullable String id;

    @Option(
            names = "--listen",
            paramLabel = "H:P",
            description = "Set the address to listen on. Default: 127.0.0.1:7401.")
    private @Nullable String listen;

    @Option(
            names = "--advertise",
            paramLabel = "H:P",
            description = "Set the address that other processes dial. Default: --listen.")
    private @Nullable String advertise;

    @Option(
            names = "--coordinators",
            split = ",",
            paramLabel = "H:P",
            description = "Set the addresses of the coordinators. Default: 127.0.0.1:7400.")
    private @Nullable List<String> coordinators;

    @Option(names = "--memory", paramLabel = "SIZE", description = "Limit the memory for records. Default: 2g.")
    private @Nullable String memory;

    @Option(
            names = "--stages",
            paramLabel = "N",
            description = "Set the number of threads that own partitions. Default: 1.")
    private @Nullable Integer stages;

    @Option(names = "--dir", paramLabel = "DIR", description = "Write the log to DIR/log. Default: to stderr.")
    private @Nullable String dir;

    @Option(
            names = "--insecure",
            description = "Allow addresses that other machines can reach. There is no access control yet.")
    private @Nullable Boolean insecure;

    @Option(names = "--http", paramLabel = "PORT", description = "Answer /health/live and /health/ready over HTTP.")
    private @Nullable Integer http;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Limit the number of connected clients. Default: 4096.")
    private @Nullable Integer clients;

    @Option(
            names = "--multicast",
            paramLabel = "GROUP:PORT",
            description = "Listen to an IP multicast group, GROUP:PORT or GROUP:PORT@INTERFACE. Default: none.")
    private @Nullable String multicast;

    @Option(
            names = "--weight",
            paramLabel = "W",
            description = "Set the share of the load relative to other bricks, from 0.1 to 100. Default: 1.")
    private @Nullable Double weight;

    @Option(names = "--attached", hidden = true, description = "End when standard input ends.")
    private boolean attached;

    public BrickCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    /** Returns the command with options as {@code sdds up} passes them; null if there are other options. */
    public static @Nullable BrickCommand of(CommandContext sdds, Map<String, String> options) {
        BrickCommand command = new BrickCommand(sdds);
        for (Map.Entry<String, String> option : options.entrySet()) {
            String value = option.getValue();
            switch (option.getKey()) {
                case "--id" -> command.id = value;
                case "--dir" -> command.dir = value;
                case "--listen" -> command.listen = value;
                case "--coordinators" -> command.coordinators = List.of(value.split(","));
                case "--memory" -> command.memory = value;
                case "--attached" -> command.attached = true;
                default -> {
                    return null;
                }
            }
        }
        return command;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        BrickOptions flags = flags();
        BrickOptions options = options(flags);
        BrickConfig settings;
        try {
            settings = options.config();
        } catch (IllegalArgumentException e) {
            throw ConfigFile.located(config, flags, e);
        }
        Path directory = options.directory();
        if (directory != null) {
            LogFiles.use(directory);
        }
        JvmSettings.ofNameLookups();
        Stop stop = Stop.onSignal();
        if (attached) {
            stop.onEndOfInput();
        }
        CompletableFuture<BrickProcess> started = new CompletableFuture<>();
        try (Health health = health(settings.listenHost(), Objects.requireNonNull(options.http()), started);
                BrickProcess process = BrickProcess.start(settings, cluster(directory))) {
            started.complete(process);
            stop.closing(process::close);
            CompletableFuture.anyOf(process.ready(), process.ended()).join();
            if (!process.ended().isDone()) {
                announce(settings, process.port(), process.incarnation());
                stop.onFirstTerm(() -> new DrainingShutdown(sdds, settings, stop::end).run());
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

    private BrickOptions flags() {
        return new BrickOptions(
                id,
                listen,
                advertise,
                coordinators,
                memory == null ? null : memorySize(memory),
                stages,
                dir,
                insecure,
                http,
                clients,
                multicast,
                null,
                weight);
    }

    private BrickOptions options(BrickOptions flags) {
        BrickOptions said = config == null ? flags : flags.or(ConfigFile.read(config, BrickOptions.class));
        return said.or(BrickOptions.DEFAULTS);
    }

    private static Size memorySize(String text) {
        try {
            return Size.parse(text);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--memory: " + e.getMessage(), e);
        }
    }

    private static @Nullable Health health(String host, int port, CompletableFuture<BrickProcess> process)
            throws IOException {
        return port == 0
                ? null
                : Health.serve(
                        host,
                        port,
                        () -> process.isDone() ? process.join().liveness() : new Readiness(true, "starting"),
                        () -> process.isDone() ? process.join().readiness() : Readiness.no("starting"));
    }

    private void announce(BrickConfig settings, int port, long incarnation) {
        String address = settings.advertise().isEmpty() ? settings.listenHost() + ":" + port : settings.advertise();
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("ready", true);
            document.put("brick", settings.id());
            document.put("address", address);
            document.put("incarnation", incarnation);
            Json.print(sdds.screen().out(), document);
        } else {
            sdds.screen()
                    .out()
                    .println("ready: brick " + settings.id() + " at " + address
                            + (attached ? INCARNATION + incarnation : ""));
        }
        sdds.screen().out().flush();
    }
}
