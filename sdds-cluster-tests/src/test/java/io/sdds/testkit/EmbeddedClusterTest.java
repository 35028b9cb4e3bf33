package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sdds.client.Codec;
import io.sdds.client.Cursor;
import io.sdds.client.Filters;
import io.sdds.client.HashTable;
import io.sdds.client.MemoryFullException;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.NotANumberException;
import io.sdds.client.RecordTooLargeException;
import io.sdds.client.Scan;
import io.sdds.client.SddsClient;
import io.sdds.client.TableExistsException;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.client.UnavailableException;
import io.sdds.client.Versioned;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.Splitting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything an application can do, over real sockets. */
@Order(1)
class EmbeddedClusterTest {
    private static final long MEMORY = 256L << 20;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCounterHasTheFormThatItsCodecReads(int replicas) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(replicas)) {
            SddsClient client = cluster.client();
            TableOptions options = TableOptions.defaults().replicas(replicas);
            HashTable<String, Long> numbers = client.createHashTable("numbers", options, Codec.utf8(), Codec.int64());
            assertThat(numbers.increment("eight digits", 12_345_678)).isEqualTo(12_345_678);
            assertThat(numbers.get("eight digits")).isEqualTo(12_345_678L);
            numbers.put("n", -45L);
            assertThat(numbers.increment("n", 3, Duration.ofHours(1))).isEqualTo(-42);
            assertThat(numbers.get("n")).isEqualTo(-42L);
            numbers.put("most", Long.MAX_VALUE);
            assertThatThrownBy(() -> numbers.increment("most", 1)).isInstanceOf(NotANumberException.class);
            HashTable<String, String> texts = client.hashTable("numbers", Codec.utf8(), Codec.utf8());
            assertThatThrownBy(() -> texts.increment("n", 1)).isInstanceOf(NotANumberException.class);
            assertThat(texts.increment("text", 7)).isEqualTo(7);
            assertThatThrownBy(() -> numbers.increment("text", 1)).isInstanceOf(NotANumberException.class);
            HashTable<String, byte[]> bytes = client.hashTable("numbers", Codec.utf8(), Codec.bytes());
            assertThatThrownBy(() -> bytes.increment("n", 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Codec.int64() or Codec.utf8()");
            assertThat(numbers.get("n")).isEqualTo(-42L);
        }
    }

    @Test
    void everyOperationDoesWhatItSays() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.defaults());
            assertThat(table.get("a")).isNull();
            assertThat(table.remove("a")).isFalse();
            assertThat(table.replace("a", "x")).isFalse();
            assertThat(table.compareAndSet("a", "x", "y")).isFalse();
            assertThat(table.putIfAbsent("a", "1")).isTrue();
            assertThat(table.putIfAbsent("a", "2")).isFalse();
            assertThat(table.get("a")).isEqualTo("1");
            assertThat(table.replace("a", "3")).isTrue();
            assertThat(table.compareAndSet("a", "1", "4")).isFalse();
            assertThat(table.compareAndSet("a", "3", "4")).isTrue();
            assertThat(table.get("a")).isEqualTo("4");
            assertThat(table.increment("a", 38)).isEqualTo(42);
            assertThat(table.increment("n", -5)).isEqualTo(-5);
            table.put("text", "no number");
            assertThatThrownBy(() -> table.increment("text", 1)).isInstanceOf(NotANumberException.class);
            table.put("empty", "");
            assertThat(table.get("empty")).isEmpty();
            table.putAll(Map.of("x", "1", "y", "2"));
            assertThat(table.getAll(List.of("x", "y", "z"))).isEqualTo(Map.of("x", "1", "y", "2"));
            assertThat(table.size()).isEqualTo(6);
            assertThat(table.remove("a")).isTrue();
            assertThat(table.get("a")).isNull();
            table.clear();
            assertThat(table.size()).isZero();
        }
    }

    @Test
    void recordsExpireForEveryOperationAndTheirMemoryComesBack() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.defaults());
            Duration hour = Duration.ofHours(1);
            Duration moment = Duration.ofMillis(1);
            table.put("stays", "1");
            table.put("long", "1", hour);
            table.put("short", "1", moment);
            assertThat(table.timeToLive("stays")).isZero();
            assertThat(table.timeToLive("long")).isBetween(hour.minusMinutes(1), hour);
            await().until(() -> table.get("short") == null);
            assertThat(table.timeToLive("short")).isNull();
            assertThat(table.replace("short", "2")).isFalse();
            assertThat(table.remove("short")).isFalse();
            assertThat(table.expire("short", hour)).isFalse();
            assertThat(table.size()).isEqualTo(2);
            assertThat(table.scan().count()).isEqualTo(2);
            assertThat(table.putIfAbsent("short", "2", hour)).isTrue();
            assertThat(table.persist("long")).isTrue();
            assertThat(table.timeToLive("long")).isZero();
            assertThat(table.expire("stays", moment)).isTrue();
            await().until(() -> table.getAll(List.of("stays")).isEmpty());
            table.increment("counter", 5);
            table.expire("counter", hour);
            assertThat(table.increment("counter", 1)).isEqualTo(6);
            assertThat(table.timeToLive("counter")).isGreaterThan(hour.minusMinutes(1));
            assertThatThrownBy(() -> table.put("past", "1", Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("time to live");
            await().until(() -> cluster.client().tables().get(0).records() == 3);
        }
    }

    @Test
    void everyWriteThatTakesEffectTakesATimeToLive() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.defaults());
            Duration hour = Duration.ofHours(1);
            Duration day = Duration.ofDays(1);
            table.put("a", "1");
            assertThat(table.compareAndSet("a", "no", "2", hour)).isFalse();
            assertThat(table.timeToLive("a")).isZero();
            assertThat(table.compareAndSet("a", "1", "2", hour)).isTrue();
            assertThat(table.timeToLive("a")).isBetween(hour.minusMinutes(1), hour);
            assertThat(table.increment("a", 5, day)).isEqualTo(7);
            assertThat(table.timeToLive("a")).isBetween(day.minusMinutes(1), day);
            assertThat(table.increment("a", 1, Duration.ZERO)).isEqualTo(8);
            assertThat(table.timeToLive("a")).isZero();
            assertThat(table.increment("new", -3, hour)).isEqualTo(-3);
            assertThat(table.timeToLive("new")).isBetween(hour.minusMinutes(1), hour);
            long version = table.putVersioned("v", "1", hour);
            assertThat(table.timeToLive("v")).isBetween(hour.minusMinutes(1), hour);
            assertThat(table.replaceIfVersion("v", "2", version + 1, day)).isFalse();
            assertThat(table.timeToLive("v")).isLessThanOrEqualTo(hour);
            assertThat(table.replaceIfVersion("v", "2", version, day)).isTrue();
            assertThat(table.timeToLive("v")).isBetween(day.minusMinutes(1), day);
            assertThat(table.get("v")).isEqualTo("2");
            assertThat(table.compareAndSet("a", "8", "9", Duration.ofMillis(1))).isTrue();
            await().until(() -> table.get("a") == null);
            assertThatThrownBy(() -> table.increment("n", 1, Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("time to live");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aTablesTimeToLiveGoesWithItsPartitionsThroughSplits() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            TableOptions options = TableOptions.capacity(300).withTimeToLive(Duration.ofSeconds(4));
            HashTable<String, String> table = names(cluster.client(), options);
            Map<String, String> records = new HashMap<>();
            for (int k = 0; k < 3000; k++) {
                records.put("key " + k, "value " + k);
            }
            table.putAll(records);
            table.put("kept", "for ever", Duration.ZERO);
            await().until(() -> cluster.client().tables().get(0).partitions() > 4);
            table.putAll(records);
            await().atMost(Duration.ofSeconds(20)).until(() -> table.size() == 1);
            assertThat(table.getAll(records.keySet())).isEmpty();
            assertThat(table.get("kept")).isEqualTo("for ever");
            await().until(() -> cluster.client().tables().get(0).records() == 1);
        }
    }

    @Test
    void aWriteByVersionTakesEffectOnlyOnTheVersionThatWasRead() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.defaults());
            assertThat(table.getVersioned("a")).isNull();
            assertThat(table.replaceIfVersion("a", "x", 0)).isFalse();
            long first = table.putVersioned("a", "1");
            assertThat(table.getVersioned("a")).isEqualTo(new Versioned<>("1", first, Duration.ZERO));
            assertThat(table.replaceIfVersion("a", "2", first)).isTrue();
            assertThat(table.replaceIfVersion("a", "3", first)).isFalse();
            assertThat(table.removeIfVersion("a", first)).isFalse();
            assertThat(table.get("a")).isEqualTo("2");
            assertThat(table.remove("a")).isTrue();
            assertThat(table.putVersioned("a", "1")).isGreaterThan(first);
            assertThat(table.replaceIfVersion("a", "3", first)).isFalse();
            long last = table.getVersioned("a").version();
            assertThat(table.expire("a", Duration.ofHours(1))).isTrue();
            assertThat(table.getVersioned("a").version()).isEqualTo(last);
            assertThat(table.removeIfVersion("a", last)).isTrue();
            assertThat(table.get("a")).isNull();
        }
    }

    @Test
    void aScanForVersionsGivesWhatConditionalWritesCompare() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.capacity(150));
            for (int k = 0; k < 600; k++) {
                table.put("key " + k, "value " + k, k % 2 == 0 ? Duration.ofHours(1) : Duration.ZERO);
            }
            Scan<String, Versioned<String>> scan =
                    table.scan(Filters.parse("key contains '7'")).versioned();
            String token = null;
            int found = 0;
            boolean more = true;
            while (more) {
                try (Cursor<String, Versioned<String>> page = token == null ? scan.openResumable() : scan.open(token)) {
                    for (int k = 0; k < 100 && page.hasNext(); k++) {
                        Map.Entry<String, Versioned<String>> entry = page.next();
                        Versioned<String> read = table.getVersioned(entry.getKey());
                        assertThat(entry.getValue().value()).isEqualTo(read.value());
                        assertThat(entry.getValue().version()).isEqualTo(read.version());
                        assertThat(entry.getValue().timeToLive().isZero())
                                .isEqualTo(read.timeToLive().isZero());
                        assertThat(entry.getValue().timeToLive()).isLessThanOrEqualTo(Duration.ofHours(1));
                        found++;
                        assertThat(table.removeIfVersion(
                                        entry.getKey(), entry.getValue().version()))
                                .isTrue();
                    }
                    more = page.hasNext();
                    token = page.token();
                }
            }
            assertThat(found).isEqualTo((int)
                    IntStream.range(0, 600).filter(k -> ("" + k).contains("7")).count());
            assertThat(table.size()).isEqualTo(600 - found);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aGrowingTableHoldsEveryRecordExactlyOnce(int stages) {
        int records = 20_000;
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4, MEMORY, stages)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.capacity(150));
            Map<String, String> model = new HashMap<>();
            for (int k = 0; k < records; k++) {
                model.put("key " + k, "value " + k);
            }
            table.putAll(model);
            assertThat(table.size()).isEqualTo(records);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.client().tables().get(0).partitions() > 16);
            Map<String, String> seen = new HashMap<>();
            table.scan()
                    .forEach((key, value) -> assertThat(seen.put(key, value)).isNull());
            assertThat(seen).isEqualTo(model);
            assertThat(table.scan(Filters.parse("value contains '777'")).count())
                    .isEqualTo(model.values().stream()
                            .filter(v -> v.contains("777"))
                            .count());
            try (SddsClient late = SddsClient.connect(cluster.address())) {
                HashTable<String, String> seenLate = late.hashTable("names", Codec.utf8(), Codec.utf8());
                for (int k = 0; k < records; k += 97) {
                    assertThat(seenLate.get("key " + k)).isEqualTo("value " + k);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Splitting.class, names = "UNKNOWN", mode = EnumSource.Mode.EXCLUDE)
    void everyVariantOfSplittingKeepsEveryRecord(Splitting splitting) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(4)) {
            for (Shipping shipping : List.of(Shipping.INDIVIDUAL, Shipping.BULK)) {
                TableOptions options = TableOptions.capacity(80)
                        .withSplitting(splitting)
                        .withShipping(shipping)
                        .withSliceBytes(2048);
                String name = splitting + "-" + shipping;
                HashTable<String, String> table =
                        cluster.client().createHashTable(name, options, Codec.utf8(), Codec.utf8());
                Map<String, String> model = new HashMap<>();
                for (int k = 0; k < 2000; k++) {
                    model.put("key " + k, "value " + k);
                }
                table.putAll(model);
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> cluster.client().tables().stream()
                                .anyMatch(info -> info.name().equals(name) && info.partitions() > 16));
                Map<String, String> seen = new HashMap<>();
                table.scan()
                        .forEach(
                                (key, value) -> assertThat(seen.put(key, value)).isNull());
                assertThat(seen).as(name).isEqualTo(model);
            }
        }
    }

    @Test
    void scansWhileTheTableSplitsSeeWhatWasThereThroughoutExactlyOnce() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.capacity(300));
            Set<String> there = new HashSet<>();
            for (int k = 0; k < 2000; k++) {
                there.add("old " + k);
            }
            Map<String, String> first = new HashMap<>();
            there.forEach(key -> first.put(key, ""));
            table.putAll(first);
            for (int round = 0; round < 10; round++) {
                Map<String, String> more = new HashMap<>();
                for (int k = 0; k < 1000; k++) {
                    more.put("new " + round + " " + k, "");
                }
                var loading = table.putAllAsync(more);
                Set<String> seen = new HashSet<>();
                table.scan()
                        .forEach((key, value) ->
                                assertThat(seen.add(key)).as(key).isTrue());
                assertThat(there).allMatch(seen::contains);
                loading.join();
                there.addAll(more.keySet());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Execution(ExecutionMode.CONCURRENT)
    void cursorsAndScansWhileTheTableMergesSeeWhatIsThereExactlyOnce(int stages) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3, MEMORY, stages, 50_000_000)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.capacity(35));
            Map<String, String> gone = new HashMap<>();
            Map<String, String> there = new HashMap<>();
            for (int k = 0; k < 1000; k++) {
                (k % 10 == 0 ? there : gone).put("key " + k, "value " + k);
            }
            table.putAll(gone);
            table.putAll(there);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.client().tables().get(0).partitions() > 16);
            Cursor<String, String> slow = table.scan().open();
            Map<String, String> seenSlowly = new HashMap<>();
            gone.keySet().forEach(table::remove);
            int scans = 0;
            while (cluster.client().tables().get(0).partitions() > 8) {
                Map<String, String> seen = new HashMap<>();
                table.scan()
                        .forEach(
                                (key, value) -> assertThat(seen.put(key, value)).isNull());
                assertThat(seen).isEqualTo(there);
                assertThat(table.size()).isEqualTo(there.size());
                for (int k = 0; k < 5 && slow.hasNext(); k++) {
                    Map.Entry<String, String> entry = slow.next();
                    assertThat(seenSlowly.put(entry.getKey(), entry.getValue())).isNull();
                }
                scans++;
            }
            slow.forEachRemaining(entry ->
                    assertThat(seenSlowly.put(entry.getKey(), entry.getValue())).isNull());
            assertThat(seenSlowly).containsAllEntriesOf(there);
            assertThat(scans).isGreaterThan(1);
            there.forEach((key, value) -> assertThat(table.get(key)).isEqualTo(value));
            table.putAll(gone);
            assertThat(table.size()).isEqualTo(1000);
            table.clear();
            assertThat(table.size()).isZero();
        }
    }

    @Test
    void anotherClientGoesOnFromACursorsTokenWhileTheTableShrinks() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3, MEMORY, 1, 50_000_000);
                SddsClient other = SddsClient.connect(cluster.address())) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.capacity(35));
            Map<String, String> gone = new HashMap<>();
            Map<String, String> there = new HashMap<>();
            for (int k = 0; k < 1000; k++) {
                (k % 5 == 0 ? there : gone).put("key " + k, "value " + k);
            }
            table.putAll(gone);
            table.putAll(there);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.client().tables().get(0).partitions() > 16);
            List<Scan<String, String>> scans = List.of(
                    table.scan(Filters.parse("value contains 'value'")),
                    other.hashTable("names", Codec.utf8(), Codec.utf8()).scan(Filters.parse("value contains 'value'")));
            Map<String, String> seen = new HashMap<>();
            String token;
            try (Cursor<String, String> first = scans.get(0).openResumable()) {
                token = first.token();
            }
            int pages = 0;
            for (boolean more = true; more; pages++) {
                try (Cursor<String, String> page = scans.get(pages % 2).open(token)) {
                    for (int k = 0; k < 12 && page.hasNext(); k++) {
                        Map.Entry<String, String> entry = page.next();
                        assertThat(seen.put(entry.getKey(), entry.getValue())).isNull();
                    }
                    more = page.hasNext();
                    token = page.token();
                }
                if (pages == 3) {
                    gone.keySet().forEach(table::remove);
                }
            }
            assertThat(seen).containsAllEntriesOf(there);
            assertThat(pages).isGreaterThan(10);
            String end = token;
            assertThat(scans.get(1).open(end).hasNext()).isFalse();
            assertThatThrownBy(() -> table.scan().open(end))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another filter");
            assertThatThrownBy(() -> table.scan().open().token()).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void valuesUpTo16MebibytesComeBackAsTheyWere(int stages) {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2, MEMORY, stages)) {
            HashTable<byte[], byte[]> table =
                    cluster.client().createHashTable("large", TableOptions.defaults(), Codec.bytes(), Codec.bytes());
            SplittableRandom random = new SplittableRandom(1);
            for (int length : new int[] {0, 1, 65_536, 262_000, 262_144, 1 << 20, 16 << 20}) {
                byte[] key = new byte[1 + random.nextInt(65_535)];
                byte[] value = new byte[length];
                random.nextBytes(key);
                random.nextBytes(value);
                table.put(key, value);
                assertThat(Arrays.equals(table.get(key), value))
                        .as("%d bytes", length)
                        .isTrue();
            }
            assertThatThrownBy(() -> table.put(new byte[1], new byte[(16 << 20) + 1]))
                    .isInstanceOf(RecordTooLargeException.class);
            assertThatThrownBy(() -> table.put(new byte[0], new byte[1])).isInstanceOf(RuntimeException.class);
        }
    }

    /** Together the records of an LH-bucket are more than a message may be. */
    @Test
    void aTableOfLargeValuesSplitsAndAScanTellsEachOnce() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1, MEMORY)) {
            HashTable<String, byte[]> table =
                    cluster.client().createHashTable("large", TableOptions.defaults(), Codec.utf8(), Codec.bytes());
            byte[] value = new byte[6 << 20];
            List<String> written = new ArrayList<>();
            for (int k = 0; k < 16; k++) {
                written.add("key " + k + " " + value.length);
                table.put("key " + k, value);
            }

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> cluster.client().tables().get(0).partitions() > 1);

            List<String> seen = new ArrayList<>();
            table.scan().forEach((key, found) -> seen.add(key + " " + found.length));
            assertThat(seen).containsExactlyInAnyOrderElementsOf(written);
            assertThat(table.scan().count()).isEqualTo(16);
        }
    }

    @Test
    void aFullBrickRefusesPutsLosesNothingAndGoesOnReading() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1, 24L << 20)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.defaults());
            String value = "x".repeat(100_000);
            int stored = 0;
            try {
                while (stored < 1000) {
                    table.put("key " + stored, value);
                    stored++;
                }
            } catch (MemoryFullException expected) {
                assertThat(stored).isGreaterThan(50);
            }
            assertThat(stored).isLessThan(1000);
            assertThat(table.size()).isEqualTo(stored);
            for (int k = 0; k < stored; k++) {
                assertThat(table.get("key " + k)).isEqualTo(value);
            }
            assertThat(table.remove("key 0")).isTrue();
            assertThat(table.remove("key 1")).isTrue();
            table.put("again", value);
        }
    }

    @Test
    void aBrickThatComesBackEmptyIsSaidToHaveLostItsRecords() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            SddsClient client = cluster.client();
            HashTable<String, String> table = names(client, TableOptions.defaults());
            table.put("a", "b");
            long versionOfLost = table.getVersioned("a").version();
            cluster.kill(1);
            cluster.startBrick(1);
            cluster.awaitReady();
            assertThatThrownBy(() -> table.get("a")).isInstanceOf(UnavailableException.class);
            client.acceptLoss("names", true);
            assertThat(table.get("a")).isNull();
            table.put("a", "c");
            assertThat(table.get("a")).isEqualTo("c");
            assertThat(table.replaceIfVersion("a", "d", versionOfLost))
                    .as("a version of a lost record is never given again")
                    .isFalse();
        }
    }

    @Test
    void tablesAreCreatedOnceAndDroppedForGood() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            SddsClient client = cluster.client();
            HashTable<String, String> table = names(client, TableOptions.defaults());
            table.put("a", "b");
            assertThatThrownBy(() -> names(client, TableOptions.defaults())).isInstanceOf(TableExistsException.class);
            assertThatThrownBy(() -> client.hashTable("nothing", Codec.utf8(), Codec.utf8()))
                    .isInstanceOf(NoSuchTableException.class);
            client.dropTable("names");
            assertThatThrownBy(() -> table.get("a")).isInstanceOf(NoSuchTableException.class);
            assertThat(client.tables()).extracting(TableInfo::name).isEmpty();
            HashTable<String, String> anew = names(client, TableOptions.defaults());
            assertThat(anew.get("a")).isNull();
        }
    }

    @Test
    void aBlockingCallOnTheClientsOwnThreadIsRefusedAtOnce() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<String, String> table = names(cluster.client(), TableOptions.defaults());
            CompletableFuture<String> answer = new CompletableFuture<>();
            table.getAsync(
                    "a",
                    (value, failure) -> { // on the client's thread, even if the answer is there before this returns
                        try {
                            answer.complete(table.get("b"));
                        } catch (IllegalStateException expected) {
                            answer.complete("refused");
                        }
                    });
            assertThat(answer.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo("refused");
        }
    }

    private static HashTable<String, String> names(SddsClient client, TableOptions options) {
        return client.withTimeout(Duration.ofSeconds(10)).createHashTable("names", options, Codec.utf8(), Codec.utf8());
    }
}
