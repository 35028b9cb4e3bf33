package io.sdds.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTokenTest {
    @Test
    void saysWhatItWasMadeOf() {
        for (CursorToken token : List.of(
                new CursorToken(7, -3, Long.MAX_VALUE, false, null),
                new CursorToken(1 << 20, 5, 0, true, null),
                new CursorToken(1, 2, 3, false, "key".getBytes(UTF_8)))) {
            CursorToken read = CursorToken.parse(token.text());
            assertThat(read.text()).isEqualTo(token.text());
            assertThat(read.key()).isEqualTo(token.key());
            assertThat(List.of(read.table(), read.scan(), read.left(), read.atEnd()))
                    .isEqualTo(List.of(token.table(), token.scan(), token.left(), token.atEnd()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "no token!", "AQ", "AgAAAAEAAAACAAAAAAAAAAMB", "AQAAAAEAAAACAAAAAAAAAAMB"})
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> CursorToken.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no cursor's token");
    }

    @Test
    void aBlockComesInTheOrderOfScansFromBehindAnyKey() {
        ByteBuffer block = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        for (int k = 0; k < 300; k++) {
            byte[] key = ("key " + k).getBytes(UTF_8);
            byte[] value = ("v" + k).getBytes(UTF_8);
            block.putShort((short) key.length).putInt(value.length).put(key).put(value);
        }
        byte[] bytes = java.util.Arrays.copyOf(block.array(), block.position());
        List<String> keys = keys(Records.inOrder(bytes, null));
        assertThat(keys).hasSize(300).doesNotHaveDuplicates();
        for (int k = 1; k < keys.size(); k++) {
            assertThat(Long.compareUnsigned(point(keys.get(k - 1)), point(keys.get(k))))
                    .isNegative();
        }
        for (int k = 0; k < keys.size(); k += 37) {
            assertThat(keys(Records.inOrder(bytes, keys.get(k).getBytes(UTF_8))))
                    .isEqualTo(keys.subList(k + 1, keys.size()));
        }
    }

    private static long point(String key) {
        return ScanOrder.point(PseudoKey.of(key.getBytes(UTF_8)));
    }

    private static List<String> keys(byte[] block) {
        List<String> keys = new ArrayList<>();
        Records<String, String> records = new Records<>(block, Codec.utf8(), Codec.utf8());
        while (records.hasNext()) {
            Map.Entry<String, String> entry = records.next();
            assertThat(entry.getValue()).isEqualTo("v" + entry.getKey().substring(4));
            assertThat(records.lastKey()).isEqualTo(entry.getKey().getBytes(UTF_8));
            keys.add(entry.getKey());
        }
        return keys;
    }
}
