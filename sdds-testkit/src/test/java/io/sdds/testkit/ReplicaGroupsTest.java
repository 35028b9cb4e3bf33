package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tables of replica groups on real processes' nodes, sockets and clocks. */
class ReplicaGroupsTest {
    private static final int RECORDS = 300;

    private static HashTable<String, String> table(SddsClient client, TableOptions options) {
        return client.createHashTable("t", options.withPartitions(4), Codec.utf8(), Codec.utf8());
    }

    @Test
    void aBrickThatDiesTakesNothingWithItAndAnotherGetsItsCopies() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            HashTable<String, String> table = table(cluster.client(), TableOptions.replicas(2));
            for (int k = 0; k < RECORDS; k++) {
                table.put("k" + k, "v" + k);
            }
            cluster.kill(1);
            table.put("after", "the first");
            awaitCopies(cluster, 2);
            cluster.kill(2);
            for (int k = 0; k < RECORDS; k++) {
                assertThat(table.get("k" + k)).isEqualTo("v" + k);
            }
            assertThat(table.get("after")).isEqualTo("the first");
            assertThat(table.putIfAbsent("k1", "another")).isFalse();
        }
    }

    @Test
    void aBrickThatComesBackEmptyIsGivenCopiesAgain() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table = table(cluster.client(), TableOptions.replicas(2));
            table.put("a", "b");
            cluster.kill(2);
            table.put("c", "d");
            cluster.startBrick(2);
            awaitCopies(cluster, 2);
            cluster.kill(1);
            assertThat(table.get("a")).isEqualTo("b");
            assertThat(table.get("c")).isEqualTo("d");
        }
    }

    @Test
    void writesAreRefusedBelowTheCopiesThatATableAsksFor() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table =
                    table(cluster.client(), TableOptions.replicas(2).withMinCopies(2));
            table.put("a", "b");
            cluster.kill(2);
            HashTable<String, String> hasty =
                    cluster.client().withTimeout(Duration.ofSeconds(3)).hashTable("t", Codec.utf8(), Codec.utf8());
            assertThatThrownBy(() -> hasty.put("a", "c")).isInstanceOf(SddsException.class);
            assertThat(table.get("a")).isIn("b", "c");
            cluster.startBrick(2);
            awaitCopies(cluster, 2);
            table.put("a", "d");
            assertThat(table.get("a")).isEqualTo("d");
        }
    }

    @Test
    void moreReplicasThanBricksAreRefusedWithTheReason() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            SddsClient client = cluster.client().withTimeout(Duration.ofSeconds(1));
            assertThatThrownBy(() -> table(client, TableOptions.replicas(3)))
                    .isInstanceOf(SddsException.class)
                    .hasMessageContaining("3 replicas need as many bricks, and 2 are up");
        }
    }

    /** Until every partition has so many copies, and none is on its way. */
    private static void awaitCopies(EmbeddedCluster cluster, int copies) {
        org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            var status = cluster.client().status(true);
            return status.joins().isEmpty()
                    && status.partitions().stream()
                            .allMatch(partition -> partition.backups().size() + 1 == copies);
        });
    }
}
