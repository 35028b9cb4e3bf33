package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterTest {
    private final Counter counter = new Counter();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 9, 10, -10, 1234567890123L, Long.MAX_VALUE, Long.MIN_VALUE})
    void readsWhatItWrote(long number) {
        assertThat(counter.add(0, number)).isTrue();
        assertThat(text()).isEqualTo(Long.toString(number));
        assertThat(read(Long.toString(number))).isTrue();
        assertThat(counter.number()).isEqualTo(number);
        counter.writeInt64();
        assertThat(counter.length()).isEqualTo(Long.BYTES);
        assertThat(counter.add(0, 0)).isTrue();
        assertThat(counter.readInt64(counter.bytes(), 0, Long.BYTES)).isTrue();
        assertThat(counter.number()).isEqualTo(number);
    }

    @Test
    void eightBytesAreInTheOrderOfTheNumbers() {
        assertThat(counter.add(0, -2)).isTrue();
        counter.writeInt64();
        assertThat(bytes()).containsExactly(0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe);
        assertThat(counter.readInt64(counter.bytes(), 0, 7)).isFalse();
        assertThat(counter.readInt64(counter.bytes(), 0, 9)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+1",
                "1.5",
                "abc",
                "12a",
                " 1",
                "9223372036854775808",
                "-9223372036854775809",
                "99999999999999999999"
            })
    void refusesWhatIsNo64BitNumber(String text) {
        assertThat(read(text)).isFalse();
    }

    @Test
    void refusesASumThatLeaves64Bits() {
        assertThat(counter.add(Long.MAX_VALUE, 1)).isFalse();
        assertThat(counter.add(Long.MIN_VALUE, -1)).isFalse();
        assertThat(counter.add(Long.MAX_VALUE, Long.MIN_VALUE)).isTrue();
        assertThat(text()).isEqualTo("-1");
    }

    private boolean read(String text) {
        return counter.readText(MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII)), 0, text.length());
    }

    private String text() {
        counter.writeText();
        return new String(bytes(), StandardCharsets.US_ASCII);
    }

    private byte[] bytes() {
        return counter.bytes().asSlice(0, counter.length()).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }
}
