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
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are converted from parity to replicas and back under writes, by whole nodes on sockets. */
class TableToReplicasTest {
    private static final int BRICKS = 6;
    private static final int WRITTEN = 500;
    private static final int RESTING = 5_000;
    private static final int VALUE_BYTES_MAX = 100;
    private static final Parity PARITY = new Parity(2, 1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTableBecomesOneWithReplicasAndOneWithParityAgain_andNoWriteIsRefusedOrLost(int replicas) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(BRICKS)) {
            TableOptions options = TableOptions.defaults().withParity(PARITY).withPartitions(5);
            HashTable<String, String> table =
                    cluster.client().createHashTable("t", options, Codec.utf8(), Codec.utf8());
            Map<String, String> resting = new TreeMap<>();
            for (int k = 0; k < RESTING; k++) {
                resting.put("x" + k, "x".repeat(k % VALUE_BYTES_MAX));
            }
            table.putAll(resting);
            RoundWriter writer = new RoundWriter(table, WRITTEN);
            cluster.client().alterReplicas("t", replicas);
            await(
                    cluster,
                    known ->
                            known.options().parity().isNone() && known.options().replicas() == replicas);
            check(table, resting);
            cluster.client().alterParity("t", PARITY);
            await(
                    cluster,
                    known -> known.options().replicas() == 1
                            && known.health().missingParities() == 0
                            && known.health().canLose() == 1);
            String last = writer.end();
            cluster.kill(1);
            check(table, resting);
            List<String> written =
                    IntStream.range(0, WRITTEN).mapToObj(k -> "k" + k).toList();
            assertThat(table.getAll(written))
                    .hasSize(WRITTEN)
                    .allSatisfy((key, value) -> assertThat(value).as(key).isEqualTo(last));
        }
    }

    private static void check(HashTable<String, String> table, Map<String, String> resting) {
        assertThat(table.getAll(resting.keySet())).containsExactlyInAnyOrderEntriesOf(resting);
    }

    private static void await(EmbeddedCluster cluster, Predicate<TableInfo> wanted) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            TableInfo known = cluster.client().tables().getFirst();
            assertThat(known).matches(wanted);
        });
    }
}
