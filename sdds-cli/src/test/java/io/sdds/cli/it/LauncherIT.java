package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bin/sdds} and {@code lib} as they are copied to another machine: without sources, and in a path with a blank.
 */
class LauncherIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    /** A Java that prints its arguments. Its training for the fast start lasts until there is a file. */
    private static final String JAVA = """
        #!/bin/sh
        case "$*" in
          *AOTMode=record*)
            : >"%1$s/training"
            tries=0
            while [ ! -e "%1$s/go" ] && [ $tries -lt 600 ]; do sleep 0.05; tries=$((tries + 1)); done
            ;;
          *AOTMode=create*)
            for option; do
              case $option in -XX:AOTCache=*) echo cache >"${option#-XX:AOTCache=}" ;; esac
            done
            ;;
          *) printf '%%s\\n' "$@" ;;
        esac
        """;

    @TempDir
    private Path directory;

    private Path copy;
    private Path java;

    @BeforeEach
    void copies() throws IOException {
        copy = Files.createDirectories(directory.resolve("a copy"));
        Files.createDirectories(copy.resolve("bin"));
        Files.copy(Path.of(SddsProcess.LAUNCHER), copy.resolve("bin/sdds"));
        java = directory.resolve("java");
        Files.createDirectories(java.resolve("bin"));
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Path program = java.resolve("bin/java");
        Files.writeString(program, JAVA.formatted(directory));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void copyJars(Path lib) throws IOException {
        Files.createDirectories(lib);
        try (Stream<Path> files = Files.walk(SddsProcess.LIB)) {
            files.filter(file -> !file.equals(SddsProcess.LIB)).forEach(file -> {
                try {
                    Files.copy(file, lib.resolve(SddsProcess.LIB.relativize(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** Starts the copy with the Java that prints its arguments. */
    private SddsProcess start(Map<String, String> environment, String... args) {
        List<String> command = new ArrayList<>(List.of(copy.resolve("bin/sdds").toString()));
        command.addAll(List.of(args));
        Map<String, String> all = new HashMap<>(Map.of("SDDS_NO_BUILD", "", "SDDS_JAVA_HOME", java.toString()));
        all.putAll(environment);
        return SddsProcess.start(command, all);
    }

    private String run(String... args) {
        try (SddsProcess process = start(Map.of(), args)) {
            return process.end().ok().out();
        }
    }

    @Test
    void aCopyOfTheDistributionRunsWithoutSources() throws IOException {
        copyJars(copy.resolve("sdds-cli/target/lib"));
        try (SddsProcess process = start(Map.of("SDDS_JAVA_HOME", System.getProperty("java.home")), "version")) {
            assertThat(process.end().ok().out()).matches("sdds \\S+ build [0-9a-f]{8} \\(protocol .*\\)\n");
        }
    }

    @Test
    void theJarsMayLieInLibBesideBin() throws IOException {
        copyJars(copy.resolve("lib"));
        assertThat(run("version")).contains("io.sdds.cli.Main\nversion\n");
    }

    @Test
    void temporaryAndHomeDirectoryAreThoseOfTheEnvironment() throws IOException {
        copyJars(copy.resolve("lib"));
        Map<String, String> environment = Map.of("TMPDIR", directory + "/t m p", "HOME", directory + "/home");
        try (SddsProcess process = start(environment, "version")) {
            assertThat(process.end().ok().out())
                    .contains("-Djava.io.tmpdir=" + directory + "/t m p\n")
                    .contains("-Duser.home=" + directory + "/home\n");
        }
    }

    @Test
    void theFastStartIsPreparedBehindTheCommandAndUsedAfterwards() throws IOException {
        copyJars(copy.resolve("lib"));
        assertThat(run("help")).contains("Main\nhelp\n");
        assertThat(directory.resolve("training")).as("help needs no fast start").doesNotExist();
        try (SddsProcess process = start(Map.of(), "coordinator")) {
            SddsProcess.Ended ended = process.end().ok();
            assertThat(ended.out()).contains("Main\ncoordinator\n").doesNotContain("AOTCache");
            assertThat(ended.err()).hasLineCount(1).contains("preparing a fast start in the background");
        }
        Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(directory.resolve("training")));
        try (SddsProcess process = start(Map.of(), "coordinator")) {
            assertThat(process.end().ok().err()).as("while it is prepared").isEmpty();
        }
        Files.createFile(directory.resolve("go"));
        Awaitility.await().atMost(PATIENCE).until(() -> !Files.exists(copy.resolve("aot.lock")));
        try (SddsProcess process = start(Map.of(), "coordinator")) {
            SddsProcess.Ended ended = process.end().ok();
            assertThat(ended.out()).contains("-XX:AOTCache=" + copy + "/sdds-25.0.1.aot\n");
            assertThat(ended.err()).isEmpty();
        }
    }
}
