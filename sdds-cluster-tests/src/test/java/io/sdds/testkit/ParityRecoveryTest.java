package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tables with parity groups whose bricks die, on real processes' nodes, sockets and clocks. */
class ParityRecoveryTest {
    private static final int RECORDS = 200;

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHashTableLosesOneBrickAfterTheOtherAndNoRecord() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(6)) {
            HashTable<String, String> table = cluster.client()
                    .createHashTable("t", TableOptions.parity(2, 1).withPartitions(4), Codec.utf8(), Codec.utf8());
            write(table, "v");
            cluster.kill(1);
            assertHas(table, "v");
            write(table, "w");
            awaitRepaired(cluster, "b1");
            assertThat(table.size()).isEqualTo(RECORDS);
            cluster.kill(2);
            write(table, "x");
            assertHas(table, "x");
            awaitRepaired(cluster, "b1", "b2");
            assertThat(table.size()).isEqualTo(RECORDS);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aRangeTableWithTwoParitiesLosesTwoBricksAtOnceAndNoRecord() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(7, 64L << 20, 2)) {
            RangeTable<String, String> table =
                    cluster.client().createRangeTable("r", TableOptions.parity(2, 2), Codec.utf8(), Codec.utf8());
            write(table, "v");
            cluster.kill(1);
            cluster.kill(2);
            write(table, "w");
            assertHas(table, "w");
            awaitRepaired(cluster, "b1", "b2");
            assertThat(table.size()).isEqualTo(RECORDS);
        }
    }

    private static void write(Table<String, String> table, String value) {
        for (int k = 0; k < RECORDS; k++) {
            table.put("k" + k, value + k);
        }
    }

    private static void assertHas(Table<String, String> table, String value) {
        for (int k = 0; k < RECORDS; k++) {
            assertThat(table.get("k" + k)).isEqualTo(value + k);
        }
    }

    /** Waits until no partition or parity is missing, or with a brick that was killed. */
    private static void awaitRepaired(EmbeddedCluster cluster, String... killed) {
        List<String> dead = List.of(killed);
        Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
            ClusterStatus status = cluster.client().status(true);
            assertThat(status.splits()).isEmpty();
            assertThat(status.joins()).isEmpty();
            assertThat(status.partitions()).allMatch(partition -> isWhole(partition, dead));
        });
    }

    private static boolean isWhole(PartitionStatus partition, List<String> dead) {
        return !partition.lost()
                && !dead.contains(partition.brick())
                && !partition.parities().contains(partition.brick())
                && partition.parities().stream().noneMatch(brick -> brick.isEmpty() || dead.contains(brick));
    }
}
