package io.sdds.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
    /** Nothing listens there. */
    private static final String NOBODY = "127.0.0.1:1";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fly",
                "get",
                "get t",
                "get t k v",
                "get --nosuch t k",
                "put t k",
                "delete t",
                "scan",
                "scan t --where nonsense",
                "scan t --select a",
                "load t",
                "dump",
                "dump t --json",
                "table",
                "table fly",
                "table create",
                "table create t --kind fly",
                "table create t --replicas 6",
                "table create t --min-copies 2",
                "table create t --parity 4,2",
                "table create t --ttl soon",
                "table create t --ttl 40000d",
                "put t k v --ttl 10",
                "put t k v --ttl 40000d",
                "put t k v --if-version new",
                "delete t k --ttl 10m",
                "table create t --durable",
                "table create t --schema a",
                "table create t --capacity 0",
                "table create t --capacity lots",
                "table create t --split never",
                "table create t --splitting sometimes",
                "table create t --shipping overseas",
                "table create t --slice 0",
                "table create t --slice 257k",
                "table create t --slice thin",
                "table create t --splits-at-once 0",
                "table create t --splits-at-once 17",
                "bench hash --slice 0",
                "bench range --length -1",
                "bench growth --splitting sometimes",
                "table create bad/name",
                "up --bricks 0",
                "up --bricks 65",
                "up --coordinators 2",
                "up --port 0",
                "up --port 65533",
                "up --memory lots",
                "brick --listen here",
                "brick --listen 0.0.0.0:0",
                "brick --memory 1k",
                "brick --memory lots",
                "brick --stages 0",
                "brick --coordinators nowhere",
                "brick --zone a",
                "brick -c no-such-file.yaml",
                "coordinator",
                "coordinator --dir x --listen 0.0.0.0:0",
                "coordinator --dir x --http 70000",
                "status --watch --json",
                "range t b a",
                "range t --limit -1",
                "range t a --prefix p",
                "sql",
                "chaos",
                "chaos --seconds 0",
                "chaos --seconds 1 --coordinators 2",
                "brick-drain",
                "--timeout soon status",
                "--timeout 0s status",
                "--connect nowhere status",
                "get --connect 127.0.0.1:99999 t k",
                "get --hex t xyz",
                "help fly"
            })
    void wrongUsageIsOneLineAndExitCode2(String arguments) {
        Sdds run = Sdds.run(("--connect " + NOBODY + " " + arguments).split(" "));
        assertThat(run.err().lines()).as(run.err()).hasSize(1);
        assertThat(run.err()).startsWith("sdds");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "status --watch",
                "brick-list",
                "brick-drain b1",
                "get t k",
                "put t k v",
                "delete t k",
                "scan t",
                "dump t",
                "table list",
                "table create t",
                "table describe t",
                "table drop t",
                "table accept-loss t",
                "load t -"
            })
    void aClusterThatIsNotThereIsExitCode3(String arguments) {
        Sdds run = Sdds.run((arguments + " --timeout 2s --connect " + NOBODY).split(" "));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains(NOBODY).contains("sdds up");
    }

    @Test
    void aFileThatIsNotThereIsExitCode1() {
        Sdds run = Sdds.run("load", "t", "/no/such/file.tsv");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("sdds load: no such file: /no/such/file.tsv\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"get --nosuch t k", "table create", "status --connect " + NOBODY, "--timeout soon status"})
    void failuresAreADocumentToo(String arguments) throws IOException {
        Sdds run = Sdds.run((arguments + " --json").split(" "));
        JsonNode document = new ObjectMapper().readTree(run.out());
        assertThat(document.get("exit_code").intValue()).isEqualTo(run.exitCode());
        assertThat(run.err()).endsWith(": " + document.get("error").textValue() + "\n");
    }

    @Test
    void theStackTraceIsToldWhenAskedFor() {
        Sdds run = Sdds.run("--verbose", "--connect", NOBODY, "status");
        assertThat(run.err().lines()).hasSizeGreaterThan(3);
        assertThat(run.err()).contains("\tat io.sdds.");
    }

    @Test
    void helpTellsAllCommandsAndExitCodes() {
        Sdds run = Sdds.run("help");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("demo", "up", "table", "load", "status", "bench", "--connect", "Exit codes")
                .doesNotContain("aot-training", "chaos-client");
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(Sdds.run().out()).isEqualTo(run.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "up",
                "coordinator",
                "brick",
                "table",
                "table create",
                "table list",
                "table describe",
                "table drop",
                "put",
                "get",
                "delete",
                "scan",
                "range",
                "load",
                "dump",
                "status",
                "brick-list",
                "brick-drain",
                "bench",
                "bench paper",
                "bench range",
                "chaos",
                "version"
            })
    void everyCommandTellsHowItIsUsedWithin80Columns(String command) {
        Sdds help = Sdds.run(("help " + command).split(" "));
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).startsWith("Usage: sdds " + command);
        assertThat(help.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(Sdds.run((command + " --help").split(" ")).out()).isEqualTo(help.out());
    }

    @Test
    void optionsOfLaterCapabilitiesAreNotTold() {
        String all = List.of("up", "coordinator", "brick", "table create", "scan", "load").stream()
                .map(command -> Sdds.run(("help " + command).split(" ")).out())
                .reduce("", String::concat);
        assertThat(all).doesNotContain("parity", "durable", "schema", "zone", "attached");
    }

    @Test
    void versionIsADocumentToo() throws IOException {
        JsonNode document =
                new ObjectMapper().readTree(Sdds.run("version", "--json").out());
        assertThat(document.fieldNames()).toIterable().contains("version", "protocol", "java");
    }
}
