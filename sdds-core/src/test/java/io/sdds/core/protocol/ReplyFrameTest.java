package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import org.junit.jupiter.api.Test;

class ReplyFrameTest {
    private static final int AT = 3;
    private static final int LENGTH = 99;
    private static final int CORRELATION = 0xfedcba98;

    @Test
    void everyHeaderComesBackAsItWasWritten() {
        for (int status = 0; status < 256; status++) {
            for (int hops = 0; hops < 256; hops++) {
                ByteBuf frame = reply(status % 2, (byte) status, hops);
                assertThat(frame.readableBytes()).isEqualTo(AT + ReplyFrame.HEADER);
                assertThat(frame.getIntLE(AT + ReplyFrame.LENGTH)).isEqualTo(LENGTH);
                assertThat(frame.getByte(AT + ReplyFrame.OPCODE)).isEqualTo(Opcode.REPLY);
                assertThat(frame.getByte(AT + ReplyFrame.FLAGS)).isEqualTo((byte) (status % 2));
                assertThat(frame.getByte(AT + ReplyFrame.STATUS)).isEqualTo((byte) status);
                assertThat(frame.getUnsignedByte(AT + ReplyFrame.HOPS)).isEqualTo((short) hops);
                assertThat(frame.getIntLE(AT + ReplyFrame.CORRELATION)).isEqualTo(CORRELATION);
            }
        }
    }

    @Test
    void bothForwardCountsShareAByte() {
        for (int addressing = 0; addressing <= Limits.ADDRESSING_HOPS_MAX; addressing++) {
            for (int all = addressing; all <= Limits.HOPS_MAX; all++) {
                ByteBuf frame = reply(0, Status.OK, ReplyFrame.hops(addressing, all));
                int hops = frame.getUnsignedByte(AT + ReplyFrame.HOPS);
                assertThat(hops & 15).isEqualTo(addressing);
                assertThat(hops >>> 4).isEqualTo(all);
            }
        }
    }

    @Test
    void theBodyBeginsBehindTheAdjustmentIfThereIsOne() {
        assertThat(ReplyFrame.body(reply(0, Status.OK, 0), AT)).isEqualTo(AT + ReplyFrame.HEADER);
        assertThat(ReplyFrame.body(reply(ReplyFrame.FLAG_ADJUSTMENT, Status.OK, 0x11), AT))
                .isEqualTo(AT + ReplyFrame.ADJUSTMENT_BRICK + Integer.BYTES);
    }

    private static ByteBuf reply(int flags, byte status, int hops) {
        ByteBuf frame = Buffers.heap().writeZero(AT);
        ReplyFrame.writeHeader(frame, LENGTH, flags, status, hops, CORRELATION);
        return frame;
    }
}
