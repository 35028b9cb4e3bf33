package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Parity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are converted to parity under writes, by whole nodes on sockets. */
class ConvertedTableTest {
    private static final int BRICKS = 6;
    private static final int WRITTEN = 500;
    private static final int RESTING = 5_000;
    private static final int VALUE_BYTES_MAX = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTableThatIsConvertedUnderWritesLosesABrickAndNoRecord(int replicas) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(BRICKS)) {
            TableOptions options =
                    TableOptions.defaults().withReplicas(replicas).withPartitions(5);
            HashTable<String, String> table =
                    cluster.client().createHashTable("t", options, Codec.utf8(), Codec.utf8());
            Map<String, String> resting = new TreeMap<>();
            for (int k = 0; k < RESTING; k++) {
                resting.put("x" + k, "x".repeat(k % VALUE_BYTES_MAX));
            }
            table.putAll(resting);
            RoundWriter writer = new RoundWriter(table, WRITTEN);
            cluster.client().alterParity("t", new Parity(2, 1));
            awaitConverted(cluster);
            String last = writer.end();
            cluster.kill(1);
            assertThat(table.getAll(resting.keySet())).containsExactlyInAnyOrderEntriesOf(resting);
            List<String> written =
                    IntStream.range(0, WRITTEN).mapToObj(k -> "k" + k).toList();
            assertThat(table.getAll(written))
                    .hasSize(WRITTEN)
                    .allSatisfy((key, value) -> assertThat(value).as(key).isEqualTo(last));
            table.put("k0", "after");
            assertThat(table.get("k0")).isEqualTo("after");
        }
    }

    private static void awaitConverted(EmbeddedCluster cluster) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            TableInfo table = cluster.client().tables().getFirst();
            assertThat(table.options().replicas()).isEqualTo(1);
            assertThat(table.health().missingParities()).isZero();
            assertThat(table.health().canLose()).isEqualTo(1);
        });
    }
}
