package io.sdds.cli.command;

import io.sdds.brick.shell.BrickProcess;
import io.sdds.cli.config.BrickOptions;
import io.sdds.cli.config.CoordinatorOptions;
import io.sdds.cli.config.Size;
import io.sdds.cli.terminal.Screen;
import io.sdds.coordinator.shell.CoordinatorProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Does in one process what commands do in many, for the JVM to note which classes they load and what they run. The launcher makes its AOT
 * cache of that. Nobody else calls it.
 */
@Command(hidden = true, description = "Run what commands run, for the JVM to learn it.")
final class TrainingCommand implements Callable<Integer> {
    private static final long PATIENCE_SECONDS = 20;
    private static final String ANY_PORT = "127.0.0.1:0";

    private final SddsCommand sdds;

    TrainingCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("sdds-training-");
        try (CoordinatorProcess coordinator = CoordinatorProcess.start(coordinator(directory).config())) {
            coordinator.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            try (BrickProcess brick = BrickProcess.start(brick(coordinator.address()).config())) {
                brick.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                runCommands(directory, coordinator.address());
            }
        } catch (ExecutionException | TimeoutException e) {
            throw CommandFailure.failed("training failed: " + e, e);
        } finally {
            delete(directory);
        }
        return CommandFailure.OK;
    }

    private static CoordinatorOptions coordinator(Path directory) {
        return new CoordinatorOptions(null, ANY_PORT, null, directory.resolve("c1").toString(), null, null, null, null)
                .or(CoordinatorOptions.DEFAULTS);
    }

    private static BrickOptions brick(String coordinator) {
        return new BrickOptions(null, ANY_PORT, null, List.of(coordinator), new Size(64 << 20), null, null, null, null)
                .or(BrickOptions.DEFAULTS);
    }

    /** Short commands keep no log; this process does, which has loaded what logs. */
    private static void loadSilence() {
        for (String name : List.of("NOP_FallbackServiceProvider", "NOPLogger", "NOPLoggerFactory")) {
            try {
                Class.forName("org.slf4j.helpers." + name);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void runCommands(Path directory, String address) throws IOException {
        loadSilence();
        Path file = directory.resolve("records.tsv");
        Files.writeString(file, "key\tvalue\nother key\tother value\n");
        run(address, "help");
        run(address, "table", "create", "training", "--capacity", "1000");
        for (int k = 0; k < 3; k++) {
            run(address, "put", "training", "key", "value");
            run(address, "get", "training", "key");
            run(address, "get", "training", "key", "--json");
            run(address, "delete", "training", "key");
        }
        run(address, "load", "training", file.toString());
        run(address, "scan", "training");
        run(address, "scan", "training", "--count");
        run(address, "status");
        run(address, "status", "--json");
        run(address, "table", "list");
        run(address, "table", "describe", "training");
        run(address, "brick-list");
        run(address, "get", "no-such-table", "key");
        run(address, "get", "--no-such-option");
        run("127.0.0.1:1", "get", "training", "key");
        run(address, "table", "drop", "training");
    }

    private void run(String address, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--connect", address));
        all.addAll(List.of(arguments));
        Screen nowhere = Screen.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        new SddsCommand(nowhere).run(all.toArray(String[]::new));
        sdds.notice(String.join(" ", arguments));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
