package io.sdds.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.terminal.Screen;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class UsageTest {
    @TempDir
    private Path directory;

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
                "scan t --where and",
                "scan t --select a,",
                "load t",
                "dump",
                "dump t --json",
                "table",
                "table fly",
                "table create",
                "table create t --kind fly",
                "table create t --replicas 6",
                "table create t --min-copies 2",
                "table create t --parity 4",
                "table create t --parity 3,1",
                "table create t --parity 4,0",
                "table create t --parity 4,5",
                "table create t --parity 32,1",
                "table create t --parity four,two",
                "table create t --parity 4,2 --replicas 2",
                "table create t --parity 4,2 --replicas 1",
                "table create t --parity 4,2 --min-copies 1",
                "table create t --parity 4,2 --partitions 513",
                "bench hash --parity 5,1",
                "bench range --parity 4,2 --replicas 2",
                "chaos --seconds 1 --parity 4,2 --bricks 5",
                "chaos --seconds 1 --parity 4,2 --bricks 8 --replicas 2",
                "chaos --seconds 1 --parity 1,1",
                "table create t --ttl soon",
                "table create t --ttl 40000d",
                "put t k v --ttl 10",
                "put t k v --ttl 40000d",
                "put t k v --if-version new",
                "put t k v --stdin",
                "put t -k v",
                "get t k --raw --json",
                "scan t --limit -1",
                "scan t --limit many",
                "range t --where and",
                "completion",
                "completion fish",
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
                "range t --limit -1",
                "range t a --prefix p",
                "sql --csv --json",
                "sql --file f statement",
                "brick --weight 0",
                "brick --weight much",
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
                "table analyze t",
                "table drop t",
                "table accept-loss t",
                "table drop t --yes",
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
                "table analyze",
                "table drop",
                "put",
                "get",
                "update",
                "delete",
                "scan",
                "range",
                "load",
                "dump",
                "status",
                "brick-list",
                "brick-drain",
                "bench",
                "bench costs",
                "bench lookups",
                "bench paper",
                "bench queries",
                "bench range",
                "chaos",
                "completion",
                "version"
            })
    void everyCommandTellsHowItIsUsedWithin80Columns(String command) {
        Sdds help = Sdds.run(("help " + command).split(" "));
        assertThat(help.exitCode()).isZero();
        assertThat(help.out())
                .startsWith("Usage: sdds " + command)
                .contains(
                        "Options of all commands:",
                        "--connect=",
                        "--json",
                        "--timeout=",
                        "--hex",
                        "--verbose",
                        "--help");
        assertThat(help.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(Sdds.run((command + " --help").split(" ")).out()).isEqualTo(help.out());
    }

    @Test
    void optionsOfLaterCapabilitiesAreNotTold() {
        String all = List.of("up", "coordinator", "brick", "table create", "scan", "load").stream()
                .map(command -> Sdds.run(("help " + command).split(" ")).out())
                .reduce("", String::concat);
        assertThat(all).doesNotContain("durable", "zone", "attached");
    }

    @Test
    void wrongParityIsToldWithWhatIsExpected() {
        assertThat(Sdds.run("table", "create", "t", "--parity", "4,7").err())
                .isEqualTo(
                        "sdds table create: invalid value for option '--parity': '4,7' is no parity: M,K is expected,"
                                + " with M 2, 4, 8 or 16 and K 1 to 4, such as 4,2, or M,auto; see: sdds table create"
                                + " --help\n");
        assertThat(Sdds.run("table", "create", "t", "--parity", "4,2", "--replicas", "2")
                        .err())
                .isEqualTo("sdds table create: --parity: a table has parity or copies; leave out --replicas\n");
        assertThat(Sdds.run("chaos", "--seconds", "1", "--parity", "4,2", "--bricks", "5")
                        .err())
                .isEqualTo("sdds chaos: --parity: 4,2 needs 6 bricks, and there are 5; add --bricks 6\n");
    }

    @ParameterizedTest
    @CsvSource({
        "stauts, status",
        "versoin, version",
        "brick-lst, brick-list",
        "gett, get",
        "chao, chaos",
        "help stauts, status",
        "table creat, create",
        "table lsit, list",
        "table accept, accept-loss",
        "bench hsah, hash",
        "stauts --watch, status",
        "status --wacth, --watch",
        "put t k v --tll 1s, --ttl",
        "table create t --replica 2, --replicas"
    })
    void aMistypedWordGetsOneSuggestionThatIsNear(String arguments, String meant) {
        Sdds run = Sdds.run(arguments.split(" "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("(did you mean " + meant + "?)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xyz", "fly", "table fly", "bench fly", "x", "status --fly"})
    void aWordThatIsNearToNothingGetsNoSuggestion(String arguments) {
        assertThat(Sdds.run(arguments.split(" ")).err()).doesNotContain("did you mean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"put names -x y", "put names x -y", "get names -x", "delete names -x", "put names --x y"})
    void anArgumentWithAHyphenGetsAHint(String arguments) {
        Sdds run = Sdds.run(arguments.split(" "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("put -- before arguments that begin with a hyphen: sdds "
                        + arguments.split(" ")[0] + " -- ");
    }

    @Test
    void noMessageNamesATypeOrListsConstants() {
        SddsCommand sdds = new SddsCommand(Screen.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream()));
        CommandLine all = new CommandLine(sdds);
        Commands.addTo(all, sdds, new String[] {"help"});
        List<String> wrong = new ArrayList<>();
        addWrongValues(all, List.of(), wrong);
        assertThat(wrong).hasSizeGreaterThan(80);
        for (String arguments : wrong) {
            Sdds run = Sdds.run(arguments.split(" "));
            assertThat(run.exitCode()).as(arguments).isEqualTo(2);
            assertThat(run.err().lines()).as(arguments).hasSize(1);
            assertThat(run.err())
                    .as(arguments)
                    .contains("'?'")
                    .doesNotContainPattern("is not an? (int|long|double|boolean)|[A-Z]{2,}, [A-Z]{2,}|PT\\d|Exception")
                    .doesNotContainPattern("\\b[A-Z][a-z]+[A-Z][a-z]+");
        }
    }

    /** A wrong value for each option that is not taken as any text. */
    private static void addWrongValues(CommandLine command, List<String> path, List<String> wrong) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            boolean isText = List.of(String.class, List.class, Path.class).contains(option.type());
            if (option.arity().max() > 0 && !isText && !path.isEmpty()) {
                wrong.add(String.join(" ", path) + " " + option.longestName() + "=?");
            }
        }
        command.getSubcommands().forEach((name, each) -> {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            addWrongValues(each, longer, wrong);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "put t k v --ttl 40000d",
                "table create t --ttl 40000d",
                "bench hash --duration 0s",
                "bench hash --mode fly",
                "brick -c "
            })
    void timesAndWordsAreWrittenAsTheyAreTyped(String arguments) throws IOException {
        Path file = Files.writeString(directory.resolve("brick.yaml"), "memory: lots\n");
        Sdds run = Sdds.run((arguments.endsWith(" ") ? arguments + file : arguments).split(" "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).doesNotContainPattern("PT\\d|[A-Z]{3,}, |Size\\b|Duration\\b");
    }

    @Test
    void theVersionIsAnOptionToo() {
        Sdds option = Sdds.run("--version");
        assertThat(option.exitCode()).isZero();
        assertThat(option.out()).isEqualTo(Sdds.run("version").out()).startsWith("sdds ");
        assertThat(Sdds.run("--version", "--json").out())
                .isEqualTo(Sdds.run("version", "--json").out());
    }

    @Test
    void versionIsADocumentToo() throws IOException {
        JsonNode document =
                new ObjectMapper().readTree(Sdds.run("version", "--json").out());
        assertThat(document.fieldNames()).toIterable().contains("version", "protocol", "java");
    }
}
