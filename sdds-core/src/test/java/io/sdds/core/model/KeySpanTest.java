package io.sdds.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeySpanTest {
    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static KeySpan span(String low, String high) {
        return new KeySpan(key(low), key(high));
    }

    @Test
    void holdsItsUpperBoundAndNotItsLower() {
        assertThat(span("b", "d").holds(key("b"))).isFalse();
        assertThat(span("b", "d").holds(key("b\0"))).isTrue();
        assertThat(span("b", "d").holds(key("d"))).isTrue();
        assertThat(span("b", "d").holds(key("d\0"))).isFalse();
    }

    @Test
    void holdsAnyKeyWithoutBounds() {
        assertThat(KeySpan.ALL.holds(key("\0"))).isTrue();
        assertThat(KeySpan.ALL.holds(key("\u00ff\u00ff"))).isTrue();
        assertThat(KeySpan.ALL.holdsAbove(key(""))).isTrue();
    }

    @Test
    void holdsWhatIsAboveItsLowerBoundAndNotAboveItsUpper() {
        assertThat(span("b", "d").holdsAbove(key("b"))).isTrue();
        assertThat(span("b", "d").holdsAbove(key("c"))).isTrue();
        assertThat(span("b", "d").holdsAbove(key("d"))).isFalse();
        assertThat(span("b", "").holdsAbove(key("\u00ff"))).isTrue();
        assertThat(span("b", "d").holdsAbove(key(""))).isFalse();
    }

    @Test
    void bytesAreComparedUnsigned() {
        assertThat(span("\u007f", "\u0081").holds(key("\u0080"))).isTrue();
    }

    @Test
    void aKeyDividesASpan() {
        assertThat(KeySpan.ALL.upTo(key("m"))).isEqualTo(span("", "m"));
        assertThat(KeySpan.ALL.above(key("m"))).isEqualTo(span("m", ""));
    }

    @Test
    void readsWell() {
        assertThat(KeySpan.ALL).hasToString("(-∞, +∞]");
        assertThat(span("a", "\u0001\u00ff")).hasToString("('a', x'01ff']");
    }
}
