package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DatagramFrameTest {
    private static ByteBuf datagram(int flags) {
        ByteBuf out = Unpooled.buffer();
        DatagramFrame.writeHeader(out, 77);
        int length = RequestFrame.READ_BODY + 3;
        RequestFrame.writeHeader(out, length, Opcode.GET, flags, -1, 1, 0, 1000, 5, 3);
        out.writeBytes(new byte[] {'k', 'e', 'y'});
        DatagramFrame.seal(out);
        return out;
    }

    @Test
    void aWholeRequestToAllBricksIsTaken() {
        ByteBuf whole = datagram(RequestFrame.FLAG_MULTICAST);
        assertThat(DatagramFrame.isWhole(whole)).isTrue();
        assertThat(whole.getLongLE(DatagramFrame.TOKEN)).isEqualTo(77);
    }

    @Test
    void aRequestToOnePartitionIsNot() {
        assertThat(DatagramFrame.isWhole(datagram(0))).isFalse();
    }

    @Test
    void whatIsCutOrLongerIsNot() {
        ByteBuf whole = datagram(RequestFrame.FLAG_MULTICAST);
        for (int length = 0; length < whole.writerIndex(); length++) {
            assertThat(DatagramFrame.isWhole(whole.copy(0, length))).isFalse();
        }
        assertThat(DatagramFrame.isWhole(whole.copy().writeByte(0))).isFalse();
    }

    @Test
    void oneOfWhichABitWasFlippedIsNot() {
        ByteBuf whole = datagram(RequestFrame.FLAG_MULTICAST);
        for (int bit = 0; bit < 8 * whole.writerIndex(); bit++) {
            ByteBuf flipped = whole.copy();
            flipped.setByte(bit / 8, flipped.getByte(bit / 8) ^ 1 << bit % 8);
            assertThat(DatagramFrame.isWhole(flipped)).as("bit %d", bit).isFalse();
        }
    }

    /** The check of a datagram with any bytes throws no exception. */
    @Test
    void garbageIsDropped() {
        SplittableRandom random = Seeds.random("DatagramFrameTest");
        for (int k = 0; k < 100_000; k++) {
            ByteBuf garbage = datagram(RequestFrame.FLAG_MULTICAST);
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                garbage.setByte(random.nextInt(garbage.writerIndex()), random.nextInt(256));
            }
            DatagramFrame.isWhole(garbage);
            byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            assertThat(DatagramFrame.isWhole(Unpooled.wrappedBuffer(noise))).isFalse();
        }
    }
}
