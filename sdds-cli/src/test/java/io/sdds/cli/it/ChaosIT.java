package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sdds.testkit.check.HistoryFile;
import io.sdds.testkit.check.LinearizabilityChecker;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Processes are killed and paused under load; what clients saw is linearizable. */
@Order(1)
class ChaosIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    /** For a start, the last fault's healing, and the reads of all keys, on a machine that is busy. */
    private static final Duration BESIDE_THE_LOAD = Duration.ofMinutes(3);

    /** A coordinator, a brick and a client. */
    private static final int PROCESSES = 3;

    private static final int INTERRUPTED = 130;

    @TempDir
    private Path directory;

    @Test
    void killsAndPausesBreakNothing() throws IOException {
        Path history = directory.resolve("history.ndjson");
        SddsProcess.Ended chaos = SddsProcess.run(
                BESIDE_THE_LOAD,
                "chaos",
                "--seconds",
                "8",
                "--kill",
                "--pause",
                "--bricks",
                "3",
                "--rate",
                "1000",
                "--history",
                history.toString(),
                "--json");
        JsonNode said = chaos.json();
        assertThat(said.get("violations")).isEmpty();
        assertThat(said.get("troubles")).as(chaos.out()).isEmpty();
        chaos.ok();
        assertThat(said.get("faults")).isNotEmpty();
        assertThat(said.get("queries_checked").intValue()).isPositive();
        assertThat(said.get("additions").intValue()).isPositive();
        assertThat(said.get("expiries_checked").intValue()).isPositive();
        assertThat(said.get("operations").intValue()).isGreaterThan(100); // a fault may take most of the time
        try (Reader lines = Files.newBufferedReader(history)) {
            assertThat(LinearizabilityChecker.check(HistoryFile.read(lines))).isEmpty();
        }
    }

    @Test
    @Tag("soak")
    void anInterruptFromAScriptThatStartedItInTheBackgroundLeavesNoProcessAndNoDirectory() {
        String script = "'" + SddsProcess.LAUNCHER
                + "' chaos --seconds 60 --coordinators 1 --bricks 1 --clients 1 & echo $! ; wait $!";
        try (SddsProcess shell =
                SddsProcess.start(List.of("sh", "-c", script), SddsProcess.temporaryFilesIn(directory))) {
            shell.awaitOut("\n");
            ProcessHandle chaos =
                    ProcessHandle.of(Long.parseLong(shell.out().strip())).orElseThrow();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> !shell.isAlive() || chaos.descendants().count() == PROCESSES);
            List<ProcessHandle> all = new ArrayList<>(chaos.descendants().toList());
            assertThat(all).as(shell.err()).hasSize(PROCESSES);
            all.add(chaos);

            SddsProcess.signal("INT", chaos.pid());

            assertThat(shell.end().exitCode()).isEqualTo(INTERRUPTED);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(all).noneMatch(ProcessHandle::isAlive));
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "sdds.chaos.seconds",
            matches = "\\d+",
            disabledReason = "30 cycles of kill -9 and SIGSTOP take minutes: -Psoak, or -Dsdds.chaos.seconds=150")
    void killsOfBricksWithParityBreakNothing() {
        String seconds = System.getProperty("sdds.chaos.seconds");
        SddsProcess.Ended chaos = SddsProcess.run(
                BESIDE_THE_LOAD.plusSeconds(Long.parseLong(seconds)),
                "chaos",
                "--seconds",
                seconds,
                "--kill",
                "--pause",
                "--parity",
                "4,2",
                "--json");
        JsonNode said = chaos.ok().json();
        System.out.println(said);
        assertThat(said.get("violations")).isEmpty();
        assertThat(said.get("troubles")).isEmpty();
        assertThat(said.get("faults")).isNotEmpty();
    }

    @Test
    @EnabledIfSystemProperty(
            named = "sdds.chaos.seconds",
            matches = "\\d+",
            disabledReason = "30 cycles of kill -9 and SIGSTOP take minutes: -Psoak, or -Dsdds.chaos.seconds=150")
    void thirtyCyclesBreakNothing() {
        String seconds = System.getProperty("sdds.chaos.seconds");
        SddsProcess.Ended chaos = SddsProcess.run(
                BESIDE_THE_LOAD.plusSeconds(Long.parseLong(seconds)),
                "chaos",
                "--seconds",
                seconds,
                "--kill",
                "--pause",
                "--json");
        JsonNode said = chaos.ok().json();
        System.out.println(said);
        assertThat(said.get("violations")).isEmpty();
        assertThat(said.get("troubles")).isEmpty();
        assertThat(said.get("faults")).hasSizeGreaterThanOrEqualTo(30);
    }
}
