package io.sdds.cli.command;

import io.sdds.brick.shell.BrickProcess;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.BrickOptions;
import io.sdds.cli.config.CoordinatorOptions;
import io.sdds.cli.process.Jvm;
import io.sdds.cli.process.LocalCluster;
import io.sdds.cli.process.LogFiles;
import io.sdds.cli.process.TemporaryDirectory;
import io.sdds.cli.terminal.Screen;
import io.sdds.coordinator.shell.CoordinatorProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Training run for the AOT caches of the launcher: runs commands while the JVM records the loaded classes and the
 * executed code. Servers and commands that use the whole client run in this process. Short commands run in another
 * process with another cache, because everything in a cache costs time at each start. Only the launcher calls this
 * command.
 */
@Command(hidden = true, description = "Run commands as training for the AOT cache of the JVM.")
final class TrainingCommand implements Callable<Integer> {
    private static final long PATIENCE_SECONDS = 60;
    static final String ANY_PORT = "127.0.0.1:0";
    private static final int QUORUM = 3;
    private static final String TABLE = "training";

    private final SddsCommand sdds;

    @Option(
            names = "--short-cache",
            paramLabel = "FILE",
            description = "Write the cache of the process for short commands to FILE.")
    private @Nullable Path shortCache;

    @Option(
            names = "--sql-cache",
            paramLabel = "FILE",
            description = "Write the cache of the process for the command sql to FILE.")
    private @Nullable Path sqlCache;

    @Option(
            names = "--sql-path",
            paramLabel = "CLASSPATH",
            description = "Set the class path of the process for the command sql.")
    private @Nullable String sqlPath;

    @Option(names = "--short", description = "Run the short commands.")
    private boolean isShort;

    @Option(names = "--sql", description = "Run statements of SQL.")
    private boolean isSql;

    TrainingCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (isShort) {
            runShortCommands(sdds.addresses().get(0));
            return CommandFailure.OK;
        }
        if (isSql) {
            runStatements(sdds.addresses().get(0));
            return CommandFailure.OK;
        }
        try (TemporaryDirectory directory = TemporaryDirectory.create("training")) {
            LogFiles.use(directory.path());
            train(directory.path());
        } catch (ExecutionException | TimeoutException e) {
            throw CommandFailure.failed("training failed: " + e.getMessage(), e);
        }
        return CommandFailure.OK;
    }

    private void train(Path directory) throws IOException, InterruptedException, ExecutionException, TimeoutException {
        try (CoordinatorProcess coordinator = CoordinatorProcess.start(
                coordinator(directory, null, ANY_PORT, null).config())) {
            coordinator.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            try (BrickProcess brick =
                    BrickProcess.start(brick(null, coordinator.address()).config())) {
                brick.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                runLongCommands(directory, coordinator.address());
                trainOthers(coordinator.address());
            }
        }
        runQuorum(directory);
        new RecoveryTraining(directory).run();
    }

    /**
     * Runs three coordinators, because a group of coordinators loads classes that a single coordinator does not load.
     */
    private static void runQuorum(Path directory)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        int port = LocalCluster.freePorts(QUORUM, 0);
        List<String> peers = new ArrayList<>();
        for (int k = 1; k <= QUORUM; k++) {
            peers.add("q" + k + "=127.0.0.1:" + (port + k - 1));
        }
        List<CoordinatorProcess> quorum = new ArrayList<>();
        try {
            for (int k = 1; k <= QUORUM; k++) {
                String listen = "127.0.0.1:" + (port + k - 1);
                quorum.add(CoordinatorProcess.start(
                        coordinator(directory, "q" + k, listen, peers).config()));
            }
            for (CoordinatorProcess each : quorum) {
                each.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            for (CoordinatorProcess each : quorum) {
                each.close();
            }
        }
    }

    /** Options of a coordinator that keeps its files in a directory of its own there. */
    static CoordinatorOptions coordinator(
            Path directory, @Nullable String id, String listen, @Nullable List<String> peers) {
        Map<String, String> flags = new LinkedHashMap<>();
        flags.put("--listen", listen);
        flags.put("--dir", directory.resolve(id == null ? "c1" : id).toString());
        if (id != null) {
            flags.put("--id", id);
        }
        if (peers != null) {
            flags.put("--peers", String.join(",", peers));
        }
        return CoordinatorOptions.flags().parsed(flags).or(CoordinatorOptions.DEFAULTS);
    }

    /** @param id of the brick; null: made of its address */
    static BrickOptions brick(@Nullable String id, String coordinator) {
        Map<String, String> flags = new LinkedHashMap<>();
        flags.put("--listen", ANY_PORT);
        flags.put("--coordinators", coordinator);
        flags.put("--memory", "64m");
        if (id != null) {
            flags.put("--id", id);
        }
        return BrickOptions.flags().parsed(flags).or(BrickOptions.DEFAULTS);
    }

    /** Loads the commands of the processes of {@code sdds up}, which are parsed by the shortcut. */
    private void loadServerCommands() {
        Shortcut.find(sdds, "up", "--bricks", "1");
        Shortcut.find(sdds, "brick", "--id", "b1", "--attached");
        Shortcut.find(sdds, "coordinator", "--id", "c1", "--attached");
    }

    private void runLongCommands(Path directory, String address) throws IOException {
        Path file = directory.resolve("records.tsv");
        Files.writeString(file, "key\tvalue\nother key\tother value\n");
        loadServerCommands();
        run("--connect", address, "table", "create", TABLE, "--capacity", "1000");
        run("--connect", address, "load", TABLE, file.toString());
    }

    private void runShortCommands(String address) {
        for (String command : List.of(
                "get training key",
                "get training no-such-key",
                "get no-such-table key",
                "put training key value",
                "delete training key",
                "status",
                "brick-list",
                "get training key --json",
                "status --json")) {
            run(("--connect " + address + " " + command).split(" "));
        }
        run("--connect", "127.0.0.1:1", "get", TABLE, "key");
    }

    private void runStatements(String address) {
        for (String statement : List.of(
                "select count(*) from " + TABLE,
                "select * from " + TABLE + " limit 10",
                "select * from no_such_table",
                "\\d")) {
            run("--connect", address, "sql", statement);
        }
        run("--connect", address, "sql", "--json", "select count(*) from " + TABLE);
    }

    private void run(String... arguments) {
        Screen nowhere = Screen.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        int exitCode = new SddsCommand(nowhere).run(arguments);
        sdds.notice(String.join(" ", arguments) + ": " + exitCode);
    }

    /** Trains the processes that have a cache of their own, side by side. */
    private void trainOthers(String address) throws IOException, InterruptedException {
        List<Process> started = new ArrayList<>();
        if (shortCache != null) {
            started.add(train("--short", address, shortCache, null));
        }
        if (sqlCache != null && sqlPath != null) {
            started.add(train("--sql", address, sqlCache, sqlPath));
        }
        for (Process process : started) {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    /** @param classPath of the process; null: the class path of this process */
    private static Process train(String commands, String address, Path cache, @Nullable String classPath)
            throws IOException {
        ProcessBuilder builder = Jvm.running(
                        List.of("-XX:AOTCacheOutput=" + cache), List.of("aot-training", commands, "--connect", address))
                .inheritIO();
        if (classPath != null) {
            builder.environment().put("CLASSPATH", classPath);
        }
        return builder.start();
    }
}
