package io.sdds.client.internal.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.ReplyFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScanBlockTest {
    @Test
    void aBlockComesInTheOrderOfScansFromBehindAnyKey() {
        ByteBuffer block = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        for (int k = 0; k < 300; k++) {
            byte[] key = ("key " + k).getBytes(UTF_8);
            byte[] value = ("v" + k).getBytes(UTF_8);
            block.putShort((short) key.length).putInt(value.length).put(key).put(value);
        }
        byte[] bytes = Arrays.copyOf(block.array(), block.position());
        List<String> keys = keys(ScanBlock.inOrder(bytes, ReplyFrame.SCAN_RECORD_HEADER, null));
        assertThat(keys).hasSize(300).doesNotHaveDuplicates();
        for (int k = 1; k < keys.size(); k++) {
            assertThat(Long.compareUnsigned(point(keys.get(k - 1)), point(keys.get(k))))
                    .isNegative();
        }
        for (int k = 0; k < keys.size(); k += 37) {
            assertThat(keys(ScanBlock.inOrder(
                            bytes, ReplyFrame.SCAN_RECORD_HEADER, keys.get(k).getBytes(UTF_8))))
                    .isEqualTo(keys.subList(k + 1, keys.size()));
        }
    }

    private static long point(String key) {
        return ScanOrder.point(PseudoKey.of(key.getBytes(UTF_8)));
    }

    private static List<String> keys(byte[] block) {
        List<String> keys = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            byte[] key = new byte[in.getShort()];
            byte[] value = new byte[in.getInt()];
            in.get(key).get(value);
            keys.add(new String(key, UTF_8));
            assertThat(new String(value, UTF_8))
                    .isEqualTo("v" + keys.get(keys.size() - 1).substring(4));
        }
        return keys;
    }
}
