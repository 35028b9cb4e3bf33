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
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a cluster in this process. */
@Order(1)
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
    void aCommandWhoseReaderIsGoneEndsInSilence() {
        done("table", "create", "long");
        StringBuilder lines = new StringBuilder();
        for (int k = 0; k < 20_000; k++) {
            lines.append(k).append("\tvalue\n");
        }
        byte[] file = lines.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(Sdds.fed(file, "--connect", cluster.address(), "load", "long", "-")
                        .out())
                .startsWith("loaded 20,000 records");
        assertThat(done("scan", "long", "--count").out()).isEqualTo("20000\n");
        for (String[] command :
                new String[][] {{"scan", "long"}, {"dump", "long"}, {"scan", "long", "--select", "key"}}) {
            List<String> all = new ArrayList<>(List.of("--connect", cluster.address()));
            all.addAll(List.of(command));
            Sdds run = Sdds.withoutReader(all.toArray(String[]::new));
            assertThat(run.err()).as(String.join(" ", command)).isEmpty();
            assertThat(run.exitCode()).isEqualTo(1);
        }
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
    void recordsExpireAsTheirTableOrTheirWriterSays() throws IOException {
        assertThat(done("table", "create", "short", "--ttl", "10m").out()).contains("records live 10m");
        assertThat(json("table", "describe", "short").get("ttl_ms").asLong()).isEqualTo(600_000);
        assertThat(done("table", "describe", "short").out()).contains("ttl         10m");
        done("put", "short", "a", "1");
        assertThat(json("get", "short", "a").get("ttl_ms").asLong()).isBetween(500_000L, 600_000L);
        done("put", "short", "a", "1", "--ttl", "0s");
        assertThat(json("get", "short", "a").get("ttl_ms").isNull()).isTrue();
        done("put", "short", "b", "1", "--ttl", "1ms");
        Awaitility.await().until(() -> sdds("get", "short", "b").exitCode() == 1);
        Sdds wrong = sdds("put", "short", "b", "1", "--ttl", "soon");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err().lines()).hasSize(1);
    }

    @Test
    void writesOnlyInPlaceOfTheVersionThatWasRead() throws IOException {
        done("table", "create", "versions");
        long version = json("put", "versions", "a", "1").get("version").asLong();
        assertThat(json("get", "versions", "a").get("version").asLong()).isEqualTo(version);
        done("put", "versions", "a", "2", "--if-version", Long.toString(version));
        Sdds late = sdds("put", "versions", "a", "3", "--if-version", Long.toString(version));
        assertThat(late.exitCode()).isEqualTo(1);
        assertThat(late.err()).contains("version " + version).contains("read it again");
        assertThat(done("get", "versions", "a").out()).isEqualTo("2\n");
        assertThat(sdds("delete", "versions", "a", "--if-version", Long.toString(version))
                        .exitCode())
                .isEqualTo(1);
        version = json("get", "versions", "a").get("version").asLong();
        done("delete", "versions", "a", "--if-version", Long.toString(version));
        assertThat(json("get", "versions", "a").get("version").isNull()).isTrue();
    }

    @Test
    void takesAndPrintsHexadecimalDigits() {
        done("table", "create", "hex");
        done("put", "hex", "00ff", "c328", "--hex");
        assertThat(done("--hex", "get", "hex", "00ff").out()).isEqualTo("c328\n");
        assertThat(done("scan", "hex", "--hex").out()).isEqualTo("00ff\tc328\n");
        done("put", "hex", "6b", "5cff0a", "--hex");
        assertThat(done("get", "hex", "k").out()).isEqualTo("\\\\\\xff\\n\n");
    }

    @Test
    void recordsThatAreNoTextArePrintedWithEscapes() throws IOException {
        done("table", "create", "bytes", "--kind", "range");
        done("put", "bytes", "00ff", "c328", "--hex");
        done("put", "bytes", "61", "62", "--hex");
        String lines = "\0\\xff\t\\xc3(\na\tb\n";
        assertThat(done("scan", "bytes").out()).isEqualTo(lines);
        assertThat(done("range", "bytes").out()).isEqualTo(lines);
        JsonNode scanned = json("scan", "bytes").get("records");
        assertThat(scanned.get(0).get("key").get("$hex").textValue()).isEqualTo("00ff");
        assertThat(scanned.get(0).get("value").get("$hex").textValue()).isEqualTo("c328");
        assertThat(scanned.get(1).get("value").textValue()).isEqualTo("b");
        assertThat(json("range", "bytes").get("records")).isEqualTo(scanned);
        done("put", "bytes", "61", "ff", "--hex");
        assertThat(json("get", "bytes", "a").get("value").get("$hex").textValue())
                .isEqualTo("ff");
    }

    @Test
    void aDumpOfRecordsThatAreNoTextIsLoadedAsItWas() throws IOException {
        done("table", "create", "any", "--kind", "range");
        for (int k = 0; k < 256; k++) {
            done("put", "any", String.format("%02x", k), String.format("%02x5c7830%02x0a", 255 - k, k), "--hex");
        }
        String all = done("range", "any", "--hex").out();
        assertThat(all.lines()).hasSize(256);
        for (String format : List.of("tsv", "csv", "ndjson")) {
            Path dump = directory.resolve("any." + format);
            done("dump", "any", dump.toString());
            assertThat(Files.readString(dump)).isNotEmpty(); // it is UTF-8
            done("table", "create", "any-" + format, "--kind", "range");
            done("load", "any-" + format, dump.toString());
            assertThat(done("range", "any-" + format, "--hex").out()).isEqualTo(all);
        }
    }

    @Test
    void aValueGoesInAndOutAsBytes() {
        done("table", "create", "raw");
        byte[] value = {0, (byte) 0xff, '\n', '\\', 'x', '\n'};
        Sdds put = Sdds.fed(value, "--connect", cluster.address(), "put", "raw", "k", "--stdin");
        assertThat(put.exitCode()).as(put.err()).isZero();
        assertThat(sdds("get", "raw", "k", "--raw").bytes()).isEqualTo(value);
        assertThat(sdds("get", "raw", "6b", "--raw", "--hex").bytes()).isEqualTo(value);
        assertThat(sdds("get", "raw", "none", "--raw").exitCode()).isEqualTo(1);
        byte[] digits = "00ff\n".getBytes(StandardCharsets.UTF_8);
        Sdds hex = Sdds.fed(digits, "--connect", cluster.address(), "put", "raw", "6b", "--stdin", "--hex");
        assertThat(hex.exitCode()).as(hex.err()).isZero();
        assertThat(sdds("get", "raw", "k", "--raw").bytes()).isEqualTo(new byte[] {0, (byte) 0xff});
        byte[] tooLarge = new byte[(16 << 20) + 1];
        Sdds refused = Sdds.fed(tooLarge, "--connect", cluster.address(), "put", "raw", "k", "--stdin");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err().lines()).hasSize(1);
    }

    @Test
    void aLimitAndAFilterHoldForScansAndRanges() throws IOException {
        for (String kind : List.of("hash", "range")) {
            String table = "limited-" + kind;
            done("table", "create", table, "--kind", kind);
            for (int k = 0; k < 5; k++) {
                done("put", table, "k" + k, k % 2 == 0 ? "even" : "odd");
            }
            assertThat(done("scan", table, "--limit", "2").out().lines()).hasSize(2);
            assertThat(done("scan", table, "--limit", "0").out()).isEmpty();
            assertThat(done("scan", table, "--limit", "2", "--where", "value = 'odd'")
                            .out()
                            .lines())
                    .hasSize(2)
                    .allMatch(line -> line.endsWith("odd"));
            assertThat(done("scan", table, "--limit", "2", "--count").out()).isEqualTo("2\n");
            assertThat(json("scan", table, "--limit", "3").get("count").intValue())
                    .isEqualTo(3);
        }
        assertThat(done("range", "limited-range", "k1", "--where", "value = 'even'", "--reverse", "--limit", "1")
                        .out())
                .isEqualTo("k4\teven\n");
        assertThat(done("range", "limited-range", "--where", "value = 'odd'", "--count")
                        .out())
                .isEqualTo("2\n");
    }

    @Test
    void aPersonIsAskedBeforeRecordsAreDestroyed() {
        done("table", "create", "asked");
        String[] drop = {"--connect", cluster.address(), "table", "drop", "asked"};
        for (String answer : List.of("n\n", "\n", "", "yeah\n")) {
            Sdds kept = Sdds.typed(answer, drop);
            assertThat(kept.exitCode()).isEqualTo(1);
            assertThat(kept.err())
                    .contains("Drop table asked with its 0 records? [y/N]")
                    .contains("was not dropped");
        }
        done("table", "describe", "asked");
        Sdds dropped = Sdds.typed("yes\n", drop);
        assertThat(dropped.exitCode()).as(dropped.err()).isZero();
        Sdds gone = Sdds.typed("y\n", drop);
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.err()).contains("no table 'asked'").doesNotContain("[y/N]");
        String[] accept = {"--connect", cluster.address(), "table", "accept-loss", "asked"};
        assertThat(Sdds.typed("n\n", accept).err()).contains("Give up").contains("no records were given up");
    }

    @Test
    void nobodyIsAskedWithoutATerminalOrWithYes() {
        for (String[] drop : new String[][] {{"table", "drop", "told"}, {"table", "drop", "told", "--yes"}}) {
            done("table", "create", "told");
            assertThat(done(drop).err()).isEmpty();
        }
        done("table", "create", "told");
        Sdds yes = Sdds.typed("", "--connect", cluster.address(), "table", "drop", "told", "--yes");
        assertThat(yes.exitCode()).as(yes.err()).isZero();
        done("table", "create", "told");
        Sdds json = Sdds.typed("", "--connect", cluster.address(), "table", "drop", "told", "--json");
        assertThat(json.exitCode()).as(json.err()).isZero();
    }

    @Test
    void moreCopiesThanBricksAreNotEnoughBricks() {
        Sdds run = sdds("table", "create", "copies", "--replicas", "3");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("sdds table create: not enough bricks: there are 2, and 3 copies");
    }

    @Test
    void aTableWithParityNeedsABrickForEachPartitionOfAGroup() {
        Sdds run = sdds("table", "create", "parities", "--parity", "4,2");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("sdds table create: not enough bricks: there are 2, and parity 4,2 needs 6; start 4 more,"
                        + " or choose another --parity\n");
    }

    @Test
    void manyRefusedLinesAreCounted() throws IOException {
        done("table", "create", "many-refused");
        Path file = directory.resolve("refused.tsv");
        Files.writeString(file, "no tab\n".repeat(100_000) + "a\t1\n");
        Sdds run = sdds("load", "many-refused", file.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(21).contains(file + ":20: no tab, expected KEY TAB VALUE");
        assertThat(run.err()).endsWith(file + ": 99,980 more lines refused: no tab, expected KEY TAB VALUE\n");
        assertThat(run.out()).startsWith("loaded 1 record into").contains("refused 100,000 lines");
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
                        file + ":2: no tab, expected KEY TAB VALUE", file + ":4: key of 0 bytes: a key has 1 to 65535");
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
