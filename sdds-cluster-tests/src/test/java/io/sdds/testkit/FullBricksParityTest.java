package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.MemoryFullException;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Parity groups that lack a member while the only brick outside the group is full, over sockets. */
class FullBricksParityTest {
    private static final long MEMORY_BYTES = 16L << 20;
    private static final int VALUE_BYTES = 16 << 10;
    private static final int PARTITIONS = 2;

    /** So many that no brick has room for two columns. */
    private static final int RECORDS = 1100;

    /** Longer than a fail-over and a spare's patience without memory. */
    private static final Duration WATCHED = Duration.ofSeconds(4);

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void healthyPartitionsTakePutsWhileTheirParityHasNoRoom() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4, MEMORY_BYTES)) {
            HashTable<String, byte[]> table = besideFullBrick(cluster);
            int records = fill(table, RECORDS);
            cluster.kill(number(partitions(cluster).get(0).parities().get(0)));
            watch(k -> table.put("k" + k % records, new byte[VALUE_BYTES]));
            assertHasAll(table, records);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aLostColumnIsReadWhileNoSpareHasRoomAndRecoversWhenOneHas() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4, MEMORY_BYTES)) {
            HashTable<String, byte[]> table = besideFullBrick(cluster);
            int records = fill(table, RECORDS);
            String lost = partitions(cluster).get(0).brick();
            cluster.kill(number(lost));
            watch(k -> assertThat(table.get("k" + k % records)).hasSize(VALUE_BYTES));
            assertThat(partitions(cluster)).noneMatch(PartitionStatus::lost);
            cluster.client().dropTable("ballast");
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                ClusterStatus status = cluster.client().status(true);
                assertThat(status.repairs()).isEmpty();
                assertThat(partitions(cluster)).noneMatch(p -> p.brick().equals(lost));
            });
            assertHasAll(table, records);
        }
    }

    /** Creates a table whose group is on three bricks, after the fourth one has been filled by another table. */
    private static HashTable<String, byte[]> besideFullBrick(EmbeddedCluster cluster) {
        fill(table(cluster, "ballast", TableOptions.defaults()), Integer.MAX_VALUE);
        HashTable<String, byte[]> table =
                table(cluster, "t", TableOptions.parity(2, 1).withPartitions(PARTITIONS));
        PartitionStatus ballast = cluster.client().status(true).partitions().get(0);
        assertThat(ballast.parities()).isEmpty();
        assertThat(partitions(cluster))
                .hasSize(PARTITIONS)
                .noneMatch(
                        p -> p.brick().equals(ballast.brick()) || p.parities().contains(ballast.brick()));
        return table;
    }

    /** Runs steps for a while, and fails at the first step that fails. */
    private static void watch(IntConsumer step) {
        AtomicInteger number = new AtomicInteger();
        Awaitility.await()
                .during(WATCHED)
                .atMost(WATCHED.multipliedBy(10))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    step.accept(number.getAndIncrement());
                    return true;
                });
    }

    private static HashTable<String, byte[]> table(EmbeddedCluster cluster, String name, TableOptions options) {
        return cluster.client().createHashTable(name, options, Codec.utf8(), Codec.bytes());
    }

    /** Puts records until a brick is full, so many at most. Returns how many records were put. */
    private static int fill(HashTable<String, byte[]> table, int most) {
        for (int k = 0; k < most; k++) {
            try {
                table.put("k" + k, new byte[VALUE_BYTES]);
            } catch (MemoryFullException e) {
                return k;
            }
        }
        return most;
    }

    private static void assertHasAll(HashTable<String, byte[]> table, int records) {
        for (int k = 0; k < records; k++) {
            assertThat(table.get("k" + k)).hasSize(VALUE_BYTES);
        }
    }

    private static List<PartitionStatus> partitions(EmbeddedCluster cluster) {
        return cluster.client().status(true).partitions().stream()
                .filter(partition -> !partition.parities().isEmpty())
                .toList();
    }

    private static int number(String brick) {
        return Integer.parseInt(brick.substring(1));
    }
}
