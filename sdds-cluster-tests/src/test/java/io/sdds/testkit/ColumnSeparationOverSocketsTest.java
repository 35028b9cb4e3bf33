package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Columns that share a brick, because too few bricks were up, move apart when bricks are back, on real processes'
 * nodes, sockets and clocks.
 */
class ColumnSeparationOverSocketsTest {
    private static final int RECORDS = 800;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void eightGroupsOnFiveBricksCanLoseABrickAgainWhenTheLostOneIsBack() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(5)) {
            HashTable<String, String> table = create(cluster);
            loseAndRepair(cluster, 3);
            assertThat(health(cluster).canLose()).isZero();
            assertThat(health(cluster).columnsToSeparate()).isPositive();
            cluster.startBrick(3);
            awaitApart(cluster);
            cluster.kill(1);
            assertHas(table);
        }
    }

    @Test
    void theDeathOfABrickLosesNothingAfterTwoWereLostInTurnAndAreBack() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(6)) {
            HashTable<String, String> table = create(cluster);
            loseAndRepair(cluster, 1);
            loseAndRepair(cluster, 2);
            cluster.startBrick(1);
            cluster.startBrick(2);
            awaitApart(cluster);
            cluster.kill(4);
            assertHas(table);
        }
    }

    private static HashTable<String, String> create(EmbeddedCluster cluster) {
        HashTable<String, String> table = cluster.client()
                .createHashTable("t", TableOptions.parity(4, 1).withPartitions(32), Codec.utf8(), Codec.utf8());
        for (int k = 0; k < RECORDS; k++) {
            table.put("k" + k, "v" + k);
        }
        return table;
    }

    private static void assertHas(HashTable<String, String> table) {
        for (int k = 0; k < RECORDS; k++) {
            assertThat(table.get("k" + k)).isEqualTo("v" + k);
        }
    }

    private static TableInfo.Health health(EmbeddedCluster cluster) {
        return cluster.client().status(false).tables().getFirst().health();
    }

    /** Kills a brick and waits until each column has a brick with all its records again, and no repair is under way. */
    private static void loseAndRepair(EmbeddedCluster cluster, int number) {
        cluster.kill(number);
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            ClusterStatus status = cluster.client().status(true);
            assertThat(status.partitions())
                    .noneMatch(partition -> partition.brick().equals("b" + number));
            assertThat(status.partitions()).noneMatch(ColumnSeparationOverSocketsTest::isLedByParity);
            assertThat(status.repairs()).isEmpty();
            assertThat(health(cluster).filling()).isZero();
        });
    }

    private static boolean isLedByParity(PartitionStatus partition) {
        return partition.parities().contains(partition.brick());
    }

    /** Waits until the table can lose a brick, and looks whether the members of each group are on different bricks. */
    private static void awaitApart(EmbeddedCluster cluster) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(health(cluster)).isEqualTo(new TableInfo.Health(1, 0, 0, 0, false)));
        Map<Integer, List<String>> groups = new TreeMap<>();
        for (PartitionStatus partition : cluster.client().status(true).partitions()) {
            groups.computeIfAbsent(partition.partition() / 4, group -> new ArrayList<>(partition.parities()))
                    .add(partition.brick());
        }
        assertThat(groups.values())
                .hasSize(8)
                .allSatisfy(bricks -> assertThat(bricks).hasSize(5).doesNotHaveDuplicates());
    }
}
