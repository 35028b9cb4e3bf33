package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.MemoryFullException;
import io.sdds.client.OverloadedException;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tables of replica groups on real processes' nodes, sockets and clocks. */
@Order(1)
class ReplicaGroupsTest {
    private static final int RECORDS = 300;
    private static final int RECORDS_OF_MANY = 900;
    private static final long MEMORY_BYTES = 64L << 20;
    private static final long MERGE_AFTER_NANOS = 500_000_000;
    private static final int VALUE_BYTES = 1000;
    private static final int PUTS_AT_ONCE = 1000;
    private static final int LANES = 64;

    private static HashTable<String, String> table(SddsClient client, TableOptions options) {
        return client.createHashTable("t", options.withPartitions(4), Codec.utf8(), Codec.utf8());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aBrickThatDiesTakesNothingWithItAndAnotherGetsItsCopies() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            HashTable<String, String> table = table(cluster.client(), TableOptions.replicas(2));
            for (int k = 0; k < RECORDS; k++) {
                table.put("k" + k, "v" + k);
            }
            cluster.kill(1);
            table.put("after", "the first");
            awaitCopiesWithout(cluster, "b1");
            cluster.kill(2);
            for (int k = 0; k < RECORDS; k++) {
                assertThat(table.get("k" + k)).isEqualTo("v" + k);
            }
            assertThat(table.get("after")).isEqualTo("the first");
            assertThat(table.putIfAbsent("k1", "another")).isFalse();
        }
    }

    /** The two bricks are killed within milliseconds, so requests move from the first one to the second one. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void noRequestFailsWhenTwoOfThreeCopiesAreKilledTogetherAgainAndAgain() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            SddsClient client = cluster.client().withTimeout(Duration.ofSeconds(30));
            HashTable<String, String> table = table(client, TableOptions.replicas(3));
            AtomicBoolean ends = new AtomicBoolean();
            List<CompletableFuture<Void>> lanes = IntStream.range(0, LANES)
                    .mapToObj(k -> lane(table, "k" + k, ends))
                    .toList();
            for (int round = 0; round < 2; round++) {
                int one = 1 + round;
                cluster.kill(one);
                cluster.kill(one + 1);
                table.put("after", "round " + round);
                assertThat(table.get("after")).isEqualTo("round " + round);
                cluster.startBrick(one);
                cluster.startBrick(one + 1);
                awaitCopies(cluster, 3);
            }
            ends.set(true);
            lanes.forEach(CompletableFuture::join); // throws what a read or write failed with
        }
    }

    /** Writes and reads one key until the end, or until an operation fails. */
    private static CompletableFuture<Void> lane(HashTable<String, String> table, String key, AtomicBoolean ends) {
        CompletableFuture<Void> lane = new CompletableFuture<>();
        next(table, key, ends, lane);
        return lane;
    }

    private static void next(
            HashTable<String, String> table, String key, AtomicBoolean ends, CompletableFuture<Void> lane) {
        table.putAsync(key, "v").thenCompose(done -> table.getAsync(key)).whenComplete((value, failure) -> {
            if (failure != null) {
                lane.completeExceptionally(failure);
            } else if (ends.get()) {
                lane.complete(null);
            } else {
                next(table, key, ends, lane);
            }
        });
    }

    private static void awaitCopies(EmbeddedCluster cluster, int copies) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> cluster.client().status(true).partitions().stream()
                        .allMatch(partition -> partition.backups().size() == copies - 1));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aTableGrowsAndABrickThatDiesMeanwhileTakesNothingWithIt() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            HashTable<String, String> table = cluster.client()
                    .createHashTable(
                            "t", TableOptions.replicas(2).withCapacityRecords(100), Codec.utf8(), Codec.utf8());
            for (int k = 0; k < 10 * RECORDS; k++) {
                if (k == 5 * RECORDS) {
                    cluster.kill(1);
                }
                table.put("k" + k, "v" + k);
            }
            awaitCopiesWithout(cluster, "b1");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.client().status(true).partitions().size() > 16);
            ClusterStatus status = cluster.client().status(true);
            assertThat(status.partitions().stream().map(PartitionStatus::brick).distinct())
                    .as("bricks that lead")
                    .hasSize(2);
            cluster.kill(2);
            for (int k = 0; k < 10 * RECORDS; k++) {
                assertThat(table.get("k" + k)).isEqualTo("v" + k);
            }
            assertThat(table.size()).isEqualTo(10 * RECORDS);
        }
    }

    @Test
    @Tag("soak")
    @Execution(ExecutionMode.CONCURRENT)
    void aTableThatWasEmptiedShrinksAndKeepsWhatIsLeft() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3, MEMORY_BYTES, 1, MERGE_AFTER_NANOS)) {
            HashTable<String, String> table = cluster.client()
                    .createHashTable("t", TableOptions.replicas(2).withCapacityRecords(30), Codec.utf8(), Codec.utf8());
            for (int k = 0; k < RECORDS_OF_MANY; k++) {
                table.put("k" + k, "v" + k);
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.client().status(true).partitions().size() > 16);
            for (int k = 0; k < RECORDS_OF_MANY; k++) {
                if (k % 100 != 0) {
                    assertThat(table.remove("k" + k)).isTrue();
                }
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> cluster.client().status(true).partitions().size() == 1);
            await(cluster, status -> true);
            cluster.kill(2);
            for (int k = 0; k < RECORDS_OF_MANY; k++) {
                assertThat(table.get("k" + k)).isEqualTo(k % 100 == 0 ? "v" + k : null);
            }
            assertThat(table.size()).isEqualTo(RECORDS_OF_MANY / 100);
            assertThat(table.putIfAbsent("k100", "another")).isFalse();
        }
    }

    @Test
    @Tag("soak")
    @Execution(ExecutionMode.CONCURRENT)
    void aRangeTableGrowsAndShrinksAndBricksThatDieMeanwhileTakeNothingWithThem() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3, MEMORY_BYTES, 1, MERGE_AFTER_NANOS)) {
            RangeTable<String, String> table = cluster.client()
                    .createRangeTable(
                            "t", TableOptions.replicas(2).withCapacityRecords(60), Codec.utf8(), Codec.utf8());
            for (int k = 0; k < RECORDS_OF_MANY; k++) {
                if (k == RECORDS_OF_MANY / 2) {
                    cluster.kill(1);
                }
                table.put(rangeKey(k), "v" + k);
            }
            awaitCopiesWithout(cluster, "b1");
            int grown = cluster.client().status(true).partitions().size();
            assertThat(grown).isGreaterThan(8);
            cluster.startBrick(1);
            awaitCopiesAt(cluster, "b1");
            cluster.kill(2);
            List<String> keys = new ArrayList<>();
            table.range().toList().forEach(entry -> keys.add(entry.getKey()));
            assertThat(keys)
                    .isEqualTo(IntStream.range(0, RECORDS_OF_MANY)
                            .mapToObj(ReplicaGroupsTest::rangeKey)
                            .toList());
            awaitCopiesWithout(cluster, "b2");
            for (int k = RECORDS_OF_MANY / 100; k < RECORDS_OF_MANY; k++) {
                assertThat(table.remove(rangeKey(k))).isTrue();
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> cluster.client().status(true).partitions().size() <= grown / 2);
            await(cluster, status -> true);
            cluster.kill(3);
            assertThat(table.size()).isEqualTo(RECORDS_OF_MANY / 100);
            assertThat(table.get(rangeKey(7))).isEqualTo("v7");
            assertThat(table.putIfAbsent(rangeKey(7), "another")).isFalse();
        }
    }

    private static String rangeKey(int number) {
        return "key-%06d".formatted(number);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aBrickThatComesBackEmptyIsGivenCopiesAgain() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table = table(cluster.client(), TableOptions.replicas(2));
            table.put("a", "b");
            cluster.kill(2);
            table.put("c", "d");
            cluster.startBrick(2);
            awaitCopiesAt(cluster, "b2");
            cluster.kill(1);
            assertThat(table.get("a")).isEqualTo("b");
            assertThat(table.get("c")).isEqualTo("d");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void writesAreRefusedBelowTheCopiesThatATableAsksFor() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table =
                    table(cluster.client(), TableOptions.replicas(2).withMinCopies(2));
            table.put("a", "b");
            cluster.kill(2);
            awaitNoneAt(cluster, "b2"); // a write under way meanwhile is acknowledged by those who are left
            HashTable<String, String> hasty =
                    cluster.client().withTimeout(Duration.ofSeconds(3)).hashTable("t", Codec.utf8(), Codec.utf8());
            assertThatThrownBy(() -> hasty.put("a", "c")).isInstanceOf(SddsException.class);
            assertThat(table.get("a")).isIn("b", "c");
            cluster.startBrick(2);
            awaitCopiesAt(cluster, "b2");
            table.put("a", "d");
            assertThat(table.get("a")).isEqualTo("d");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void fullBricksRefusePutsAndKeepAllTheirCopies() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2, MEMORY_BYTES)) {
            HashTable<String, byte[]> table = cluster.client()
                    .createHashTable(
                            "t", TableOptions.replicas(2).withCapacityRecords(2000), Codec.utf8(), Codec.bytes());
            List<String> written = fill(table);
            assertThat(written).hasSizeGreaterThan(20_000);
            for (int k = 0; k < written.size(); k += 97) {
                assertThat(table.get(written.get(k))).hasSize(VALUE_BYTES);
            }
            List<String> removed = written.subList(0, written.size() / 2);
            List<CompletableFuture<Boolean>> removals =
                    removed.stream().map(table::removeAsync).toList();
            assertThat(removals).allMatch(CompletableFuture::join);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isPut(table, "again"));
            await(cluster, status -> true);
            assertThat(table.size()).isEqualTo(written.size() - removed.size() + 1);
        }
    }

    /** Puts many at a time until one is refused for want of memory: the keys that were put. */
    private static List<String> fill(HashTable<String, byte[]> table) {
        List<String> written = new ArrayList<>();
        boolean full = false;
        for (int from = 0; !full; from += PUTS_AT_ONCE) {
            TreeMap<String, CompletableFuture<Void>> puts = new TreeMap<>();
            for (int k = from; k < from + PUTS_AT_ONCE; k++) {
                puts.put("k" + k, table.putAsync("k" + k, new byte[VALUE_BYTES]));
            }
            for (Map.Entry<String, CompletableFuture<Void>> put : puts.entrySet()) {
                try {
                    put.getValue().join();
                    written.add(put.getKey());
                } catch (CompletionException e) {
                    // a busy machine may refuse some for another reason; neither kind was put
                    assertThat(e.getCause()).isInstanceOfAny(MemoryFullException.class, OverloadedException.class);
                    full |= e.getCause() instanceof MemoryFullException;
                }
            }
        }
        return written;
    }

    private static boolean isPut(HashTable<String, byte[]> table, String key) {
        try {
            table.put(key, new byte[VALUE_BYTES]);
            return true;
        } catch (MemoryFullException e) {
            return false;
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void moreReplicasThanBricksAreRefusedWithTheReason() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            SddsClient client = cluster.client().withTimeout(Duration.ofSeconds(1));
            assertThatThrownBy(() -> table(client, TableOptions.replicas(3)))
                    .isInstanceOf(SddsException.class)
                    .hasMessageContaining("3 replicas need as many bricks, and 2 are up");
        }
    }

    /** Until a brick that was killed is no member any more, and every partition has two copies elsewhere. */
    private static void awaitCopiesWithout(EmbeddedCluster cluster, String gone) {
        await(cluster, status -> noneAt(status, gone));
    }

    /** Until a brick that was killed is no member any more. */
    private static void awaitNoneAt(EmbeddedCluster cluster, String gone) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> noneAt(cluster.client().status(true), gone));
    }

    private static boolean noneAt(ClusterStatus status, String gone) {
        return status.partitions().stream()
                .noneMatch(partition ->
                        partition.brick().equals(gone) || partition.backups().contains(gone));
    }

    /** Until a brick that came back is known to be another process, and has copies. */
    private static void awaitCopiesAt(EmbeddedCluster cluster, String back) {
        await(
                cluster,
                status -> status.bricks().stream()
                        .anyMatch(brick -> brick.id().equals(back) && brick.incarnation() == 2));
    }

    private static void await(EmbeddedCluster cluster, Predicate<ClusterStatus> first) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            ClusterStatus status = cluster.client().status(true);
            return first.test(status)
                    && status.joins().isEmpty()
                    && status.splits().isEmpty()
                    && status.partitions().stream()
                            .allMatch(partition -> partition.backups().size() == 1);
        });
    }
}
