package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Range tables on processes, by the commands that users have. */
class RangeIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int RECORDS = 20_000;
    private static final int CAPACITY = 1000;
    private static final int KEY_BYTES_MAX = 65_535;

    @TempDir
    private static Path directory;

    private static UpProcess up;

    @BeforeAll
    static void startCluster() throws IOException {
        up = UpProcess.start(directory.resolve("cluster"), 3);
        List<String> shuffled = new ArrayList<>(lines());
        Collections.shuffle(shuffled, new Random(5));
        Path file = Files.write(directory.resolve("records.tsv"), shuffled);
        up.run("table", "create", "ordered", "--kind", "range", "--capacity", "" + CAPACITY)
                .ok();
        JsonNode loaded =
                up.run("load", "ordered", file.toString(), "--json").ok().json();
        assertThat(loaded.get("loaded").intValue()).isEqualTo(RECORDS);
    }

    @AfterAll
    static void stopCluster() {
        up.close();
        up.awaitNoProcess();
    }

    private static String line(int number) {
        return "key-%05d\tvalue of %d".formatted(number, number);
    }

    /** All of them, in order. */
    private static List<String> lines() {
        return IntStream.range(0, RECORDS).mapToObj(RangeIT::line).toList();
    }

    private static List<String> range(String... args) {
        List<String> all = new ArrayList<>(List.of("range", "ordered"));
        all.addAll(List.of(args));
        return up.run(all.toArray(String[]::new)).ok().out().lines().toList();
    }

    private static List<String> lines(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(RangeIT::line).toList();
    }

    private static List<String> reversed(List<String> lines) {
        List<String> reversed = new ArrayList<>(lines);
        Collections.reverse(reversed);
        return reversed;
    }

    @Test
    void aLoadedTableIsSpreadOverTheBricksAndItsSpansTileAllKeys() {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode table =
                    up.run("table", "describe", "ordered", "--json").ok().json();
            assertThat(table.get("records").intValue()).isEqualTo(RECORDS);
            TreeSet<String> bricks = new TreeSet<>();
            String reached = null;
            for (JsonNode partition : table.get("partitions")) {
                bricks.add(partition.get("brick").textValue());
                assertThat(partition.get("above").textValue()).isEqualTo(reached);
                assertThat(partition.get("records").intValue()).isLessThan(CAPACITY);
                reached = partition.get("up_to").textValue();
            }
            assertThat(reached).isNull();
            assertThat(table.get("partitions").size()).isGreaterThan(RECORDS / CAPACITY);
            assertThat(bricks).containsExactly("b1", "b2", "b3");
        });
        assertThat(up.run("dump", "ordered").ok().out().lines().toList()).isEqualTo(lines());
        assertThat(up.count("ordered")).isEqualTo(RECORDS);
    }

    @Test
    void rangesComeInOrderForwardsAndBackwards() {
        assertThat(range("key-00500", "key-03499")).isEqualTo(lines(500, 3499));
        assertThat(range("key-00500", "key-03499", "--reverse")).isEqualTo(reversed(lines(500, 3499)));
        assertThat(range("key-19995")).isEqualTo(lines(19_995, RECORDS - 1));
        assertThat(range("--limit", "3")).isEqualTo(lines(0, 2));
        assertThat(range("--reverse", "--limit", "2")).isEqualTo(reversed(lines(19_998, 19_999)));
        assertThat(range("--prefix", "key-123")).isEqualTo(lines(12_300, 12_399));
        assertThat(range("key-123", "key-12301x")).isEqualTo(lines(12_300, 12_301));
        assertThat(range("a", "b")).isEmpty();
        assertThat(range("key-00500", "key-03499", "--count")).containsExactly("3000");
        JsonNode document = up.run("range", "ordered", "--prefix", "key-0000", "--reverse", "--json")
                .ok()
                .json();
        assertThat(document.get("count").intValue()).isEqualTo(10);
        assertThat(document.get("records").get(0).get("key").textValue()).isEqualTo("key-00009");
    }

    @Test
    void reversedBoundsAreRefusedWithOneLine() {
        SddsProcess.Ended refused = up.run("range", "ordered", "b", "a");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .isEqualToIgnoringNewLines(
                        "sdds range: FROM 'b' is above TO 'a'; --reverse turns the order, not the bounds");
    }

    @Test
    void rangesOfAHashTableAreRefusedWithOneLine() {
        up.run("table", "create", "hashed").ok();
        SddsProcess.Ended refused = up.run("range", "hashed");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err().lines()).hasSize(1).first().asString().contains("table 'hashed' is a hash table");
    }

    @Test
    @Tag("soak")
    void keysAtTheLimitsAreInTheirPlaces() {
        up.run("table", "create", "limits", "--kind", "range").ok();
        List<String> keys = List.of(
                "00", "00".repeat(KEY_BYTES_MAX), "0000000001", "7f".repeat(KEY_BYTES_MAX), "ff", "ff".repeat(100));
        for (String key : reversed(keys)) {
            up.run("put", "limits", key, "ab", "--hex").ok();
        }
        assertThat(keysOf("limits")).isEqualTo(keys);
        assertThat(keysOf("limits", "00", "00")).containsExactly("00");
        assertThat(keysOf("limits", "--prefix", "ff")).containsExactly("ff", "ff".repeat(100));
        assertThat(up.run("put", "limits", "z".repeat(KEY_BYTES_MAX + 1), "v")
                        .err()
                        .lines())
                .containsExactly("sdds put: key of 65536 bytes: a key has 1 to 65535");
        assertThat(up.run("put", "limits", "", "v").err().lines())
                .containsExactly("sdds put: key of 0 bytes: a key has 1 to 65535");
        up.run("delete", "limits", "00", "--hex").ok();
        assertThat(up.run("get", "limits", "00", "--hex").exitCode()).isEqualTo(1);
        assertThat(up.count("limits")).isEqualTo(keys.size() - 1);
    }

    private static List<String> keysOf(String... args) {
        List<String> all = new ArrayList<>(List.of("range", "--hex"));
        all.addAll(List.of(args));
        return up.run(all.toArray(String[]::new))
                .ok()
                .out()
                .lines()
                .map(each -> each.substring(0, each.indexOf('\t')))
                .toList();
    }
}
