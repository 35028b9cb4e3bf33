package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sdds.client.Codec;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables as maps do what maps of this JDK do, by their public contract: what they answer, what they throw, and what is
 * left.
 */
class MapViewPropertyTest {
    private static final Comparator<String> BY_BYTES = (one, other) -> Arrays.compareUnsigned(utf8(one), utf8(other));
    private static final int STEPS = Seeds.part(1500);
    private static final int KEYS = 40;
    private static final int OFTEN = 8;

    private static EmbeddedCluster cluster;
    private static RangeTable<String, String> ordered;
    private static ConcurrentMap<String, String> hashed;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(3);
        SddsClient client = cluster.client();
        ordered = client.createRangeTable("ordered", TableOptions.capacity(5), Codec.utf8(), Codec.utf8());
        hashed = client.createHashTable("hashed", TableOptions.capacity(5), Codec.utf8(), Codec.utf8())
                .asMap();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void clear() {
        ordered.clear();
        hashed.clear();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Some are between the others in code points and not in UTF-16; some are drawn often, so that ends of ranges meet.
     */
    private static String key(SplittableRandom random) {
        int number = random.nextInt(random.nextInt(3) == 0 ? KEYS : OFTEN);
        return (number % 10 == 3 ? "\uffee" : number % 10 == 7 ? "😀" : "k") + number;
    }

    private static String value(SplittableRandom random) {
        return "v" + random.nextInt(5);
    }

    // ---- the same as a model

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRangeTableIsANavigableMap(long seed) {
        NavigableMap<String, String> model = new TreeMap<>(BY_BYTES);
        ConcurrentNavigableMap<String, String> map = ordered.asMap();
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < STEPS; step++) {
            String fed = key(random); // else much more is removed than put
            assertThat(map.putIfAbsent(fed, "fed")).isEqualTo(model.putIfAbsent(fed, "fed"));
            List<NavigableMap<String, String>> parts = part(map, model, random.split(), random.nextInt(4));
            if (parts.isEmpty()) {
                continue;
            }
            long draws = random.nextLong();
            boolean isOfSets = random.nextInt(3) == 0;
            assertSame(
                    "seed " + seed + ", step " + step,
                    isOfSets
                            ? () -> navigate(parts.get(0).navigableKeySet(), new Draws(draws))
                            : () -> navigate(parts.get(0), new Draws(draws)),
                    isOfSets
                            ? () -> navigate(parts.get(1).navigableKeySet(), new Draws(draws))
                            : () -> navigate(parts.get(1), new Draws(draws)));
        }
        assertThat(map).isEqualTo(model).hasSameHashCodeAs(model).hasToString(model.toString());
        assertThat(new ArrayList<>(map.descendingMap().entrySet()))
                .isEqualTo(new ArrayList<>(model.descendingMap().entrySet()));
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void aHashTableIsAMap(long seed) {
        Map<String, String> model = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < STEPS; step++) {
            long draws = random.nextLong();
            assertSame(
                    "seed " + seed + ", step " + step,
                    () -> operate(hashed, new Draws(draws)),
                    () -> operate(model, new Draws(draws)));
        }
        assertThat(hashed).isEqualTo(model).hasSameHashCodeAs(model);
        assertThat(hashed.keySet()).isEqualTo(model.keySet());
    }

    /** The same draws each time it is made from the same seed. */
    private static final class Draws {
        private final SplittableRandom random;

        Draws(long seed) {
            this.random = new SplittableRandom(seed);
        }

        int below(int bound) {
            return random.nextInt(bound);
        }

        boolean either() {
            return random.nextBoolean();
        }

        String key() {
            return MapViewPropertyTest.key(random);
        }

        String value() {
            return MapViewPropertyTest.value(random);
        }
    }

    private static void assertSame(String when, Callable<Object> ours, Callable<Object> models) {
        Object expected = outcome(models);
        assertThat(outcome(ours)).as(when).isEqualTo(expected);
    }

    private static Object outcome(Callable<Object> operation) {
        try {
            Object result = operation.call();
            if (result instanceof Map<?, ?> map) {
                return new ArrayList<>(map.entrySet()).toString();
            }
            return result instanceof Collection<?> all ? new ArrayList<Object>(all).toString() : result;
        } catch (Exception e) {
            return e.getClass();
        }
    }

    /** The same part of both maps; none where both refuse to make it. */
    private static List<NavigableMap<String, String>> part(
            NavigableMap<String, String> ours,
            NavigableMap<String, String> models,
            SplittableRandom random,
            int depth) {
        if (depth == 0) {
            return List.of(ours, models);
        }
        long draws = random.nextLong();
        Object made = outcome(() -> List.of(partOf(ours, new Draws(draws))).size());
        assertThat(made)
                .as("depth %d", depth)
                .isEqualTo(
                        outcome(() -> List.of(partOf(models, new Draws(draws))).size()));
        return made.equals(1)
                ? part(partOf(ours, new Draws(draws)), partOf(models, new Draws(draws)), random, depth - 1)
                : List.of();
    }

    private static NavigableMap<String, String> partOf(NavigableMap<String, String> map, Draws draws) {
        return switch (draws.below(4)) {
            case 0 -> map.headMap(draws.key(), draws.either());
            case 1 -> map.tailMap(draws.key(), draws.either());
            case 2 -> map.subMap(draws.key(), draws.either(), draws.key(), draws.either());
            default -> map.descendingMap();
        };
    }

    private static Object navigate(NavigableMap<String, String> map, Draws draws) {
        return switch (draws.below(26)) {
            case 0 -> map.firstEntry();
            case 1 -> map.lastEntry();
            case 2 -> map.lowerEntry(draws.key());
            case 3 -> map.floorEntry(draws.key());
            case 4 -> map.ceilingEntry(draws.key());
            case 5 -> map.higherEntry(draws.key());
            case 6 -> map.firstKey();
            case 7 -> map.lastKey();
            case 8 -> map.lowerKey(draws.key());
            case 9 -> map.floorKey(draws.key());
            case 10 -> map.ceilingKey(draws.key());
            case 11 -> map.higherKey(draws.key());
            case 12 -> map.pollFirstEntry();
            case 13 -> map.pollLastEntry();
            case 14 -> map.headMap(draws.key());
            case 15 -> map.tailMap(draws.key());
            case 16 -> map.subMap(draws.key(), draws.key());
            case 17 -> map.comparator().compare(draws.key(), draws.key()) < 0;
            default -> operate(map, draws);
        };
    }

    private static Object navigate(NavigableSet<String> set, Draws draws) {
        return switch (draws.below(19)) {
            case 0 -> set.first();
            case 1 -> set.last();
            case 2 -> set.lower(draws.key());
            case 3 -> set.floor(draws.key());
            case 4 -> set.ceiling(draws.key());
            case 5 -> set.higher(draws.key());
            case 6 -> set.pollFirst();
            case 7 -> set.pollLast();
            case 8 -> set.headSet(draws.key());
            case 9 -> set.tailSet(draws.key());
            case 10 -> set.subSet(draws.key(), draws.key());
            case 11 -> set.headSet(draws.key(), draws.either()).descendingSet();
            case 12 -> set.tailSet(draws.key(), draws.either()).size();
            case 13 -> set.subSet(draws.key(), draws.either(), draws.key(), draws.either());
            case 14 -> set.contains(draws.key());
            case 15 -> set.remove(draws.key());
            case 16 -> all(set.descendingIterator());
            case 17 -> set.stream().toList();
            default -> set.isEmpty();
        };
    }

    private static List<String> all(Iterator<String> iterator) {
        List<String> all = new ArrayList<>();
        iterator.forEachRemaining(all::add);
        return all;
    }

    /** What any map can do. Listings are sorted, since a hash table has no order. */
    private static Object operate(Map<String, String> map, Draws draws) {
        String key = draws.key();
        return switch (draws.below(24)) {
            case 0, 1, 2, 3, 4, 5 -> map.put(key, draws.value());
            case 6 -> map.get(key);
            case 7 -> map.getOrDefault(key, "none");
            case 8 -> map.containsKey(key);
            case 9 -> map.containsValue(draws.value());
            case 10 -> map.remove(key);
            case 11 -> map.remove(key, draws.value());
            case 12 -> map.putIfAbsent(key, draws.value());
            case 13 -> map.replace(key, draws.value());
            case 14 -> map.replace(key, draws.value(), draws.value());
            case 15 -> map.size();
            case 16 -> map.isEmpty();
            case 17 -> map.entrySet().contains(Map.entry(key, draws.value()));
            case 18 -> map.entrySet().remove(Map.entry(key, draws.value()));
            case 19 -> map.values().stream().sorted().toList();
            case 20 -> map.keySet().remove(key);
            case 21 -> map.containsKey(key) ? map.merge(key, draws.value(), (one, other) -> one + other) : null;
            case 22 -> map.containsKey(key) ? map.computeIfPresent(key, (any, value) -> null) : null;
            default -> rare(map, draws);
        };
    }

    private static Object rare(Map<String, String> map, Draws draws) {
        switch (draws.below(5)) {
            case 0 -> map.keySet().removeIf(key -> key.hashCode() % 3 == 0);
            case 1 ->
                map.keySet()
                        .retainAll(Set.copyOf(List.copyOf(map.keySet()).stream()
                                .filter(k -> k.length() < 3)
                                .toList()));
            case 2 -> map.replaceAll((key, value) -> value + "r");
            case 3 -> map.clear();
            default -> map.entrySet().removeIf(entry -> entry.getValue().equals("v1"));
        }
        return map.size();
    }

    // ---- what a model does not show

    @Test
    void nullAndEmptyKeysAndForeignTypesAreRefused() {
        for (ConcurrentMap<String, String> map : List.of(hashed, ordered.asMap())) {
            assertThatThrownBy(() -> map.get(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> map.put(null, "v")).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> map.put("k", null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> map.replace("k", null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> map.containsValue(null)).isInstanceOf(NullPointerException.class);
            assertThat(map.remove("k", null)).isFalse();
            assertThatThrownBy(() -> map.get(5)).isInstanceOf(ClassCastException.class);
            assertThatThrownBy(() -> map.put("", "v"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key of 0 bytes");
            assertThat(map.equals(Map.of(1, 2))).isFalse();
        }
    }

    @Test
    void entriesCannotBeSetAndIteratorsRemoveWhatTheyGaveLast() {
        for (ConcurrentMap<String, String> map : List.of(hashed, ordered.asMap())) {
            map.putAll(Map.of("a", "1", "b", "2"));
            Iterator<Map.Entry<String, String>> entries = map.entrySet().iterator();
            assertThatThrownBy(entries::remove).isInstanceOf(IllegalStateException.class);
            Map.Entry<String, String> first = entries.next();
            assertThatThrownBy(() -> first.setValue("3")).isInstanceOf(UnsupportedOperationException.class);
            entries.remove();
            assertThatThrownBy(entries::remove).isInstanceOf(IllegalStateException.class);
            assertThat(map).hasSize(1).doesNotContainKey(first.getKey());
        }
    }

    @Test
    void aPartOfARangeTableRefusesKeysOutsideAndEndsBeyondItsOwn() {
        ConcurrentNavigableMap<String, String> part = ordered.asMap().subMap("b", false, "d", true);
        assertThatThrownBy(() -> part.put("b", "v"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key b is out of range");
        assertThatThrownBy(() -> part.putAll(Map.of("c", "v", "e", "v"))).isInstanceOf(IllegalArgumentException.class);
        assertThat(ordered.size()).isZero();
        assertThatThrownBy(() -> part.tailMap("b", true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> part.descendingMap().headMap("b", true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> part.subMap("d", "c")).isInstanceOf(IllegalArgumentException.class);
        part.put("c", "v");
        assertThat(part.descendingMap().headMap("c", true)).containsOnlyKeys("c");
        ordered.put("b", "stays");
        part.clear();
        assertThat(ordered.asMap()).containsOnlyKeys("b");
    }

    @Test
    void aLargeMapIsWalkedWhileItsTableSplits() {
        TreeMap<String, String> model = new TreeMap<>(BY_BYTES);
        IntStream.range(0, 1500).forEach(k -> model.put("key-" + k, "value " + k));
        ordered.asMap().putAll(model);
        assertThat(new ArrayList<>(ordered.asMap().entrySet())).isEqualTo(new ArrayList<>(model.entrySet()));
        hashed.putAll(model);
        assertThat(hashed).isEqualTo(model);
        await().untilAsserted(() -> assertThat(cluster.client().tables())
                .allSatisfy(table -> assertThat(table.partitions()).isGreaterThan(50)));
        assertThat(ordered.asMap().keySet()).containsExactlyElementsOf(model.keySet());
        assertThat(hashed.keySet().stream().sorted(BY_BYTES)).containsExactlyElementsOf(model.keySet());
    }

    // ---- many at once

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsLostWhenManyMergeIntoTheSameKeys(boolean isOrdered) throws Exception {
        ConcurrentMap<String, String> map = isOrdered ? ordered.asMap() : hashed;
        atOnce(worker -> {
            for (int k = 0; k < 200; k++) {
                map.merge("key-" + k % 5, "1", (one, other) -> "" + (Integer.parseInt(one) + Integer.parseInt(other)));
            }
            return List.of();
        });
        assertThat(map).hasSize(5).containsValue("160").doesNotContainValue("159");
        assertThat(map.values()).containsOnly("160");
    }

    @Test
    void whatManyPollComesToEachOnce() throws Exception {
        ConcurrentSkipListMap<String, String> model = new ConcurrentSkipListMap<>();
        IntStream.range(0, 400).forEach(k -> model.put("key-" + k, "value " + k));
        ConcurrentNavigableMap<String, String> map = ordered.asMap();
        map.putAll(model);
        List<String> polled = atOnce(worker -> {
            List<String> mine = new ArrayList<>();
            Map.Entry<String, String> entry;
            while ((entry = worker % 2 == 0 ? map.pollFirstEntry() : map.pollLastEntry()) != null) {
                assertThat(entry.getValue()).isEqualTo(model.get(entry.getKey()));
                mine.add(entry.getKey());
            }
            return mine;
        });
        assertThat(polled).containsExactlyInAnyOrderElementsOf(model.keySet());
        assertThat(map).isEmpty();
    }

    private interface Work {
        List<String> of(int worker);
    }

    private static List<String> atOnce(Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<List<String>>> all = IntStream.range(0, 4)
                    .<Callable<List<String>>>mapToObj(worker -> () -> work.of(worker))
                    .toList();
            List<String> done = new ArrayList<>();
            for (Future<List<String>> future : threads.invokeAll(all)) {
                done.addAll(future.get());
            }
            return done;
        } finally {
            threads.shutdownNow();
        }
    }
}
