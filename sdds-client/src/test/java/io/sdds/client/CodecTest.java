package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.core.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CodecTest {
    private final SplittableRandom random = Seeds.random("CodecTest");

    @Test
    void bytesPassWithoutACopy() {
        byte[] bytes = {1, 2, 3};
        assertThat(Codec.bytes().encode(bytes)).isSameAs(bytes);
        assertThat(Codec.bytes().decode(bytes)).isSameAs(bytes);
    }

    @Test
    void int64KeepsTheOrderOfNumbers() {
        long[] edges = {Long.MIN_VALUE, -256, -1, 0, 1, 255, 256, Long.MAX_VALUE};
        for (int k = 0; k < 10_000; k++) {
            long a = k < 8 ? edges[k] : random.nextLong();
            long b = random.nextLong() >> random.nextInt(64);
            byte[] left = Codec.int64().encode(a);
            byte[] right = Codec.int64().encode(b);
            assertThat(Integer.signum(Arrays.compareUnsigned(left, right))).isEqualTo(Long.compare(a, b));
            assertThat(Codec.int64().decode(left)).isEqualTo(a);
        }
    }

    @Test
    void uuidKeepsTheOrderOfItsText() {
        for (int k = 0; k < 10_000; k++) {
            UUID a = new UUID(random.nextLong(), random.nextLong());
            UUID b = new UUID(random.nextLong(), random.nextLong());
            byte[] left = Codec.uuid().encode(a);
            assertThat(Arrays.compareUnsigned(left, Codec.uuid().encode(b)) < 0)
                    .isEqualTo(a.toString().compareTo(b.toString()) < 0);
            assertThat(Codec.uuid().decode(left)).isEqualTo(a);
        }
    }

    @Test
    void utf8KeepsTextAndRefusesHalfAPair() {
        for (String text : new String[] {"", "a", "é", "漢字", "😀 grinning", "\0"}) {
            assertThat(Codec.utf8().decode(Codec.utf8().encode(text))).isEqualTo(text);
        }
        for (String text : new String[] {"\ud83d", "a\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00", "😀\ud83d"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Codec.utf8().encode(text));
        }
    }

    @Test
    void refusesBytesOfAnotherCodec() {
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.int64().decode(new byte[7]));
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.uuid().decode(new byte[17]));
    }
}
