package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Parity;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tables whose number of parities changes under writes, on real processes' nodes, sockets and clocks. */
class ParityAlterationTest {
    private static final int RECORDS = 500;
    private static final int LONG_VALUE_BYTES = 8192;

    /** Parity groups of the table that is lowered. */
    private static final int GROUPS = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @Test
    void aTableThatIsRaisedUnderWritesLosesTwoBricksAndNoRecord() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(6)) {
            HashTable<String, String> table = cluster.client()
                    .createHashTable("t", TableOptions.parity(2, 1).withPartitions(4), Codec.utf8(), Codec.utf8());
            RoundWriter writer = new RoundWriter(table, RECORDS);
            cluster.client().alterParity("t", new Parity(2, 2));
            awaitTolerance(cluster, 2);
            assertThat(info(cluster).options().parity()).isEqualTo(new Parity(2, 2));
            String last = writer.end();
            cluster.kill(1);
            cluster.kill(2);
            assertHas(table, last);
            table.put("k0", "after");
            assertThat(table.get("k0")).isEqualTo("after");
        }
    }

    @Test
    void aTableThatIsLoweredUnderWritesGivesUpParitiesAndLosesNothing() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(6)) {
            HashTable<String, byte[]> table = cluster.client()
                    .createHashTable("t", TableOptions.parity(2, 2).withPartitions(4), Codec.utf8(), Codec.bytes());
            for (int k = 0; k < RECORDS; k++) {
                table.put("k" + k, new byte[LONG_VALUE_BYTES]);
            }
            int withTwo = partitionsHeld(cluster);
            CompletableFuture<Void> writes = CompletableFuture.runAsync(() -> {
                for (int k = 0; k < RECORDS; k++) {
                    table.put("k" + k, new byte[LONG_VALUE_BYTES]);
                }
            });
            cluster.client().alterParity("t", new Parity(2, 1));
            writes.join();
            awaitTolerance(cluster, 1);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(partitionsHeld(cluster)).isEqualTo(withTwo - GROUPS));
            cluster.kill(1);
            for (int k = 0; k < RECORDS; k++) {
                assertThat(table.get("k" + k)).hasSize(LONG_VALUE_BYTES);
            }
        }
    }

    /** The number of partitions and parities that the bricks hold. */
    private static int partitionsHeld(EmbeddedCluster cluster) {
        return cluster.client().status(false).bricks().stream()
                .mapToInt(ClusterStatus.BrickStatus::partitions)
                .sum();
    }

    private static TableInfo info(EmbeddedCluster cluster) {
        return cluster.client().tables().getFirst();
    }

    private static void awaitTolerance(EmbeddedCluster cluster, int bricks) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            TableInfo.Health health = info(cluster).health();
            assertThat(health.missingParities()).isZero();
            assertThat(health.canLose()).isEqualTo(bricks);
        });
    }

    private static void assertHas(HashTable<String, String> table, String value) {
        for (int k = 0; k < RECORDS; k++) {
            assertThat(table.get("k" + k)).as("k%s", k).isEqualTo(value);
        }
    }
}
