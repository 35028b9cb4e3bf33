package io.sdds.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.protocol.Limits;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    @Test
    void readsSizes() {
        assertThat(Quantities.size("0")).isZero();
        assertThat(Quantities.size("1500")).isEqualTo(1500);
        assertThat(Quantities.size("512k")).isEqualTo(512 << 10);
        assertThat(Quantities.size("64M")).isEqualTo(64 << 20);
        assertThat(Quantities.size("2g")).isEqualTo(2L << 30);
        assertThat(Quantities.size("3t")).isEqualTo(3L << 40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "-1", "1.5m", "64mb", "64 m", "99999999999999999999", "999999999999999999t"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> Quantities.size(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void readsTimes() {
        assertThat(Quantities.time("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(Quantities.time("5s")).isEqualTo(Duration.ofSeconds(5));
        assertThat(Quantities.time("10m")).isEqualTo(Duration.ofMinutes(10));
        assertThat(Quantities.time("1h")).isEqualTo(Duration.ofHours(1));
        assertThat(Quantities.time("1d")).isEqualTo(Duration.ofDays(1));
        assertThat(Quantities.time("36500d").toMillis()).isEqualTo(Limits.TTL_MILLIS_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "1.5s", "5sec", "36501d", "999999999999999ms", "999999999999999d"})
    void refusesWhatIsNoTime(String text) {
        assertThatThrownBy(() -> Quantities.time(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1500", "512k", "64m", "2g", "3t"})
    void writesSizesAsItReadsThem(String text) {
        assertThat(Quantities.sizeText(Quantities.size(text))).isEqualTo(text);
    }

    @Test
    void tellsSizesFromNumbers() {
        assertThat(Quantities.hasUnit("64m")).isTrue();
        assertThat(Quantities.hasUnit("64")).isFalse();
        assertThat(Quantities.hasUnit("")).isFalse();
    }
}
