package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sdds.testkit.check.HistoryFile;
import io.sdds.testkit.check.LinearizabilityChecker;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Processes are killed and paused under load; what clients saw is linearizable. */
class ChaosIT {
    @TempDir
    private Path directory;

    @Test
    void killsAndPausesBreakNothing() throws IOException {
        Path history = directory.resolve("history.ndjson");
        SddsProcess.Ended chaos = SddsProcess.run(
                "chaos",
                "--seconds",
                "12",
                "--kill",
                "--pause",
                "--bricks",
                "3",
                "--rate",
                "1000",
                "--history",
                history.toString(),
                "--json");
        JsonNode said = chaos.ok().json();
        assertThat(said.get("violations")).isEmpty();
        assertThat(said.get("troubles")).isEmpty();
        assertThat(said.get("faults")).isNotEmpty();
        assertThat(said.get("operations").intValue()).isGreaterThan(1000);
        try (Reader lines = Files.newBufferedReader(history)) {
            assertThat(LinearizabilityChecker.check(HistoryFile.read(lines))).isEmpty();
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "sdds.chaos.seconds",
            matches = "\\d+",
            disabledReason = "30 cycles of kill -9 and SIGSTOP take minutes: -Psoak, or -Dsdds.chaos.seconds=150")
    void thirtyCyclesBreakNothing() {
        SddsProcess.Ended chaos = SddsProcess.run(
                "chaos", "--seconds", System.getProperty("sdds.chaos.seconds"), "--kill", "--pause", "--json");
        JsonNode said = chaos.ok().json();
        System.out.println(said);
        assertThat(said.get("violations")).isEmpty();
        assertThat(said.get("troubles")).isEmpty();
        assertThat(said.get("faults")).hasSizeGreaterThanOrEqualTo(30);
    }
}
