package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tables with parity groups that grow, on real processes' nodes, sockets and clocks. */
class ParityGrowthTest {
    private static final int RECORDS = 900;
    private static final int CAPACITY = 60;

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHashTableSplitsAndLosesABrickAndNoRecord() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(7)) {
            HashTable<String, String> table = cluster.client()
                    .createHashTable(
                            "t", TableOptions.parity(2, 1).withCapacityRecords(CAPACITY), Codec.utf8(), Codec.utf8());
            for (int k = 0; k < RECORDS; k++) {
                table.put("k" + k, "v" + k);
            }
            awaitPartitions(cluster, RECORDS / CAPACITY);
            assertHas(table);
            assertThat(table.size()).isEqualTo(RECORDS);
            cluster.kill(1);
            assertHas(table);
            table.put("k7", "v7");
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> table.size() == RECORDS);
            assertHas(table);
        }
    }

    private static void awaitPartitions(EmbeddedCluster cluster, int atLeast) {
        Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
            ClusterStatus status = cluster.client().status(true);
            assertThat(status.partitions()).hasSizeGreaterThanOrEqualTo(atLeast);
            assertThat(status.splits()).isEmpty();
        });
    }

    private static void assertHas(HashTable<String, String> table) {
        for (int k = 0; k < RECORDS; k++) {
            assertThat(table.get("k" + k)).isEqualTo("v" + k);
        }
    }
}
