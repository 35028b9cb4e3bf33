package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Values of megabytes beside small ones in tables whose records expire, over sockets. */
class LargeValuesTest {
    private static final long MEMORY_BYTES = 192L << 20;
    private static final int LARGE = 12;
    private static final int LARGE_BYTES = 4 << 20;
    private static final int SMALL_BESIDE_EACH = 100;

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aTableWithParityThatExpiresTakesLargeValuesBesideSmallOnesAndSplits() {
        TableOptions options =
                TableOptions.parity(2, 1).withCapacityBytes(4L * LARGE_BYTES).withTimeToLive(Duration.ofHours(1));
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4, MEMORY_BYTES)) {
            HashTable<String, byte[]> table =
                    cluster.client().createHashTable("t", options, Codec.utf8(), Codec.bytes());
            int partitions = cluster.client().status(true).partitions().size();
            List<CompletableFuture<Void>> puts = new ArrayList<>();
            for (int k = 0; k < LARGE; k++) {
                for (int s = 0; s < SMALL_BESIDE_EACH; s++) {
                    puts.add(table.putAsync("small" + k + "-" + s, new byte[10]));
                }
                table.put("large" + k, new byte[LARGE_BYTES]);
            }
            assertThat(puts).allSatisfy(CompletableFuture::join);
            awaitSplit(cluster, partitions);
            for (int k = 0; k < LARGE; k++) {
                assertThat(table.get("large" + k)).hasSize(LARGE_BYTES);
            }
            assertThat(table.size()).isEqualTo(LARGE * (1 + SMALL_BESIDE_EACH));
        }
    }

    private static void awaitSplit(EmbeddedCluster cluster, int before) {
        Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
            ClusterStatus status = cluster.client().status(true);
            assertThat(status.partitions()).hasSizeGreaterThan(before);
            assertThat(status.splits()).isEmpty();
        });
    }
}
