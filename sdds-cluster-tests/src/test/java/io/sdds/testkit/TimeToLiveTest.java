package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Times at their bounds, and the end of records whose partitions change hands. */
class TimeToLiveTest {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration BEFORE_ALL = Duration.ofSeconds(Long.MIN_VALUE);
    private static final Duration NANO = Duration.ofNanos(1);

    /** The time to live of records whose partitions change hands meanwhile. */
    private static final Duration LIFE = Duration.ofSeconds(3);

    /** A record lives longer by the time of a handover, a fail-over and a tick. */
    private static final Duration LATE_MAX = Duration.ofSeconds(4);

    private static HashTable<String, String> hash(SddsClient client, String name, TableOptions options) {
        return client.createHashTable(name, options, Codec.utf8(), Codec.utf8());
    }

    private static RangeTable<String, String> range(SddsClient client, String name, TableOptions options) {
        return client.createRangeTable(name, options, Codec.utf8(), Codec.utf8());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aNanosecondIsNotForEver() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<String, String> table = hash(cluster.client(), "t", TableOptions.defaults());
            table.put("put", "1", NANO);
            table.putIfAbsent("absent", "1", NANO);
            table.increment("counter", 1, NANO);
            table.put("expires", "1");
            assertThat(table.expire("expires", NANO)).isTrue();
            HashTable<String, String> brief =
                    hash(cluster.client(), "brief", TableOptions.defaults().withTimeToLive(NANO));
            brief.put("k", "1");
            await().untilAsserted(() -> {
                assertThat(table.size()).isZero();
                assertThat(brief.size()).isZero();
            });
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aTimeToLiveOutOfBoundsIsRefusedInWords() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<String, String> table = hash(cluster.client(), "t", TableOptions.defaults());
            for (Duration wrong : List.of(FOR_EVER, BEFORE_ALL, NANO.negated(), Duration.ofDays(36_501))) {
                for (Runnable write : List.<Runnable>of(
                        () -> table.put("k", "v", wrong),
                        () -> table.putAsync("k", "v", wrong),
                        () -> table.putVersioned("k", "v", wrong),
                        () -> table.putIfAbsent("k", "v", wrong),
                        () -> table.replace("k", "v", wrong),
                        () -> table.replaceIfVersion("k", "v", 1, wrong),
                        () -> table.compareAndSet("k", "v", "w", wrong),
                        () -> table.increment("k", 1, wrong),
                        () -> table.expire("k", wrong),
                        () -> TableOptions.defaults().withTimeToLive(wrong),
                        () -> TableOptions.builder().timeToLive(wrong).build())) {
                    assertThatThrownBy(write::run)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("time to live of");
                }
            }
            table.put("k", "v", Duration.ofDays(36_500));
            assertThat(table.timeToLive("k")).isGreaterThan(Duration.ofDays(36_499));
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aTimeoutWithoutEndIsLongAndOneThatIsNotPositiveIsRefused() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            ClientSettings patient = ClientSettings.builder().timeout(FOR_EVER).build();
            try (SddsClient client = SddsClient.connect(List.of(cluster.address()), patient)) {
                RangeTable<String, String> table = range(client.withTimeout(FOR_EVER), "t", TableOptions.defaults());
                table.put("k", "v");
                assertThat(table.get("k")).isEqualTo("v");
                assertThat(table.size()).isEqualTo(1);
                table.range().forEachWithinAsync(FOR_EVER, (key, value) -> {}).cancel(true);
                for (Duration wrong : List.of(Duration.ZERO, NANO.negated(), BEFORE_ALL)) {
                    for (Runnable call : List.<Runnable>of(
                            () -> ClientSettings.builder().timeout(wrong),
                            () -> client.withTimeout(wrong),
                            () -> table.range().forEachWithinAsync(wrong, (key, value) -> {}))) {
                        assertThatThrownBy(call::run)
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("is not positive");
                    }
                }
            }
        }
    }

    /** Counts come from the number of records of a partition where nothing can have expired. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void countsHaveNoRecordThatAGetDoesNotFind() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<String, String> hash = hash(cluster.client(), "h", TableOptions.defaults());
            RangeTable<String, String> range = range(cluster.client(), "r", TableOptions.defaults());
            for (int k = 0; k < 2000; k++) {
                hash.putAsync("k" + k, "v", Duration.ofMillis(200));
                range.putAsync("k" + k, "v", Duration.ofMillis(200));
            }
            hash.put("last", "v", Duration.ofMillis(300));
            range.put("last", "v", Duration.ofMillis(300));
            hash.put("stays", "v");
            range.put("stays", "v");
            await().pollInterval(Duration.ofMillis(5)).until(() -> hash.get("last") == null);
            assertThat(hash.size()).isEqualTo(1);
            assertThat(hash.scan().count()).isEqualTo(1);
            assertThat(hash.asMap()).hasSize(1);
            await().pollInterval(Duration.ofMillis(5)).until(() -> range.get("last") == null);
            assertThat(range.size()).isEqualTo(1);
            assertThat(range.range().count()).isEqualTo(1);
            assertThat(range.asMap()).hasSize(1);
        }
    }

    // ---- partitions change hands

    /** Puts records, lets their partitions change hands, and compares their ends with the time that was asked for. */
    private static void assertRecordsEndInTime(Table<String, String> table, Runnable change) {
        table.put("stays", "v");
        long began = System.nanoTime();
        for (int k = 0; k < 100; k++) {
            table.put("k" + k, "v", LIFE);
        }
        change.run();
        Duration passed = Duration.ofNanos(System.nanoTime() - began);
        Duration left = table.timeToLive("k99");
        if (left != null) {
            assertThat(left)
                    .isBetween(
                            LIFE.minus(passed).minusMillis(1),
                            LIFE.minus(passed).plus(LATE_MAX));
        }
        await().atMost(LIFE.plus(LATE_MAX)).until(() -> table.get("k0") == null && table.get("k99") == null);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(LIFE);
        assertThat(table.get("stays")).isEqualTo("v");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void recordsEndInTimeBehindSplits() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table = hash(cluster.client(), "t", TableOptions.capacity(50));
            assertRecordsEndInTime(table, () -> {
                for (int k = 0; k < 300; k++) {
                    table.put("more" + k, "v");
                }
                await().until(() -> cluster.client().tables().get(0).partitions() >= 4);
            });
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void recordsEndInTimeBehindAMove() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            RangeTable<String, String> table = range(cluster.client(), "t", TableOptions.defaults());
            assertRecordsEndInTime(table, () -> {
                String from = cluster.client().status(true).partitions().get(0).brick();
                cluster.client().drainBrick(from);
                await().until(() -> !cluster.client()
                        .status(true)
                        .partitions()
                        .get(0)
                        .brick()
                        .equals(from));
            });
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void recordsEndInTimeBehindAFailOver() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            HashTable<String, String> table = hash(cluster.client(), "t", TableOptions.replicas(2));
            assertRecordsEndInTime(table, () -> killPrimary(cluster));
        }
    }

    /** The time of a column goes on while a parity leads it, and on its spare. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void recordsEndInTimeBehindARebuild() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4)) {
            HashTable<String, String> table = hash(cluster.client(), "t", TableOptions.parity(2, 1));
            assertRecordsEndInTime(table, () -> {
                String killed = killPrimary(cluster);
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> !cluster.client()
                                        .status(true)
                                        .partitions()
                                        .get(0)
                                        .brick()
                                        .equals(killed)
                                && table.get("stays") != null);
            });
        }
    }

    private static String killPrimary(EmbeddedCluster cluster) {
        String primary = cluster.client().status(true).partitions().get(0).brick();
        cluster.kill(Integer.parseInt(primary.substring(1)));
        return primary;
    }
}
