package io.sdds.cli.command.cluster;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Size;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.process.LocalCluster;
import io.sdds.cli.process.LocalCluster.Member;
import io.sdds.cli.process.Respawns;
import io.sdds.cli.process.Stop;
import io.sdds.cli.process.TemporaryDirectory;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Style;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.TableInfo;
import io.sdds.coordinator.shell.CoordinatorConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(description = "Run a cluster of processes on this machine in the foreground.")
public final class UpCommand implements Callable<Integer> {
    private static final int BRICKS_MAX = 64;
    private static final int PORT_MAX = 65_535;
    private static final int PORT_DEFAULT = 7400;
    private static final int RAFT_PORT_OFFSET = CoordinatorConfig.RAFT_PORT_OFFSET;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Name of the file that marks a cluster that was stopped as a whole, so that all records in memory are gone. */
    private static final String STOPPED = "stopped";

    private final CommandContext context;

    @Option(names = "--bricks", paramLabel = "N", description = "Set the number of bricks. Default: 4.")
    private int bricks = 4;

    @Option(
            names = "--coordinators",
            paramLabel = "N",
            description = "Set the number of coordinators, 1 or 3. Of 3, any one may fail. Default: 1.")
    private int coordinators = 1;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Set the directory of the cluster, with DIR/<id> for each process. The same DIR starts the same"
                            + " cluster again. Default: a temporary directory.")
    private @Nullable Path dir;

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Set the port of the first coordinator. Other processes use the next ports. Default: 7400.")
    private int port = PORT_DEFAULT;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Limit the memory of each brick for records. Default: 2g.")
    private @Nullable String memory;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "Write the logs of the processes at a level: ${COMPLETION-CANDIDATES}. Default: INFO.")
    private @Nullable Level logLevel;

    @Option(names = "--respawn", description = "Start a process again after it has ended.")
    private boolean respawn;

    private final Respawns respawns = new Respawns();

    public UpCommand(CommandContext context) {
        this.context = context;
    }

    /** Returns the command with simple, valid options; null if there are other options. */
    public static @Nullable UpCommand of(CommandContext context, Map<String, String> options) {
        UpCommand command = new UpCommand(context);
        try {
            for (Map.Entry<String, String> option : options.entrySet()) {
                String value = option.getValue();
                switch (option.getKey()) {
                    case "--bricks" -> command.bricks = Integer.parseInt(value);
                    case "--coordinators" -> command.coordinators = Integer.parseInt(value);
                    case "--port" -> command.port = Integer.parseInt(value);
                    case "--dir" -> command.dir = Path.of(value);
                    case "--memory" -> command.memory = value;
                    case "--respawn" -> command.respawn = true;
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
        long beganNanos = System.nanoTime();
        check();
        TemporaryDirectory temporary = dir == null ? TemporaryDirectory.create("up") : null;
        Path directory = temporary == null
                ? Files.createDirectories(Objects.requireNonNull(dir)).toRealPath()
                : temporary.path();
        LocalCluster.Plan plan = new LocalCluster.Plan(directory, coordinators, bricks, port, memory);
        LocalCluster cluster = LocalCluster.of(plan.withLogLevel(logLevel));
        cluster.tellCoordinatorsOfEnds(context::notice);
        boolean emptied = Files.deleteIfExists(directory.resolve(STOPPED));
        Stop stop = Stop.onSignal();
        stop.closing(() -> stop(cluster, directory, temporary));
        try {
            cluster.start(PATIENCE, (member, pid, exitCode) -> onEnded(cluster, member, pid, exitCode));
            acceptLosses(cluster, emptied);
        } catch (IOException | RuntimeException e) {
            if (cluster.isStopping()) {
                stop.await(); // a signal came first and ended the process
            }
            stop.byItself();
            cluster.close();
            if (e instanceof LocalCluster.StartException failure) {
                throw notStarted(failure, directory, temporary);
            }
            close(temporary);
            throw e;
        }
        announce(cluster, directory, System.nanoTime() - beganNanos);
        stop.await();
        return CommandFailure.OK;
    }

    private CommandFailure notStarted(
            LocalCluster.StartException failure, Path directory, @Nullable TemporaryDirectory temporary)
            throws IOException {
        String line = String.valueOf(failure.getMessage())
                .replaceFirst("sdds (brick|coordinator): ", "")
                .replaceFirst("--listen or --http$", "--port");
        if (failure.exitCode() != CommandFailure.USAGE) {
            if (temporary != null) {
                temporary.keep();
            }
            return CommandFailure.failed(line + "; the logs are in " + directory + "/<id>/log", failure);
        }
        close(temporary);
        return CommandFailure.usage(line, failure);
    }

    private static void close(@Nullable TemporaryDirectory temporary) throws IOException {
        if (temporary != null) {
            temporary.close();
        }
    }

    private void check() {
        if (bricks < 1 || bricks > BRICKS_MAX) {
            throw CommandFailure.usage("--bricks: '" + bricks + "' is not 1 to " + BRICKS_MAX);
        }
        if (coordinators != 1 && coordinators != 3) {
            throw CommandFailure.usage("--coordinators: '" + coordinators + "' is not 1 or 3");
        }
        int more = coordinators == 1 ? bricks : Math.max(bricks + 2, RAFT_PORT_OFFSET + 2);
        if (port < 1 || port + more > PORT_MAX) {
            throw CommandFailure.usage(
                    "--port: '" + port + "' is not a port that leaves room for " + more + " more up to " + PORT_MAX);
        }
        if (memory != null) {
            try {
                Size.parse(memory);
            } catch (IllegalArgumentException e) {
                throw CommandFailure.usage("--memory: " + e.getMessage(), e);
            }
        }
    }

    // ---- events of a running cluster

    private void onEnded(LocalCluster cluster, Member member, long pid, int exitCode) {
        String what = member.id() + " (process " + pid + ") ended with code " + exitCode;
        if (!respawn) {
            context.notice(what + " and stays down; up --respawn would start the process again");
        } else if (exitCode == CommandFailure.USAGE || exitCode == CommandFailure.REPLACED) {
            context.notice(what + " and stays down: "
                    + (exitCode == CommandFailure.USAGE
                            ? "its configuration is wrong"
                            : "another process of the same name runs")
                    + "; the log in " + member.id() + "/log has details");
        } else {
            respawns.onEnd(member.id(), System.nanoTime())
                    .ifPresentOrElse(
                            pause -> respawn(cluster, member, what, pause),
                            () -> context.notice(what + ", for the " + Respawns.ENDS_MAX + "th time within "
                                    + Respawns.WINDOW.toMinutes() + " minutes, and stays down; the log in "
                                    + member.id()
                                    + "/log has details"));
        }
    }

    private void respawn(LocalCluster cluster, Member member, String what, Duration pause) {
        context.notice(what + "; starting the process again in " + pause.toSeconds() + " s, with empty memory");
        try {
            Thread.sleep(pause.toMillis());
            cluster.restart(member, (again, againPid, againCode) -> onEnded(cluster, again, againPid, againCode));
        } catch (IOException e) {
            context.notice(member.id() + " cannot be started again: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Accepts the loss of all records if the cluster was stopped as a whole. Otherwise lost partitions stay lost until
     * the operator accepts the loss.
     */
    private void acceptLosses(LocalCluster cluster, boolean stoppedBefore) {
        List<String> addresses =
                cluster.coordinators().stream().map(Member::address).toList();
        try (CommandClient client = new CommandClient(addresses, PATIENCE)) {
            List<String> lost = client.await(connected -> connected.statusAsync(false)).tables().stream()
                    .filter(table -> table.lostPartitions() > 0)
                    .map((TableInfo table) -> table.name())
                    .toList();
            for (String table : lost) {
                if (stoppedBefore) {
                    client.await(connected -> connected.acceptLossAsync(table, true));
                    context.notice("table " + table
                            + " is empty: its records were in the memory of the processes that were stopped");
                } else {
                    context.notice("table " + table
                            + " has lost records with the processes that held them: " + Hint.sdds("table accept-loss ")
                            + table
                            + ", or drop it");
                }
            }
        }
    }

    private void stop(LocalCluster cluster, Path directory, @Nullable TemporaryDirectory temporary) {
        cluster.close();
        try {
            if (temporary != null) {
                temporary.close();
            } else {
                Files.writeString(directory.resolve(STOPPED), "");
            }
        } catch (IOException | UncheckedIOException e) {
            context.notice("cannot delete " + directory + ": " + e.getMessage());
        }
        context.notice(dir == null ? "stopped" : "stopped; tables will be empty because their records were in memory");
    }

    // ---- output

    private void announce(LocalCluster cluster, Path directory, long nanos) {
        if (context.json()) {
            Json.print(context.screen().out(), document(cluster, directory));
            context.screen().out().flush();
            return;
        }
        boolean colour = context.screen().outIsTerminal() && context.screen().colour();
        PrintStream out = context.screen().out();
        out.println(Style.GREEN.on("ready", colour) + " in " + Numbers.duration(nanos) + ": "
                + (coordinators == 1 ? "a coordinator" : coordinators + " coordinators") + " and "
                + Numbers.plural(bricks, "brick") + ". Ctrl-C stops them all.");
        out.println();
        TextTable table = new TextTable(3, "ID", "ROLE", "ADDRESS", "PROCESS");
        for (Member member : cluster.members()) {
            table.row(member.id(), member.role(), member.address(), Long.toString(cluster.pid(member)));
        }
        table.lines().forEach(out::println);
        out.println();
        out.println((dir == null ? "Temporary directory: " : "Directory: ") + directory + "; logs in <id>/log");
        out.println();
        out.println("Try next, in another terminal:");
        if (port != PORT_DEFAULT || coordinators > 1) {
            out.println("  export SDDS_CONNECT=" + connect(cluster));
        }
        out.println("  " + Hint.sdds("table create names --kind hash --capacity 10000"));
        out.println("  " + Hint.sdds("put names U+000041 'LATIN CAPITAL LETTER A'"));
        out.println("  " + Hint.sdds("get names U+000041"));
        out.println("  " + Hint.sdds("status --watch"));
        out.flush();
    }

    private static String connect(LocalCluster cluster) {
        return String.join(
                ",", cluster.coordinators().stream().map(Member::address).toList());
    }

    private static Map<String, Object> document(LocalCluster cluster, Path directory) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("connect", connect(cluster));
        document.put("dir", directory.toString());
        document.put(
                "processes",
                cluster.members().stream()
                        .map(member -> {
                            Map<String, Object> process = new LinkedHashMap<>();
                            process.put("id", member.id());
                            process.put("role", member.role());
                            process.put("address", member.address());
                            process.put("pid", cluster.pid(member));
                            return process;
                        })
                        .toList());
        return document;
    }
}
