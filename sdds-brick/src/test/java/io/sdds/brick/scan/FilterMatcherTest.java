package io.sdds.brick.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.protocol.Filter;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
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

    private boolean matches(Filter filter, long ref) {
        FilterMatcher matcher = FilterMatcher.read(Unpooled.wrappedBuffer(filter.encode()));
        return matcher == null || matcher.matches(store, ref);
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
