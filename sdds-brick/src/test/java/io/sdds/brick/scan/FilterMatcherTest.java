package io.sdds.brick.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Filter;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.ProtocolViolation;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilterMatcherTest {
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(source, budget);
    private final long cat = record("U+01F431", "CAT FACE");
    private final long empty = record("k", "");

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void equalsWantsAllBytes() {
        assertThat(matches(value(Filter.Test.EQUALS, "CAT FACE"), cat)).isTrue();
        assertThat(matches(value(Filter.Test.EQUALS, "CAT"), cat)).isFalse();
        assertThat(matches(value(Filter.Test.EQUALS, ""), empty)).isTrue();
    }

    @Test
    void prefixWantsTheFirstBytes() {
        assertThat(matches(key(Filter.Test.PREFIX, "U+01F"), cat)).isTrue();
        assertThat(matches(key(Filter.Test.PREFIX, "U+01F4319"), cat)).isFalse();
        assertThat(matches(key(Filter.Test.PREFIX, ""), cat)).isTrue();
    }

    @Test
    void containsFindsBytesAnywhere() {
        for (String part : new String[] {"CAT", "FACE", "T F", "E", "", "CAT FACE"}) {
            assertThat(matches(value(Filter.Test.CONTAINS, part), cat)).as(part).isTrue();
        }
        for (String part : new String[] {"DOG", "CAT FACES", "AA"}) {
            assertThat(matches(value(Filter.Test.CONTAINS, part), cat)).as(part).isFalse();
        }
        assertThat(matches(value(Filter.Test.CONTAINS, "x"), empty)).isFalse();
    }

    @Test
    void combinesByAndOrNot() {
        Filter isCat = value(Filter.Test.CONTAINS, "CAT");
        Filter isDog = value(Filter.Test.CONTAINS, "DOG");
        assertThat(matches(isCat.and(isDog), cat)).isFalse();
        assertThat(matches(isCat.or(isDog), cat)).isTrue();
        assertThat(matches(isCat.and(isDog.negate()), cat)).isTrue();
        assertThat(matches(Filter.everything(), cat)).isTrue();
    }

    @Test
    void agreesWithAPlainEvaluationOfEachRecordOfABatch() {
        SplittableRandom random = Seeds.random("FilterMatcherTest.agrees");
        for (int round = 0; round < 300; round++) {
            RecordBatch batch = new RecordBatch();
            List<String[]> records = new ArrayList<>();
            for (int i = random.nextInt(200); i > 0; i--) {
                String[] record = {"k" + text(random, 20), text(random, 100)};
                records.add(record);
                batch.add(record(record[0], record[1]));
            }
            Filter filter = filter(random, 3);
            FilterMatcher matcher = FilterMatcher.of(filter, new ByteSearch());
            for (int i = 0; i < records.size(); i++) {
                int from = i / FilterMatcher.RECORDS_MAX * FilterMatcher.RECORDS_MAX;
                assertThat(matcher.matches(store, batch, from) >>> i - from & 1)
                        .as("%s of %s", filter, List.of(records.get(i)))
                        .isEqualTo(passes(filter, records.get(i)) ? 1 : 0);
            }
            assertThat(matcher.matches(store, batch, records.size())).isZero();
        }
    }

    private static Filter filter(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth == 0 ? 3 : 6)) {
            case 3 -> filter(random, depth - 1).and(filter(random, depth - 1));
            case 4 -> filter(random, depth - 1).or(filter(random, depth - 1));
            case 5 -> filter(random, depth - 1).negate();
            default -> {
                Filter.Test test = Filter.Test.values()[random.nextInt(3)];
                yield random.nextBoolean()
                        ? key(test, "k" + text(random, 3))
                        : value(test, text(random, random.nextInt(4) == 0 ? 20 : 4));
            }
        };
    }

    /** Text of few different letters, so that parts of it are found. */
    private static String text(SplittableRandom random, int lengthBound) {
        return random.ints(random.nextInt(lengthBound), 'a', 'd')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static boolean passes(Filter filter, String[] record) {
        return switch (filter) {
            case Filter.And and -> and.parts().stream().allMatch(part -> passes(part, record));
            case Filter.Or or -> or.parts().stream().anyMatch(part -> passes(part, record));
            case Filter.Not not -> !passes(not.part(), record);
            case Filter.Match match -> {
                String field = record[match.field().ordinal()];
                String operand = new String(match.operand(), StandardCharsets.UTF_8);
                yield switch (match.test()) {
                    case EQUALS -> field.equals(operand);
                    case PREFIX -> field.startsWith(operand);
                    case CONTAINS -> field.contains(operand);
                };
            }
        };
    }

    @Test
    void theCacheKeepsTheFiltersUsedLast() {
        FilterCache cache = new FilterCache();
        assertThat(cache.filter(Unpooled.EMPTY_BUFFER)).isSameAs(FilterMatcher.EVERYTHING);
        FilterMatcher first = cache.filter(encoded("0"));
        for (int i = 1; i < FilterCache.FILTERS_MAX; i++) {
            cache.filter(encoded("" + i));
        }
        assertThat(cache.filter(encoded("0"))).isSameAs(first);
        FilterMatcher second = cache.filter(encoded("more than there is room for"));
        assertThat(cache.size()).isEqualTo(FilterCache.FILTERS_MAX);
        assertThat(cache.filter(encoded("0"))).isSameAs(first);
        assertThat(cache.filter(encoded("more than there is room for"))).isSameAs(second);
        String large = "x".repeat(Limits.FILTER_BYTES_MAX - 100);
        for (int i = 0; i < 8; i++) {
            cache.filter(encoded(i + large));
        }
        assertThat(cache.size()).isEqualTo(FilterCache.BYTES_MAX / Limits.FILTER_BYTES_MAX);
    }

    @Test
    void theCacheRefusesWhatIsNoFilterEachTime() {
        FilterCache cache = new FilterCache();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> cache.filter(Unpooled.wrappedBuffer(new byte[] {99})))
                    .isInstanceOf(ProtocolViolation.class);
        }
        assertThat(cache.size()).isZero();
    }

    private static ByteBuf encoded(String operand) {
        return Unpooled.wrappedBuffer(value(Filter.Test.CONTAINS, operand).encode());
    }

    private boolean matches(Filter filter, long ref) {
        RecordBatch batch = new RecordBatch();
        batch.add(ref);
        return FilterMatcher.of(filter, new ByteSearch()).matches(store, batch, 0) == 1;
    }

    private static Filter value(Filter.Test test, String operand) {
        return new Filter.Match(Filter.Field.VALUE, test, bytes(operand));
    }

    private static Filter key(Filter.Test test, String operand) {
        return new Filter.Match(Filter.Field.KEY, test, bytes(operand));
    }

    private long record(String key, String value) {
        MemorySegment k = MemorySegment.ofArray(bytes(key));
        MemorySegment v = MemorySegment.ofArray(bytes(value));
        return store.write(k, 0, key.length(), v, 0, value.length(), 1, RecordStore.NO_EXPIRY, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
