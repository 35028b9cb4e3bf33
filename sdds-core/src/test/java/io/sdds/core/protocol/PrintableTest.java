package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void leavesTextAsItIs() {
        assertThat(Printable.of("b1 at 10.0.0.7:7500, größer 日本 \ud83d\ude00", 100))
                .isEqualTo("b1 at 10.0.0.7:7500, größer 日本 \ud83d\ude00");
    }

    @Test
    void escapesWhatWouldBeginALineOrActOnATerminal() {
        assertThat(Printable.of("a\nb\r\u001b[31m\u202e\u2028", 100))
                .isEqualTo("a\\nb\\u000d\\u001b[31m\\u202e\\u2028");
    }

    @Test
    void cutsWhatIsLong() {
        assertThat(Printable.of("abcdef", 3)).isEqualTo("abc...");
        assertThat(Printable.of("abc", 3)).isEqualTo("abc");
    }
}
