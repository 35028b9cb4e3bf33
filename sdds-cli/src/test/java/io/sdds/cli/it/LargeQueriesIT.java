package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL of more rows than the heap of the application holds: the database at the client spills to disk. */
class LargeQueriesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final long ROWS = 10_000_000;

    @TempDir
    private Path directory;

    @Test
    @Tag("soak")
    void tenMillionRowsAreSortedAndJoinedInAHeapOf256Megabytes() {
        Path program = SddsProcess.HOME.resolve("sdds-cli/src/test/resources/LargeQueries.java");
        List<String> classPath = new ArrayList<>(SddsProcess.jars(SddsProcess.LIB));
        classPath.addAll(SddsProcess.jars(SddsProcess.LIB.resolve("sql")));
        try (UpProcess up = UpProcess.start(directory, 2, "--memory", "2g");
                SddsProcess client = SddsProcess.start(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx256m",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                program.toString(),
                                up.address(),
                                "" + ROWS),
                        Map.of("CLASSPATH", String.join(File.pathSeparator, classPath)))) {
            assertThat(client.end(PATIENCE).ok().out())
                    .isEqualTo("sorted " + ROWS + "\njoined " + ROWS + " sum " + ROWS * (ROWS - 1) / 2 + "\n");
        }
    }
}
