package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sdds.client.ClientSettings;
import io.sdds.client.ClientStatistics;
import io.sdds.client.Codec;
import io.sdds.client.Cursor;
import io.sdds.client.Filters;
import io.sdds.client.IncompleteRangeException;
import io.sdds.client.PartialResult;
import io.sdds.client.Range;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.client.Versioned;
import io.sdds.core.Seeds;
import io.sdds.core.model.Routing;
import io.sdds.core.protocol.IndexRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Range tables as an application has them, over real sockets. */
class RangeTableTest {
    private static final long MEMORY = 256L << 20;

    private static RangeTable<String, String> table(SddsClient client, TableOptions options) {
        return client.createRangeTable("ordered", options, Codec.utf8(), Codec.utf8());
    }

    private static String key(int number) {
        return "key-%06d".formatted(number);
    }

    private static int partitions(SddsClient client) {
        return client.tables().get(0).partitions();
    }

    private static List<String> keys(Iterable<? extends Map.Entry<String, ?>> entries) {
        List<String> keys = new ArrayList<>();
        entries.forEach(entry -> keys.add(entry.getKey()));
        return keys;
    }

    @Test
    void everyOperationOnAKeyDoesWhatItSays() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            RangeTable<String, String> table = table(cluster.client(), TableOptions.defaults());
            assertThat(table.get("a")).isNull();
            assertThat(table.putIfAbsent("a", "1")).isTrue();
            assertThat(table.compareAndSet("a", "1", "2")).isTrue();
            assertThat(table.get("a")).isEqualTo("2");
            assertThat(table.increment("n", 5)).isEqualTo(5);
            assertThat(table.compareAndSet("a", "2", "3", Duration.ofHours(1))).isTrue();
            assertThat(table.increment("n", 1, Duration.ofHours(1))).isEqualTo(6);
            assertThat(table.timeToLive("a")).isPositive();
            assertThat(table.timeToLive("n")).isPositive();
            assertThat(table.remove("a")).isTrue();
            assertThat(table.size()).isEqualTo(1);
            table.clear();
            assertThat(table.size()).isZero();
            assertThat(table.first()).isNull();
            assertThat(table.last()).isNull();
            assertThat(table.range().toList()).isEmpty();
        }
    }

    @Test
    void aRangeGivesEachRecordWithItsVersion() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            RangeTable<String, String> table = table(cluster.client(), TableOptions.capacity(500));
            Map<String, Long> versions = new HashMap<>();
            for (int k = 0; k < 2000; k++) {
                versions.put(key(k), table.putVersioned(key(k), "v" + k));
            }
            int k = 1999;
            for (Map.Entry<String, Versioned<String>> entry :
                    table.range().descending().versioned().toList()) {
                Versioned<String> record = entry.getValue();
                assertThat(entry.getKey()).isEqualTo(key(k));
                assertThat(record).isEqualTo(new Versioned<>("v" + k, versions.get(key(k)), Duration.ZERO));
                k--;
            }
            assertThat(k).isEqualTo(-1);
            assertThat(table.range().versioned().count()).isEqualTo(2000);
        }
    }

    @Test
    void aCancelledRangeAsksForNothingMoreAndCallsNobody() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            SddsClient client = cluster.client();
            RangeTable<String, String> table = table(client, TableOptions.defaults());
            for (int k = 0; k < 20; k++) {
                table.put(key(k), "x".repeat(64 << 10)); // a block has one or two
            }
            long before = client.statistics().requests();
            CompletableFuture<CompletableFuture<Void>> itself = new CompletableFuture<>();
            List<String> taken = new CopyOnWriteArrayList<>();
            itself.complete(table.range().forEachAsync((key, value) -> {
                taken.add(key);
                itself.join().cancel(false);
            }));
            assertThatThrownBy(() -> itself.join().join()).isInstanceOf(CancellationException.class);
            assertThat(client.statistics().requests()).isEqualTo(before + 1);
            assertThat(taken).containsExactly(key(0));
            assertThat(table.range().toListAsync().cancel(false)).isTrue();
            assertThat(table.size()).isEqualTo(20);
        }
    }

    @Test
    void recordsThatExpiredAreInNoRange() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            RangeTable<String, String> table = table(cluster.client(), TableOptions.defaults());
            table.put("a", "1");
            table.put("b", "2", Duration.ofMillis(1));
            table.put("c", "3");
            await().untilAsserted(() -> assertThat(keys(table.range())).containsExactly("a", "c"));
            assertThat(table.higher("a").getKey()).isEqualTo("c");
            await().untilAsserted(() -> assertThat(table.size()).isEqualTo(2));
        }
    }

    /** The suite of every routing. */
    @ParameterizedTest
    @CsvSource({"IMAGE, 2", "IMAGE_MULTICAST, 1", "MULTICAST, 2"})
    @Execution(ExecutionMode.CONCURRENT)
    void rangesAreThoseOfASortedMapWhileTheTableGrowsAndShrinks(Routing routing, int stages) {
        assertRangesWhileTheTableGrowsAndShrinks(routing, stages);
    }

    /** The suite of every routing, with the other number of stages. */
    @ParameterizedTest
    @Tag("soak")
    @CsvSource({"IMAGE, 1", "IMAGE_MULTICAST, 2", "MULTICAST, 1"})
    @Execution(ExecutionMode.CONCURRENT)
    void rangesAreThoseOfASortedMapWithTheOtherStages(Routing routing, int stages) {
        assertRangesWhileTheTableGrowsAndShrinks(routing, stages);
    }

    private static void assertRangesWhileTheTableGrowsAndShrinks(Routing routing, int stages) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3, MEMORY, stages, TimeUnit.MILLISECONDS.toNanos(100))) {
            SddsClient client = cluster.client();
            RangeTable<String, String> table =
                    table(client, TableOptions.capacity(100).withRouting(routing));
            TreeMap<String, String> model = new TreeMap<>();
            SplittableRandom random = new SplittableRandom(20);
            while (model.size() < 1500) {
                String key = key(random.nextInt(1_000_000));
                model.put(key, "v" + model.size());
                table.putAsync(key, model.get(key)).join();
                if (model.size() % 250 == 0) {
                    assertRange(table, model, random);
                }
            }
            await().untilAsserted(() -> assertThat(partitions(client)).isGreaterThan(10));
            for (int k = 0; k < Seeds.part(200); k++) {
                assertRange(table, model, random);
                assertNeighbours(table, model, key(random.nextInt(1_000_000)));
            }
            assertThat(table.size()).isEqualTo(model.size());
            assertTokensGoOn(client, table, model);
            for (String key : List.copyOf(model.keySet())) {
                if (random.nextInt(20) != 0) {
                    table.removeAsync(key).join();
                    model.remove(key);
                }
            }
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(partitions(client)).isLessThan(5));
            for (int k = 0; k < 20; k++) {
                assertRange(table, model, random);
            }
            table.clear();
            assertThat(table.size()).isZero();
        }
    }

    private static void assertRange(
            RangeTable<String, String> table, TreeMap<String, String> model, SplittableRandom random) {
        String a = key(random.nextInt(1_000_000));
        String b = key(random.nextInt(1_000_000));
        String from = a.compareTo(b) < 0 ? a : b;
        String to = a.compareTo(b) < 0 ? b : a;
        boolean first = random.nextBoolean();
        boolean last = random.nextBoolean();
        NavigableMap<String, String> wanted = model.subMap(from, first, to, last);
        Range<String, String> range = table.range(from, first, to, last);
        assertThat(keys(range)).isEqualTo(List.copyOf(wanted.keySet()));
        assertThat(keys(range.descending())).isEqualTo(List.copyOf(wanted.descendingKeySet()));
        assertThat(range.count()).isEqualTo(wanted.size());
        long limit = random.nextInt(300);
        assertThat(keys(range.limit(limit)))
                .isEqualTo(wanted.keySet().stream().limit(limit).toList());
        List<String> unordered = Collections.synchronizedList(new ArrayList<>());
        range.forEachUnorderedAsync((key, value) -> unordered.add(key)).join();
        assertThat(sorted(unordered)).isEqualTo(List.copyOf(wanted.keySet()));
        assertWithin(range, wanted);
        assertThat(range.where(Filters.value().contains("7")).toList().stream()
                        .map(Map.Entry::getKey)
                        .toList())
                .isEqualTo(wanted.entrySet().stream()
                        .filter(entry -> entry.getValue().contains("7"))
                        .map(Map.Entry::getKey)
                        .toList());
    }

    /** What comes within a time is of the range, once; when all is accounted for it is all. */
    private static void assertWithin(Range<String, String> range, NavigableMap<String, String> wanted) {
        List<String> came = Collections.synchronizedList(new ArrayList<>());
        PartialResult outcome = range.forEachWithinAsync(Duration.ofMillis(30), (key, value) -> came.add(key))
                .join();
        assertThat(outcome.records()).isEqualTo(came.size());
        List<String> ofTheRange = sorted(came).stream()
                .distinct()
                .filter(wanted.navigableKeySet()::contains)
                .toList();
        assertThat(sorted(came)).isEqualTo(ofTheRange);
        if (outcome.complete()) {
            assertThat(came).hasSameSizeAs(wanted.keySet());
        }
    }

    /** For a comparison: to look for each of many in a list takes long. */
    private static List<String> sorted(List<String> keys) {
        return keys.stream().sorted().toList();
    }

    private static void assertNeighbours(RangeTable<String, String> table, TreeMap<String, String> model, String key) {
        assertThat(table.first()).isEqualTo(model.firstEntry());
        assertThat(table.last()).isEqualTo(model.lastEntry());
        assertThat(table.floor(key)).isEqualTo(model.floorEntry(key));
        assertThat(table.ceiling(key)).isEqualTo(model.ceilingEntry(key));
        assertThat(table.lower(key)).isEqualTo(model.lowerEntry(key));
        assertThat(table.higher(key)).isEqualTo(model.higherEntry(key));
    }

    /** A token works from another client, which knows nothing of the table yet. */
    private static void assertTokensGoOn(
            SddsClient client, RangeTable<String, String> table, TreeMap<String, String> model) {
        List<String> seen = new ArrayList<>();
        String token = null;
        while (true) {
            try (Cursor<String, String> cursor = token == null
                    ? table.range().descending().open()
                    : table.range().descending().open(token)) {
                for (int k = 0; k < 700 && cursor.hasNext(); k++) {
                    seen.add(cursor.next().getKey());
                }
                token = cursor.token();
                if (!cursor.hasNext()) {
                    break;
                }
            }
        }
        assertThat(seen).isEqualTo(List.copyOf(model.descendingKeySet()));
        String last = token;
        assertThatThrownBy(() -> table.range().open(last)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ascendingInsertsFillPartitions() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            RangeTable<String, String> table = table(cluster.client(), TableOptions.capacity(500));
            for (int k = 0; k < 10_000; k++) {
                table.putAsync(key(k), "v").join();
            }
            assertThat(keys(table.range())).hasSize(10_000);
            // Divided at medians partitions would stay half full: 40 of them.
            await().untilAsserted(() -> assertThat(partitions(cluster.client())).isBetween(15, 28));
        }
    }

    @Test
    void keysAtTheLimitsAreInOrder() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            RangeTable<byte[], byte[]> table =
                    cluster.client().createRangeTable("bytes", TableOptions.capacity(4), Codec.bytes(), Codec.bytes());
            byte[] zeros = new byte[65_535];
            byte[] ones = new byte[65_535];
            Arrays.fill(ones, (byte) 0xff);
            List<byte[]> keys = List.of(
                    new byte[] {0},
                    new byte[] {0, 0},
                    zeros,
                    new byte[] {1},
                    new byte[] {0x7f},
                    new byte[] {(byte) 0x80},
                    new byte[] {(byte) 0xff},
                    new byte[] {(byte) 0xff, (byte) 0xff},
                    ones);
            keys.reversed().forEach(key -> table.put(key, key));
            for (int round = 0; round < 20; round++) {
                List<byte[]> seen =
                        table.range().toList().stream().map(Map.Entry::getKey).toList();
                assertThat(seen).usingElementComparator(Arrays::compareUnsigned).isEqualTo(keys);
                assertThat(table.prefix(new byte[] {(byte) 0xff}).count()).isEqualTo(3);
                assertThat(table.prefix(new byte[] {0}).count()).isEqualTo(3);
                assertThat(table.get(zeros)).isEqualTo(zeros);
                assertThat(table.get(ones)).isEqualTo(ones);
            }
        }
    }

    @Test
    void badInputIsRefusedAtTheDoor() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            SddsClient client = cluster.client();
            RangeTable<String, String> table = table(client, TableOptions.defaults());
            assertThatThrownBy(() -> table.range("b", "a"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("reversed");
            assertThatThrownBy(() -> table.range().limit(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.hashTable("ordered", Codec.utf8(), Codec.utf8()))
                    .hasMessageContaining("is a range table");
            client.createHashTable("hashed", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            assertThatThrownBy(() -> client.rangeTable("hashed", Codec.utf8(), Codec.utf8()))
                    .hasMessageContaining("is a hash table");
            assertThat(keys(table.range("a", false, "a", false))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Routing.class, names = "UNKNOWN", mode = EnumSource.Mode.EXCLUDE)
    void aClientFindsItsWayByEachRouting(Routing routing) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4)) {
            RangeTable<String, String> filled = table(cluster.client(), TableOptions.capacity(100));
            for (int k = 0; k < 2000; k++) {
                filled.putAsync(key(k * 7919 % 2000), "v" + k).join();
            }
            ClientSettings settings = ClientSettings.builder()
                    .routing(routing)
                    .learnByAdjustmentsOnly(true)
                    .build();
            try (SddsClient client = SddsClient.connect(List.of(cluster.address()), settings)) {
                RangeTable<String, String> table = client.rangeTable("ordered", Codec.utf8(), Codec.utf8());
                for (int k = 0; k < 2000; k++) {
                    assertThat(table.get(key(k * 7919 % 2000))).isEqualTo("v" + k);
                }
                ClientStatistics statistics = client.statistics();
                if (routing == Routing.MULTICAST) {
                    assertThat(statistics.multicasts()).isEqualTo(2000);
                    // One that nobody answers in time, on a machine that stands still, is asked of the map.
                    assertThat(statistics.adjustments()).isLessThanOrEqualTo(statistics.multicastsUnanswered());
                } else {
                    assertThat(statistics.multicasts()).isLessThan(200);
                    // The same, of the whole map.
                    assertThat(statistics.adjustments() + statistics.multicastsUnanswered())
                            .isPositive();
                }
                assertThat(statistics.multicastsUnanswered()).isLessThan(200);
                assertThat(table.range().count()).isEqualTo(2000);
                assertThat(table.last().getKey()).isEqualTo(key(1999));
            }
        }
    }

    @Test
    void aNewClientFindsPartitionsInTheIndex() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4)) {
            RangeTable<String, String> filled =
                    table(cluster.client(), TableOptions.capacity(100).withRouting(Routing.INDEX));
            for (int k = 0; k < 2000; k++) {
                filled.putAsync(key(k * 7919 % 2000), "v" + k).join();
            }
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(indexed(cluster)).isEqualTo(partitions(cluster.client())));
            try (SddsClient client = SddsClient.connect(List.of(cluster.address()))) {
                RangeTable<String, String> table = client.rangeTable("ordered", Codec.utf8(), Codec.utf8());
                for (int k = 0; k < 2000; k++) {
                    assertThat(table.get(key(k * 7919 % 2000))).isEqualTo("v" + k);
                }
                assertThat(table.last().getKey()).isEqualTo(key(1999));
                assertThat(table.range().descending().limit(10).toList()).hasSize(10);
                assertThat(table.range().count()).isEqualTo(2000);
                ClientStatistics statistics = client.statistics();
                assertThat(statistics.lookups()).as("pages of the index").isBetween(1L, 5L);
                assertThat(statistics.addressingErrors()).isLessThan(5);
                assertThat(statistics.multicasts()).isZero();
                assertThat(statistics.blocksFetched())
                        .as("of the table, of the index; a block is fetched again when its answer takes long")
                        .isBetween(2L, 4L);
            }
        }
    }

    private static int indexed(EmbeddedCluster cluster) {
        RangeTable<byte[], byte[]> index = cluster.client().rangeTable(IndexRecord.TABLE, Codec.bytes(), Codec.bytes());
        return index.range().toList().size();
    }

    /** Clients dial whom the index names. */
    @Test
    void nobodyWritesIntoTheIndex() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            table(cluster.client(), TableOptions.capacity(100).withRouting(Routing.INDEX));
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(indexed(cluster)).isEqualTo(1));
            RangeTable<byte[], byte[]> index =
                    cluster.client().rangeTable(IndexRecord.TABLE, Codec.bytes(), Codec.bytes());
            byte[] key = index.first().getKey();
            assertThatThrownBy(() -> index.put(key, new byte[0])).hasMessageContaining("written by the cluster alone");
            assertThatThrownBy(() -> index.remove(key)).hasMessageContaining("written by the cluster alone");
            assertThatThrownBy(index::clear).hasMessageContaining("written by the cluster alone");
            assertThat(index.first().getValue()).isNotEmpty();
            assertThatThrownBy(() -> cluster.client().dropTable(IndexRecord.TABLE))
                    .hasMessageContaining("the cluster's own");
            cluster.client().dropTable("ordered");
            await().untilAsserted(() -> assertThat(cluster.client().tables()).isEmpty());
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aRangeSaysWhichKeysItMissesWhenABrickIsLostInTheMiddleOfIt() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            RangeTable<String, String> filled = table(cluster.client(), TableOptions.capacity(200));
            for (int k = 0; k < 3000; k++) {
                filled.putAsync(key(k), "x".repeat(1000)).join();
            }
            await().untilAsserted(() -> assertThat(partitions(cluster.client())).isGreaterThan(10));
            RangeTable<String, String> table = cluster.client()
                    .withTimeout(Duration.ofSeconds(2))
                    .rangeTable("ordered", Codec.utf8(), Codec.utf8());
            try (Cursor<String, String> cursor = table.range().open()) {
                for (int k = 0; k < 10; k++) {
                    assertThat(cursor.next().getKey()).isEqualTo(key(k));
                }
                cluster.kill(2);
                List<String> got = new ArrayList<>();
                assertThatThrownBy(() -> cursor.forEachRemaining(record -> got.add(record.getKey())))
                        .isInstanceOfSatisfying(IncompleteRangeException.class, e -> {
                            String reached = got.isEmpty() ? key(9) : got.get(got.size() - 1);
                            assertThat(e.missing()).hasSize(1);
                            assertThat(e.missing().get(0)).endsWith("+∞]");
                            assertThat(gapBegin(e)).isGreaterThanOrEqualTo(reached);
                            assertThat(e).hasMessageContaining("missing: (");
                        });
            }
            assertThatThrownBy(() -> table.range().count())
                    .isInstanceOfSatisfying(
                            IncompleteRangeException.class,
                            e -> assertThat(e.missing()).isNotEmpty());
            // How much comes within a time depends on what else the machine does.
            Duration within = Duration.ofMillis(500);
            while (comesOfTheLivingWithin(table, within) < 500) {
                within = within.multipliedBy(2);
                assertThat(within).isLessThan(Duration.ofMinutes(1));
            }
        }
    }

    /** How many records come, which are not all: a brick is lost. */
    private static int comesOfTheLivingWithin(RangeTable<String, String> table, Duration within) {
        List<String> came = Collections.synchronizedList(new ArrayList<>());
        PartialResult outcome = table.range()
                .forEachWithinAsync(within, (key, value) -> came.add(key))
                .join();
        assertThat(outcome.complete()).isFalse();
        assertThat(came).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(2900);
        return came.size();
    }

    /** {@code key-000123} of {@code ('key-000123', +∞]} */
    private static String gapBegin(IncompleteRangeException e) {
        String missing = e.missing().get(0);
        return missing.substring(2, missing.indexOf('\'', 2));
    }

    @Test
    void aSlowConsumerAndAnAbandonedCursorHoldAFewBlocks() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            SddsClient client = cluster.client();
            RangeTable<String, String> table = table(client, TableOptions.capacity(500));
            for (int k = 0; k < 2000; k++) {
                table.putAsync(key(k), "x".repeat(10_000)).join();
            }
            long before = client.statistics().requests();
            Cursor<String, String> slow = table.range().open();
            assertThat(slow.next().getKey()).isEqualTo(key(0));
            table.get(key(0)); // whatever the cursor asked for without being asked itself, it has asked for before this
            assertThat(client.statistics().requests() - before).isLessThanOrEqualTo(4);
            slow.close();
            assertThat(table.range().count()).isEqualTo(2000);
        }
    }

    @Test
    void aRangeOfAnEmptyTableIsEmptyInEveryWay() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            for (Routing routing : EnumSet.complementOf(EnumSet.of(Routing.UNKNOWN))) {
                String name = "empty-" + routing;
                RangeTable<String, String> table = cluster.client()
                        .createRangeTable(
                                name, TableOptions.defaults().withRouting(routing), Codec.utf8(), Codec.utf8());
                assertThat(table.range().toList()).isEmpty();
                assertThat(table.range("a", "b").descending().toList()).isEmpty();
                assertThat(table.prefix("a").count()).isZero();
                assertThat(table.first()).isNull();
                assertThat(table.range().open().hasNext()).isFalse();
                PartialResult outcome = table.range()
                        .forEachWithinAsync(Duration.ofMillis(20), (key, value) -> {})
                        .join();
                assertThat(outcome)
                        .isEqualTo(new PartialResult(0, false, List.of())); // nobody has answered, and nobody had to
            }
        }
    }

    @Test
    void onlyRangeTablesAreRoutedByMulticast() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            TableOptions options = TableOptions.defaults().withRouting(Routing.MULTICAST);
            assertThatThrownBy(() -> cluster.client().createHashTable("h", options, Codec.utf8(), Codec.utf8()))
                    .hasMessageContaining("routed by image");
            RangeTable<String, String> table = table(cluster.client(), options);
            assertThatThrownBy(() -> table.range().forEachWithinAsync(Duration.ZERO, (key, value) -> {}))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
