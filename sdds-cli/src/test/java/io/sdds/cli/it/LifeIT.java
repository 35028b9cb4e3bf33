package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How processes begin and end. */
@Order(1)
class LifeIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"INT", "KILL"})
    void aClusterThatIsInterruptedOrKilledLeavesNoProcess(String signal) {
        assertLeavesNoProcess(signal);
    }

    @ParameterizedTest
    @Tag("soak")
    @ValueSource(strings = {"TERM", "HUP"})
    void aClusterThatIsTerminatedOrHungUpLeavesNoProcess(String signal) throws IOException {
        assumeFalse(signal.equals("HUP") && isHangupIgnored(), "HUP is ignored here, as under nohup");
        assertLeavesNoProcess(signal);
    }

    private void assertLeavesNoProcess(String signal) {
        try (UpProcess up = UpProcess.start(directory, 2)) {
            up.process().signal(signal);
            assertThat(up.process().end().exitCode()).isEqualTo(signal.equals("KILL") ? 137 : 0);
            up.awaitNoProcess();
        }
    }

    @Test
    @Tag("soak")
    void theNextStartRemovesTheDirectoryOfAnUpThatWasKilled() throws IOException {
        String[] command = {
            SddsProcess.LAUNCHER, "up", "--bricks", "1", "--port", "" + SddsProcess.freePorts(2), "--memory", "64m"
        };
        Map<String, String> environment = SddsProcess.temporaryFilesIn(directory);
        try (SddsProcess killed = SddsProcess.start(List.of(command), environment)) {
            killed.awaitOut("Temporary directory: ");
            List<ProcessHandle> members = killed.members();
            killed.signal("KILL");
            killed.end();
            Awaitility.await().atMost(PATIENCE).until(() -> members.stream().noneMatch(ProcessHandle::isAlive));
        }
        assertThat(directory).isDirectoryContaining("glob:**/sdds-up-*");
        try (SddsProcess next = SddsProcess.start(List.of(command), environment)) {
            next.awaitOut("Temporary directory: ");
            try (Stream<Path> left = Files.list(directory)) {
                assertThat(left).hasSize(1).allMatch(path -> next.out().contains(path.toString()));
            }
            next.signal("INT");
            assertThat(next.end().exitCode()).isZero();
        }
        assertThat(directory).isEmptyDirectory();
    }

    /** Then it is in the processes that are started here, too. */
    private static boolean isHangupIgnored() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("SigIgn:"))
                    .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1) != 0);
        }
    }

    @Test
    @Tag("soak")
    void anInterruptDuringTheStartLeavesNoProcess() {
        int port = SddsProcess.freePorts(3);
        try (SddsProcess up =
                SddsProcess.start("up", "--bricks", "2", "--port", "" + port, "--dir", directory.toString())) {
            Awaitility.await().atMost(PATIENCE).until(() -> !up.members().isEmpty());
            List<ProcessHandle> children = up.members();
            assertThat(SddsProcess.runHere("127.0.0.1:" + port, "status", "--timeout", "50ms")
                            .exitCode())
                    .isEqualTo(3);
            up.signal("INT");
            up.end();
            Awaitility.await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void theSameDirectoryStartsTheSameClusterAgainWithEmptyTables() {
        int port = SddsProcess.freePorts(3);
        try (UpProcess up = UpProcess.start(directory, 2, port)) {
            up.run("table", "create", "names", "--capacity", "123").ok();
            up.run("put", "names", "k", "v").ok();
            up.process().signal("INT");
            up.awaitNoProcess();
        }
        try (UpProcess again = UpProcess.start(directory, 2, port)) {
            JsonNode table = again.run("table", "list", "--json")
                    .ok()
                    .json()
                    .get("tables")
                    .get(0);
            assertThat(table.get("name").textValue()).isEqualTo("names");
            assertThat(table.get("capacity_records").intValue()).isEqualTo(123);
            assertThat(again.count("names")).isZero();
            assertThat(again.process().err()).contains("table names is empty");
            again.run("put", "names", "k", "v2").ok();
        }
    }

    @Test
    @Tag("soak")
    void aBrickThatDiesStaysDeadAndTheOthersServe() {
        try (UpProcess up = UpProcess.start(directory, 2)) {
            SddsProcess.signal("KILL", up.pid("b2"));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> !up.brick("b2").get("up").booleanValue());
            assertThat(up.brick("b1").get("up").booleanValue()).isTrue();
            up.process().awaitErr("b2 (process " + up.pid("b2") + ") ended with code 137 and stays down");
            up.run("table", "create", "after").ok();
            up.run("put", "after", "k", "v").ok();
            assertThat(up.run("get", "after", "k").ok().out()).isEqualTo("v\n");
        }
    }

    @Test
    void aBrickThatDiedIsStartedAgainWhenAskedForAndItsLossIsTold() {
        try (UpProcess up = UpProcess.start(directory, 1, "--respawn")) {
            up.run("table", "create", "lost").ok();
            up.run("put", "lost", "k", "v").ok();
            SddsProcess.signal("KILL", up.pid("b1"));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> up.brick("b1").get("incarnation").intValue() == 2);
            SddsProcess.Ended get = up.run("get", "lost", "k");
            assertThat(get.exitCode()).as(get.err()).isEqualTo(1);
            assertThat(get.err()).contains("lost").contains("accept-loss");
            up.run("table", "accept-loss", "lost").ok();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(up.run("get", "lost", "k").err()).contains("no record"));
            up.run("put", "lost", "k", "v2").ok();
        }
    }

    @Test
    @Tag("soak")
    void aBrickWhoseNameAnotherProcessHasTakenStopsServingAndEndsWithCode5() {
        int port = SddsProcess.freePorts(3);
        String at = "127.0.0.1:" + port;
        try (SddsProcess coordinator = SddsProcess.start("coordinator", "--listen", at, "--dir", directory.toString());
                SddsProcess old =
                        SddsProcess.start("brick", "--listen", "127.0.0.1:" + (port + 1), "--coordinators", at)) {
            coordinator.awaitOut("ready: ");
            old.awaitOut("ready: brick b1 at ");
            old.pause();
            try (SddsProcess other =
                    SddsProcess.start("brick", "--listen", "127.0.0.1:" + (port + 2), "--coordinators", at)) {
                other.awaitOut("ready: brick b1 at 127.0.0.1:" + (port + 2));
                old.signal("CONT");
                SddsProcess.Ended ended = old.end();
                assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
                assertThat(ended.err())
                        .contains("sdds brick: brick b1 has stopped because another process replaced it: ");
                SddsProcess.runHere(at, "table", "create", "after").ok();
                assertThat(SddsProcess.runHere(at, "put", "after", "k", "v")
                                .ok()
                                .exitCode())
                        .isZero();
                assertThat(other.isAlive()).isTrue();
            }
        }
    }

    @Test
    void aPortInUseIsOneLineAndExitCode2AndLeavesNoProcess() throws IOException {
        int port = SddsProcess.freePorts(3);
        try (ServerSocket taken = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress());
                SddsProcess up =
                        SddsProcess.start("up", "--bricks", "2", "--port", "" + port, "--dir", directory.toString())) {
            SddsProcess.Ended ended = up.end();
            assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
            assertThat(ended.err().lines()).as(ended.err()).hasSize(1);
            assertThat(ended.err()).contains("127.0.0.1:" + taken.getLocalPort());
            assertThat(SddsProcess.runHere("127.0.0.1:" + port, "status", "--timeout", "1s")
                            .exitCode())
                    .isEqualTo(3);
        }
    }

    @Test
    void processesAnswerHowTheyAre() throws IOException, InterruptedException {
        int port = SddsProcess.freePorts(5);
        HttpClient http = HttpClient.newHttpClient();
        try (SddsProcess brick = SddsProcess.start(
                "brick",
                "--listen",
                "127.0.0.1:" + (port + 1),
                "--coordinators",
                "127.0.0.1:" + port,
                "--http",
                "" + (port + 2))) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> status(http, port + 2), code -> code == 503);
            try (SddsProcess coordinator = SddsProcess.start(
                    "coordinator",
                    "--listen",
                    "127.0.0.1:" + port,
                    "--dir",
                    directory.toString(),
                    "--http",
                    "" + (port + 3))) {
                coordinator.awaitOut("ready: coordinator c1 at 127.0.0.1:" + port);
                brick.awaitOut("ready: brick b1 at 127.0.0.1:" + (port + 1));
                assertThat(status(http, port + 2)).isEqualTo(200);
                assertThat(status(http, port + 3)).isEqualTo(200);
                assertThat(body(http, port + 2, "/health/live")).isEqualTo("200 ok");
                assertThat(body(http, port + 3, "/health/ready")).isEqualTo("200 ok: leads");
                assertThat(body(http, port + 3, "/health/live")).isEqualTo("200 ok");
                String at = "127.0.0.1:" + port;
                try (SddsProcess other = SddsProcess.start(
                        "brick", "--id", "b2", "--listen", "127.0.0.1:" + (port + 4), "--coordinators", at)) {
                    other.awaitOut("ready: brick b2");
                    SddsProcess.Ended drained = SddsProcess.runHere(at, "brick-drain", "b1");
                    assertThat(drained.exitCode()).as(drained.err()).isZero();
                    Awaitility.await().atMost(PATIENCE).until(() -> status(http, port + 2), code -> code == 503);
                    assertThat(body(http, port + 2, "/health/ready")).startsWith("503 draining");
                    assertThat(body(http, port + 2, "/health/live")).isEqualTo("200 ok");
                    SddsProcess.Ended cancelled = SddsProcess.runHere(at, "brick-drain", "b1", "--cancel");
                    assertThat(cancelled.exitCode()).as(cancelled.err()).isZero();
                    Awaitility.await().atMost(PATIENCE).until(() -> status(http, port + 2), code -> code == 200);
                }
                assertThat(directory.resolve("log/sdds.log")).isNotEmptyFile();
                SddsProcess second =
                        SddsProcess.start("coordinator", "--listen", "127.0.0.1:0", "--dir", directory.toString());
                SddsProcess.Ended refused = second.end();
                assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
                assertThat(refused.err()).contains("in use by another process");
                coordinator.signal("TERM");
                assertThat(coordinator.end().exitCode()).isZero();
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> body(http, port + 2, "/health"), text -> text.contains("no coordinator"));
                assertThat(body(http, port + 2, "/health")).startsWith("200 ok: serves by the map that it has");
                brick.signal("INT");
                assertThat(brick.end().exitCode()).isZero();
            }
        }
    }

    private static String body(HttpClient http, int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        var answer = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body().strip();
    }

    private static int status(HttpClient http, int port) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/health");
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .statusCode();
    }
}
