package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Applications that begin very many operations at once, in new tables, over real sockets. Bricks refuse many of the
 * requests. No operation may fail.
 */
class BurstsTest {
    /** The load of the machine must not make operations late. */
    private static final ClientSettings PATIENT =
            ClientSettings.builder().timeout(Duration.ofSeconds(60)).build();

    @Test
    void noneIsLostOfOneThreadThatWaitsForNone() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3);
                SddsClient client = SddsClient.connect(List.of(cluster.address()), PATIENT)) {
            burst(hash(client, "copies", TableOptions.replicas(2)), 3_000, 2_000);
            burst(hash(client, "large", TableOptions.replicas(2)), 400, 20_000);
            burst(hash(client, "splits", TableOptions.capacity(3_000)), 20_000, 150);
            burst(hash(client, "parity", TableOptions.parity(2, 1)), 3_000, 2_000);
            burst(
                    client.createRangeTable("range", TableOptions.capacity(3_000), Codec.int64(), Codec.bytes()),
                    10_000,
                    150);
        }
    }

    private static Table<Long, byte[]> hash(SddsClient client, String name, TableOptions options) {
        return client.createHashTable(name, options, Codec.int64(), Codec.bytes());
    }

    private static void burst(Table<Long, byte[]> table, int operations, int valueBytes) {
        byte[] value = new byte[valueBytes];
        assertThat(failures(operations, k -> table.putAsync((long) k, value)))
                .as("puts into %s", table.name())
                .isEmpty();
        assertThat(failures(operations, k -> table.getAsync((long) k)))
                .as("gets from %s", table.name())
                .isEmpty();
        assertThat(table.size()).isEqualTo(operations);
    }

    private static List<Throwable> failures(int operations, IntFunction<CompletableFuture<?>> operation) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int k = 0; k < operations; k++) {
            all.add(operation.apply(k));
        }
        List<Throwable> failures = new ArrayList<>();
        all.forEach(each -> each.handle((result, failure) -> failure == null || failures.add(failure))
                .join());
        return failures;
    }

    @Test
    void noneIsLostOfTenThousandVirtualThreadsThatBlock() throws InterruptedException {
        int threads = 10_000;
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch ended = new CountDownLatch(threads);
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3);
                SddsClient client = SddsClient.connect(List.of(cluster.address()), PATIENT)) {
            Table<Long, byte[]> table = hash(client, "t", TableOptions.replicas(2));
            for (long key = 0; key < threads; key++) {
                long own = key;
                Thread.startVirtualThread(() -> {
                    try {
                        table.put(own, new byte[500]);
                        table.get(own);
                    } catch (RuntimeException e) {
                        failures.add(e);
                    }
                    ended.countDown();
                });
            }
            ended.await();
            assertThat(failures).isEmpty();
            assertThat(table.size()).isEqualTo(threads);
        }
    }
}
