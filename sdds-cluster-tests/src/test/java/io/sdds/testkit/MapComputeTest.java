package io.sdds.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.client.TimeoutException;
import java.time.Duration;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Maps whose functions change what they are given, whose codec gives equal values several forms, and to which others
 * write meanwhile.
 */
class MapComputeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A value that can be changed in place. */
    private static final Codec<StringBuilder> BUILDERS = new Codec<>() {
        @Override
        public byte[] encode(StringBuilder text) {
            return text.toString().getBytes(UTF_8);
        }

        @Override
        public StringBuilder decode(byte[] bytes) {
            return new StringBuilder(new String(bytes, UTF_8));
        }

        @Override
        public boolean ordered() {
            return false;
        }
    };

    /** Each encoding of a text has a number of its own before it. */
    private static final class Numbered implements Codec<String> {
        private final AtomicInteger next = new AtomicInteger();

        @Override
        public byte[] encode(String text) {
            return (next.incrementAndGet() + ":" + text).getBytes(UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            String numbered = new String(bytes, UTF_8);
            return numbered.substring(numbered.indexOf(':') + 1);
        }

        @Override
        public boolean ordered() {
            return false;
        }
    }

    private static EmbeddedCluster cluster;
    private static SddsClient client;
    private static ConcurrentMap<String, StringBuilder> builders;
    private static ConcurrentMap<String, String> numbered;
    private static ConcurrentNavigableMap<String, String> ordered;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(1);
        client = cluster.client();
        builders = client.createHashTable("builders", TableOptions.defaults(), Codec.utf8(), BUILDERS)
                .asMap();
        numbered = client.createHashTable("numbered", TableOptions.defaults(), Codec.utf8(), new Numbered())
                .asMap();
        ordered = client.createRangeTable("ordered", TableOptions.defaults(), Codec.utf8(), Codec.utf8())
                .asMap();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void clear() {
        builders.clear();
        numbered.clear();
        ordered.clear();
    }

    private static void ends(Executable step) {
        assertTimeoutPreemptively(PATIENCE, step);
    }

    /** As {@link ConcurrentMap} says, whether there is a record of the key or not. */
    @Test
    void aMissingValueOrFunctionIsRefused() {
        for (String key : List.of("absent", "present")) {
            ConcurrentMap<String, String> map = ordered;
            map.put("present", "1");
            assertThatNullPointerException().isThrownBy(() -> map.merge(key, "v", null));
            assertThatNullPointerException().isThrownBy(() -> map.merge(key, null, (a, b) -> a));
            assertThatNullPointerException().isThrownBy(() -> map.compute(key, null));
            assertThatNullPointerException().isThrownBy(() -> map.computeIfPresent(key, null));
            assertThatNullPointerException().isThrownBy(() -> map.computeIfAbsent(key, null));
            assertThatNullPointerException().isThrownBy(() -> map.putIfAbsent(key, null));
            assertThatNullPointerException().isThrownBy(() -> map.put(key, null));
            assertThatNullPointerException().isThrownBy(() -> map.replaceAll(null));
            assertThat(map).containsOnly(Map.entry("present", "1"));
        }
    }

    @Test
    void functionsMayChangeWhatTheyAreGiven() {
        ends(() -> {
            builders.put("a", new StringBuilder("1"));
            builders.compute("a", (key, value) -> value.append("2"));
            builders.computeIfPresent("a", (key, value) -> value.append("3"));
            builders.merge("a", new StringBuilder("4"), (value, other) -> value.append(other));
            builders.replaceAll((key, value) -> value.append("5"));
            assertThat(builders.get("a")).hasToString("12345");
            assertThat(builders.compute("a", (key, value) -> value.length() == 5 ? null : value))
                    .isNull();
            assertThat(builders.containsKey("a")).isFalse();
        });
    }

    @Test
    void aCodecMayGiveEqualValuesSeveralForms() {
        ends(() -> {
            assertThat(numbered.merge("a", "1", String::concat)).isEqualTo("1");
            assertThat(numbered.merge("a", "2", String::concat)).isEqualTo("12");
            assertThat(numbered.compute("a", (key, value) -> value + "3")).isEqualTo("123");
            assertThat(numbered.computeIfPresent("a", (key, value) -> value + "4"))
                    .isEqualTo("1234");
            assertThat(numbered.computeIfPresent("b", (key, value) -> value + "4"))
                    .isNull();
            assertThat(numbered.compute("b", (key, value) -> value == null ? "new" : "old"))
                    .isEqualTo("new");
            numbered.replaceAll((key, value) -> key + value);
            assertThat(numbered)
                    .containsOnlyKeys("a", "b")
                    .containsEntry("a", "a1234")
                    .containsEntry("b", "bnew");
            assertThat(numbered.merge("b", "x", (value, other) -> null)).isNull();
            assertThat(numbered).containsOnlyKeys("a");
        });
    }

    /** As in maps of this JDK: the condition itself writes in between. */
    @Test
    void removeIfKeepsWhatWasWrittenAgainMeanwhile() {
        ConcurrentMap<String, String> hashed = client.createHashTable(
                        "hashed", TableOptions.defaults(), Codec.utf8(), Codec.utf8())
                .asMap();
        for (ConcurrentMap<String, String> map : List.of(hashed, ordered, new ConcurrentHashMap<String, String>())) {
            map.put("a", "old");
            assertThat(map.values().removeIf(value -> map.replace("a", "new") != null && value.equals("old")))
                    .isFalse();
            assertThat(map.entrySet()
                            .removeIf(entry -> map.replace("a", "newer") != null
                                    && entry.getValue().equals("new")))
                    .isFalse();
            assertThat(map).containsOnly(Map.entry("a", "newer"));
            assertThat(map.entrySet().removeIf(entry -> entry.getValue().equals("newer")))
                    .isTrue();
            assertThat(map).isEmpty();
            assertThat(map.entrySet().removeIf(entry -> true)).isFalse();
        }
        numbered.put("a", "1");
        assertThat(numbered.values().removeIf(value -> value.equals("1"))).isTrue();
    }

    @Test
    void entriesWithoutKeyOrValueAreInNoMap() {
        for (ConcurrentMap<String, String> map : List.of(ordered, new ConcurrentHashMap<String, String>())) {
            map.put("a", "1");
            for (Map.Entry<String, String> entry :
                    List.of(new SimpleEntry<>("a", (String) null), new SimpleEntry<>((String) null, "1"))) {
                assertThat(map.entrySet().contains(entry)).isFalse();
                assertThat(map.entrySet().remove(entry)).isFalse();
            }
            assertThat(map).containsOnly(Map.entry("a", "1"));
        }
    }

    /** The function itself writes in between. */
    @Test
    void whatOthersAlwaysComeBeforeEndsWithItsTimeout() {
        ConcurrentMap<String, String> hasty = client.withTimeout(Duration.ofMillis(200))
                .hashTable("numbered", Codec.utf8(), new Numbered())
                .asMap();
        AtomicInteger other = new AtomicInteger();
        ends(() -> assertThatThrownBy(() -> hasty.compute("a", (key, value) -> {
                    numbered.put("a", "other" + other.incrementAndGet());
                    return "mine";
                }))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("not applied"));
        assertThat(numbered.get("a")).isEqualTo("other" + other.get());
        assertThat(other.get()).isGreaterThan(1);
    }

    @Test
    void valuesComeWithoutASizeSinceOthersWriteMeanwhile() {
        for (int k = 0; k < 10; k++) {
            ordered.put("k" + k, "v");
        }
        Spliterator<String> values = ordered.values().spliterator();
        assertThat(values.hasCharacteristics(Spliterator.SIZED)).isFalse();
        assertThat(values.hasCharacteristics(Spliterator.ORDERED | Spliterator.CONCURRENT))
                .isTrue();
        assertThat(numbered.values().spliterator().hasCharacteristics(Spliterator.SIZED))
                .isFalse();
        List<String> seen = new ArrayList<>();
        for (String value : ordered.values()) {
            ordered.put("a" + seen.size(), "v"); // behind the iterator's back
            seen.add(value);
        }
        assertThat(seen).hasSize(10);
        assertThat(ordered.values().stream().toArray()).hasSize(20);
        assertThat(ordered.values().removeIf(value -> value.equals("v"))).isTrue();
        assertThat(ordered.values()).isEmpty();
    }
}
