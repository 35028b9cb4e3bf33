package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments on bricks that the command starts itself. */
class PaperIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int PROCESSES = 3;

    @TempDir
    private Path directory;

    private SddsProcess start(String... experiment) {
        List<String> args = new ArrayList<>(List.of("bench", "paper", "--quick", "--bricks", "2"));
        args.addAll(List.of("--out", directory.resolve("figures").toString()));
        args.addAll(List.of(experiment));
        return SddsProcess.start(args.toArray(String[]::new));
    }

    @Test
    void endsTheBricksItStarted() {
        try (SddsProcess process = start("lh-9")) {
            List<ProcessHandle> children = awaitChildren(process);
            assertThat(process.end().ok().out()).contains("lh-9: ", "2 bricks, one process each");
            assertThat(children).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    @Tag("soak")
    void killsABrickOfItsOwnAndTellsWhatBecameOfReadsAndWrites() {
        try (SddsProcess process = start("dds-8")) {
            SddsProcess.Ended ended = process.end().ok();
            assertThat(ended.err())
                    .as("nobody is told of the death it brought about")
                    .isEmpty();
            assertThat(ended.out())
                    .contains("dds-8: ", "3 bricks, one process each")
                    .containsPattern("operations that failed +0 +operations");
            assertThat(directory.resolve("figures/dds-8.png")).isNotEmptyFile();
            assertThat(directory.resolve("figures/dds-8.csv")).content().contains("b) Writes,whole again,");
        }
    }

    @Test
    @Tag("soak")
    void anInterruptLeavesNoProcessAndNoDirectoryBehind() throws IOException {
        try (SddsProcess process = start("all")) {
            List<ProcessHandle> children = awaitChildren(process);
            List<Path> homes = homesOf(children);
            assertThat(homes).isNotEmpty().allSatisfy(home -> assertThat(home).exists());

            process.signal("INT");
            SddsProcess.Ended ended = process.end();

            assertThat(ended.exitCode()).isEqualTo(130);
            assertThat(ended.err()).isEmpty();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
            assertThat(homes).noneMatch(Files::exists);
        }
    }

    private static List<ProcessHandle> awaitChildren(SddsProcess process) {
        Awaitility.await().atMost(PATIENCE).until(() -> process.members().size() == PROCESSES);
        return process.members();
    }

    /** The directories that the processes were told, as they stand on their command lines. */
    private static List<Path> homesOf(List<ProcessHandle> children) {
        return children.stream()
                .flatMap(child -> {
                    List<String> arguments = List.of(child.info().arguments().orElse(new String[0]));
                    int at = arguments.indexOf("--dir");
                    return at < 0 ? Stream.of() : Stream.of(arguments.get(at + 1));
                })
                .map(Path::of)
                .toList();
    }
}
