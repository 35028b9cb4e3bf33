package io.sdds.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.testkit.EmbeddedCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a cluster in this process. */
class ClusterCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static EmbeddedCluster cluster;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startCluster() {
        cluster = EmbeddedCluster.start(2);
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    private static Sdds sdds(String... args) {
        List<String> all = new ArrayList<>(List.of("--connect", cluster.address()));
        all.addAll(List.of(args));
        return Sdds.run(all.toArray(String[]::new));
    }

    private static Sdds done(String... args) {
        Sdds run = sdds(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run;
    }

    private static JsonNode json(String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--json");
        return JSON.readTree(sdds(all.toArray(String[]::new)).out());
    }

    @Test
    void putsGetsAndDeletes() {
        done("table", "create", "basic");
        assertThat(done("put", "basic", "ключ", "värde\n2").out()).isEmpty();
        assertThat(done("get", "basic", "ключ").out()).isEqualTo("värde\n2\n");
        done("delete", "basic", "ключ");
        Sdds absent = sdds("get", "basic", "ключ");
        assertThat(absent.exitCode()).isEqualTo(1);
        assertThat(absent.out()).isEmpty();
        assertThat(absent.err()).isEqualTo("sdds get: no record in table 'basic' has key 'ключ'\n");
        assertThat(sdds("delete", "basic", "ключ").exitCode()).isEqualTo(1);
    }

    @Test
    void takesAndPrintsHexadecimalDigits() {
        done("table", "create", "hex");
        done("put", "hex", "00ff", "c328", "--hex");
        assertThat(done("--hex", "get", "hex", "00ff").out()).isEqualTo("c328\n");
        assertThat(done("scan", "hex", "--hex").out()).isEqualTo("00ff\tc328\n");
        Sdds notText = sdds("scan", "hex");
        assertThat(notText.exitCode()).isEqualTo(1);
        assertThat(notText.err()).contains("use --hex");
        done("put", "hex", "6b", "ff", "--hex");
        assertThat(sdds("get", "hex", "k").exitCode()).isEqualTo(1);
    }

    @Test
    void aTableThatIsNotThereIsExitCode1() {
        for (String command : List.of(
                "get none k",
                "put none k v",
                "delete none k",
                "scan none",
                "dump none",
                "table describe none",
                "table drop none")) {
            Sdds run = sdds(command.split(" "));
            assertThat(run.exitCode()).as(command).isEqualTo(1);
            assertThat(run.err().lines()).as(command).hasSize(1);
            assertThat(run.err()).contains("none");
        }
    }

    @Test
    void aTableThatIsThereAlreadyIsExitCode1() {
        done("table", "create", "twice");
        Sdds again = sdds("table", "create", "twice");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("twice").contains("exists");
    }

    @Test
    void loadsScansCountsAndDumps() throws IOException {
        done("table", "create", "big", "--capacity", "500", "--split", "static");
        Path file = directory.resolve("records.tsv");
        StringBuilder content = new StringBuilder();
        for (int k = 0; k < 5000; k++) {
            content.append("key").append(k).append("\tvalue \\t ").append(k % 7).append('\n');
        }
        Files.writeString(file, content);
        JsonNode loaded = json("load", "big", file.toString());
        assertThat(loaded.get("loaded").intValue()).isEqualTo(5000);
        assertThat(loaded.get("refused").intValue()).isZero();
        assertThat(done("scan", "big", "--count").out()).isEqualTo("5000\n");
        assertThat(done("scan", "big", "--count", "--where", "value contains ' 3' and key prefix 'key1'")
                        .out())
                .isEqualTo(count(content, "key1", " 3") + "\n");
        for (String format : List.of("tsv", "csv", "ndjson")) {
            Path dump = directory.resolve("dump." + format);
            done("dump", "big", dump.toString());
            done("table", "create", "copy-" + format);
            done("load", "copy-" + format, dump.toString());
            assertThat(done("dump", "copy-" + format).out().lines().sorted())
                    .containsExactlyElementsOf(
                            content.toString().lines().sorted().toList());
        }
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(json("table", "describe", "big")
                                .get("partitions")
                                .size())
                        .isGreaterThan(4));
    }

    @Test
    void aTableTellsHowItSplits() throws IOException {
        done("table", "create", "whole", "--splitting", "atomic", "--shipping", "individual", "--slice", "4k");
        JsonNode table = json("table", "describe", "whole");
        assertThat(table.get("split").textValue()).isEqualTo("dynamic");
        assertThat(table.get("splitting").textValue()).isEqualTo("atomic");
        assertThat(table.get("shipping").textValue()).isEqualTo("individual");
        assertThat(table.get("slice_bytes").intValue()).isEqualTo(4096);
        assertThat(done("table", "describe", "whole").out()).contains("dynamic, atomic, individual");
        done("table", "create", "usual");
        assertThat(done("table", "describe", "usual").out()).contains("dynamic, concurrent, bulk in slices of 48");
    }

    private static long count(CharSequence lines, String prefix, String part) {
        return lines.toString()
                .lines()
                .filter(line -> line.startsWith(prefix) && line.contains(part))
                .count();
    }

    @Test
    void reportsRefusedLinesAndGoesOn() throws IOException {
        done("table", "create", "broken");
        Path file = directory.resolve("broken.tsv");
        Files.writeString(file, "a\t1\nno tab\nb\t2\n\tno key\nc\t3\n");
        Sdds run = sdds("load", "broken", file.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines())
                .containsExactlyInAnyOrder(
                        file + ":2: no tab: KEY TAB VALUE is wanted",
                        file + ":4: key of 0 bytes: a key has 1 to 65535");
        assertThat(run.out()).startsWith("loaded 3 records into broken").contains("refused 2 lines");
        JsonNode document = json("load", "broken", file.toString());
        assertThat(document.get("refusals").get(0).get("line").intValue()).isEqualTo(2);
        assertThat(done("scan", "broken", "--count").out()).isEqualTo("3\n");
    }

    @Test
    void theLastLineWithAKeyCounts() throws IOException {
        done("table", "create", "last");
        Path file = directory.resolve("last.tsv");
        StringBuilder content = new StringBuilder();
        for (int k = 0; k < 1000; k++) {
            content.append("k").append(k % 3).append('\t').append(k).append('\n');
        }
        Files.writeString(file, content);
        done("load", "last", file.toString());
        assertThat(done("get", "last", "k0").out()).isEqualTo("999\n");
        assertThat(done("get", "last", "k1").out()).isEqualTo("997\n");
        assertThat(done("get", "last", "k2").out()).isEqualTo("998\n");
    }

    @Test
    void everyCommandPrintsOneDocument() throws IOException {
        assertThat(json("table", "create", "doc", "--capacity", "1000,8m")
                        .get("capacity_bytes")
                        .longValue())
                .isEqualTo(8 << 20);
        assertThat(json("put", "doc", "k", "v").get("value").textValue()).isEqualTo("v");
        assertThat(json("get", "doc", "k").get("value").textValue()).isEqualTo("v");
        assertThat(json("get", "doc", "none").get("value").isNull()).isTrue();
        assertThat(json("scan", "doc").get("records").get(0).get("key").textValue())
                .isEqualTo("k");
        assertThat(json("scan", "doc", "--count").get("count").intValue()).isEqualTo(1);
        assertThat(json("table", "list").get("tables").isArray()).isTrue();
        assertThat(json("table", "describe", "doc").get("partitions").isArray()).isTrue();
        assertThat(json("status").get("bricks").size()).isEqualTo(2);
        assertThat(json("brick-list").get("bricks").get(0).get("id").textValue())
                .isEqualTo("b1");
        assertThat(json("dump", "doc", directory.resolve("d").toString())
                        .get("records")
                        .intValue())
                .isEqualTo(1);
        assertThat(json("delete", "doc", "k").get("removed").booleanValue()).isTrue();
        assertThat(json("table", "drop", "doc").get("dropped").textValue()).isEqualTo("doc");
    }

    @Test
    void statusFitsIn80Columns() {
        done("table", "create", "a-table-with-a-name-that-is-rather-long-and-goes-on-and-on");
        assertThat(done("status").out().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(done("brick-list").out().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void connectsByABrickAsWell() {
        done("table", "create", "by-brick");
        Sdds run = Sdds.run(
                "get", "by-brick", "k", "--connect", cluster.brickAddresses().get(1));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("no record");
    }

    @Test
    void aDumpThatFailsLeavesTheOldFile() throws IOException {
        Path file = Files.write(directory.resolve("old.tsv"), "old".getBytes(StandardCharsets.UTF_8));
        assertThat(sdds("dump", "none", file.toString()).exitCode()).isEqualTo(1);
        assertThat(file).hasContent("old");
        assertThat(directory).isDirectoryNotContaining("glob:**.unfinished");
    }
}
