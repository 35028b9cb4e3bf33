package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tables with parity groups on real processes' nodes, sockets and clocks. */
class ParityGroupsTest {
    private static final int RECORDS = 500;

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHashTableWithParityTakesEachKindOfWrite() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            HashTable<String, String> table = table(cluster.client(), "t", 2);
            for (int k = 0; k < RECORDS; k++) {
                table.put("k" + k, "v" + k);
            }
            for (int k = 0; k < RECORDS; k += 2) {
                assertThat(table.remove("k" + k)).isTrue();
                table.put("k" + (k + 1), "longer".repeat(k));
            }
            assertThat(table.putIfAbsent("k1", "another")).isFalse();
            assertThat(table.increment("counter", 7)).isEqualTo(7);
            assertThat(table.increment("counter", 7)).isEqualTo(14);
            assertThat(table.size()).isEqualTo(RECORDS / 2 + 1);
            assertThat(table.get("k11")).isEqualTo("longer".repeat(10));
            assertThat(table.get("k10")).isNull();
            table.clear();
            assertThat(table.size()).isZero();
            table.put("k10", "after the clear");
            assertThat(table.get("k10")).isEqualTo("after the clear");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void recordsOfATableWithParityExpire() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4, 64L << 20, 2)) {
            HashTable<String, String> table = table(cluster.client(), "t", 5);
            table.put("stays", "v");
            for (int k = 0; k < RECORDS; k++) {
                table.put("k" + k, "v" + k, Duration.ofMillis(100));
            }
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> table.size() == 1);
            table.put("k7", "again");
            assertThat(table.get("k7")).isEqualTo("again");
            assertThat(table.get("stays")).isEqualTo("v");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aRangeTableWithParityTakesWritesAndIsCleared() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            RangeTable<String, String> table =
                    cluster.client().createRangeTable("r", TableOptions.parity(2, 1), Codec.utf8(), Codec.utf8());
            for (int k = 0; k < RECORDS; k++) {
                table.put("k" + k, "v" + k);
            }
            assertThat(table.remove("k5")).isTrue();
            assertThat(table.size()).isEqualTo(RECORDS - 1);
            table.clear();
            assertThat(table.size()).isZero();
        }
    }

    private static HashTable<String, String> table(SddsClient client, String name, int partitions) {
        return client.createHashTable(
                name, TableOptions.parity(2, 1).withPartitions(partitions), Codec.utf8(), Codec.utf8());
    }
}
