package io.sdds.core.addressing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PseudoKeyTest {
    @Test
    void isXxh3WithSeedZero() {
        assertThat(PseudoKey.of(new byte[0])).isEqualTo(0x2d06800538d394c2L);
        assertThat(PseudoKey.of("abc".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0x78af5f94892f3950L);
    }

    @Test
    void isTheSameInABufferAtAnyIndex() {
        SplittableRandom random = Seeds.random("PseudoKeyTest");
        for (int length = 1; length < 600; length++) {
            byte[] key = new byte[length];
            random.nextBytes(key);
            int index = random.nextInt(9);
            ByteBuf buffer =
                    Unpooled.directBuffer().writeZero(index).writeBytes(key).writeByte(7);
            assertThat(PseudoKey.of(buffer, index, length)).isEqualTo(PseudoKey.of(key));
            buffer.release();
        }
    }
}
