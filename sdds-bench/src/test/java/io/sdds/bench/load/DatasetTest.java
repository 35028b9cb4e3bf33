package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DatasetTest {
    @Test
    void keysDifferAndArePrintable() {
        Dataset data = new Dataset(200_000, 0, 1);
        Set<String> keys = new HashSet<>();
        for (int k = 0; k < data.size(); k++) {
            keys.add(new String(data.key(k), StandardCharsets.US_ASCII));
        }
        assertThat(keys).hasSize(200_000).allMatch(key -> key.matches("[A-Z0-5]{16}"));
    }

    @Test
    void sameSeedSameRecords() {
        Dataset one = new Dataset(100, 50, 7);
        Dataset other = new Dataset(100, 50, 7);
        for (int k = 0; k < 100; k++) {
            assertThat(one.key(k)).isEqualTo(other.key(k));
            assertThat(one.value(k)).isEqualTo(other.value(k));
        }
    }

    @Test
    void knowsAnothersValue() {
        Dataset data = new Dataset(100, 50, 7);
        assertThat(data.isValue(3, data.value(3))).isTrue();
        assertThat(data.isValue(3, data.value(4))).isFalse();
        assertThat(data.isValue(3, new byte[49])).isFalse();
        assertThat(data.isValue(3, null)).isFalse();
    }
}
