package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bricks join a cluster of processes, and copies move to them. */
@Order(1)
class RebalanceIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int PARTITIONS = 8;
    private static final int LOADED = 20_000;
    private static final int BATCH = 500;

    /** So that the partitions are neither full nor so empty that they merge. */
    private static final int CAPACITY = 5_000;

    @TempDir
    private Path directory;

    @Test
    void copiesMoveToBricksThatJoinUnderWritesAndNothingIsLost() throws InterruptedException {
        int port = SddsProcess.freePorts(5);
        try (UpProcess up = UpProcess.start(directory, 2, port);
                SddsClient client = SddsClient.connect(List.of(up.address()))) {
            HashTable<String, String> table = client.withTimeout(PATIENCE)
                    .createHashTable(
                            "t",
                            TableOptions.replicas(2).withPartitions(PARTITIONS).withCapacityRecords(CAPACITY),
                            Codec.utf8(),
                            Codec.utf8());
            load(table);
            assertThat(table.size()).isEqualTo(LOADED);
            Writer writer = new Writer(table);
            writer.awaitMore(500);
            try (SddsProcess third = brick(up, "b3", port + 3);
                    SddsProcess fourth = brick(up, "b4", port + 4)) {
                third.awaitOut("ready");
                fourth.awaitOut("ready");
                awaitSpread(client);
                writer.awaitMore(500);
                int written = writer.end();
                System.out.println(
                        "longest stall of " + written + " writes while copies moved: " + writer.longestStall());
                assertSpread(client.status(true));
                assertAllThere(table, written);

                // What was moved is whole: the bricks that came serve alone what those that were there had.
                SddsProcess.signal("KILL", up.pid("b1"));
                assertAllThere(table, written);
            }
        }
    }

    private static void load(HashTable<String, String> table) {
        for (int k = 0; k < LOADED; k += BATCH) {
            Map<String, String> batch = new TreeMap<>();
            for (int j = k; j < k + BATCH; j++) {
                batch.put("loaded-" + j, "value-" + j);
            }
            table.putAll(batch);
        }
    }

    private SddsProcess brick(UpProcess up, String id, int port) {
        return SddsProcess.start(
                "brick",
                "--id",
                id,
                "--listen",
                "127.0.0.1:" + port,
                "--coordinators",
                up.address(),
                "--dir",
                directory.resolve(id).toString(),
                "--memory",
                "256m");
    }

    private static void assertAllThere(HashTable<String, String> table, int written) {
        assertThat(table.size()).isEqualTo(LOADED + written);
        Writer.assertAreThere(table, "loaded-", IntStream.range(0, LOADED));
        Writer.assertAreThere(table, written);
    }

    /** Until no copy moves any more, and all bricks hold about the same. */
    private static void awaitSpread(SddsClient client) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            ClusterStatus status = client.status(true);
            Map<String, Integer> copies = copies(status);
            return status.joins().isEmpty()
                    && copies.values().stream().mapToInt(Integer::intValue).sum()
                            == 2 * status.partitions().size()
                    && copies.getOrDefault("b3", 0) >= 3
                    && copies.getOrDefault("b4", 0) >= 3;
        });
    }

    private static void assertSpread(ClusterStatus status) {
        assertThat(copies(status))
                .hasSize(4)
                .allSatisfy((brick, count) -> assertThat(count).as(brick).isGreaterThan(1));
    }

    private static Map<String, Integer> copies(ClusterStatus status) {
        Map<String, Integer> copies = new TreeMap<>();
        status.partitions().forEach(partition -> {
            copies.merge(partition.brick(), 1, Integer::sum);
            partition.backups().forEach(backup -> copies.merge(backup, 1, Integer::sum));
        });
        return copies;
    }
}
