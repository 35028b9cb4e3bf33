package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClientSettings;
import io.sdds.client.ClientStatistics;
import io.sdds.client.Codec;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Routing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * What {@link MulticastTest} runs in a network of its own: a cluster and clients with IP multicast over the loopback.
 */
final class MulticastRun {
    static final String ALL_RIGHT = "IP multicast does what it should";
    private static final String GROUP = "239.255.74.74:7474@lo";
    private static final String DEAF_GROUP = "239.255.74.75:7475@lo";
    private static final int RECORDS = 1000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private MulticastRun() {}

    public static void main(String[] args) {
        for (int stages = 1; stages <= 2; stages++) {
            try (EmbeddedCluster cluster = EmbeddedCluster.startMulticast(3, 64L << 20, stages, GROUP)) {
                multicast(cluster);
                imageAndMulticast(cluster);
                largeRequest(cluster);
                nobodyListens(cluster);
            }
        }
        System.out.println(ALL_RIGHT);
        System.exit(0);
    }

    private static SddsClient client(EmbeddedCluster cluster, Routing routing, String group) {
        return SddsClient.connect(
                List.of(cluster.address()),
                ClientSettings.builder()
                        .timeout(Duration.ofNanos(PATIENCE_NANOS))
                        .routing(routing)
                        .multicastGroup(group)
                        .build());
    }

    private static RangeTable<String, String> table(SddsClient client) {
        return client.rangeTable("ordered", Codec.utf8(), Codec.utf8());
    }

    private static String key(int number) {
        return "key-%06d".formatted(number * 7919 % RECORDS);
    }

    /** RP*N: the table grows over all bricks meanwhile. */
    private static void multicast(EmbeddedCluster cluster) {
        try (SddsClient client = client(cluster, Routing.MULTICAST, GROUP)) {
            TableOptions options = TableOptions.capacity(100).withRouting(Routing.MULTICAST);
            RangeTable<String, String> table = client.createRangeTable("ordered", options, Codec.utf8(), Codec.utf8());
            for (int from = 0; from < RECORDS; from += 100) {
                CompletableFuture.allOf(IntStream.range(from, from + 100)
                                .mapToObj(k -> table.putAsync(key(k), "v" + k))
                                .toArray(CompletableFuture[]::new))
                        .join();
            }
            for (int k = 0; k < RECORDS; k++) {
                assertThat(table.get(key(k))).isEqualTo("v" + k);
            }
            assertThat(table.increment("count", 1)).isEqualTo(1);
            assertThat(table.increment("count", 1)).as("a write runs once").isEqualTo(2);
            assertThat(table.remove("count")).isTrue();
            assertThat(table.range().count()).isEqualTo(RECORDS);
            assertThat(table.range().toList()).hasSize(RECORDS);
            ClientStatistics statistics = client.statistics();
            System.out.println(statistics);
            assertThat(statistics.datagrams()).isGreaterThan(RECORDS);
            assertThat(statistics.datagramsUnanswered()).isLessThan(statistics.datagrams() / 4);
        }
    }

    /** RP*C: only what the image does not know leaves as a datagram. */
    private static void imageAndMulticast(EmbeddedCluster cluster) {
        try (SddsClient client = client(cluster, Routing.IMAGE_MULTICAST, GROUP)) {
            for (int k = 0; k < RECORDS; k++) {
                assertThat(table(client).get(key(k))).isEqualTo("v" + k);
            }
            assertThat(client.statistics().multicasts()).isBetween(1L, 200L);
            assertThat(client.statistics().datagrams())
                    .isLessThanOrEqualTo(client.statistics().multicasts());
        }
    }

    private static void largeRequest(EmbeddedCluster cluster) {
        try (SddsClient client = client(cluster, Routing.MULTICAST, GROUP)) {
            RangeTable<String, String> table = table(client);
            table.put(key(1), "x".repeat(10_000));
            assertThat(table.get(key(1))).hasSize(10_000);
            table.put(key(1), "v1");
            long before = client.statistics().datagrams();
            table.put(key(2), "x".repeat(10_000));
            assertThat(client.statistics().datagrams()).isEqualTo(before);
            table.put(key(2), "v2");
        }
    }

    /** Datagrams that nobody hears are made good over the connections, and soon not sent any more. */
    private static void nobodyListens(EmbeddedCluster cluster) {
        try (SddsClient client = client(cluster, Routing.MULTICAST, DEAF_GROUP)) {
            for (int k = 0; k < 100; k++) {
                assertThat(table(client).get(key(k))).isEqualTo("v" + k);
            }
            ClientStatistics statistics = client.statistics();
            System.out.println(statistics);
            assertThat(statistics.datagramsUnanswered()).isBetween(8L, 50L);
            assertThat(statistics.datagrams()).isEqualTo(statistics.datagramsUnanswered());
            assertThat(statistics.multicasts()).isEqualTo(100);
            assertThat(statistics.multicastsUnanswered()).isLessThan(5);
        }
    }
}
