package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.ReplyFrame;
import org.jspecify.annotations.Nullable;

/**
 * A reply. {@link ReplyFrame} has the layout.
 *
 * @param hops the byte of both forward counts
 */
public record DecodedReply(
        int flags,
        byte status,
        int hops,
        int correlation,
        @Nullable Adjustment adjustment,
        byte[] body) {

    /**
     * An image adjustment.
     *
     * @param span of a range partition; null: the reply tells none
     */
    record Adjustment(
            int level,
            int partition,
            long version,
            int brick,
            @Nullable KeySpan span) {}

    /**
     * Decodes a whole frame.
     *
     * @throws RuntimeException when the frame is shorter than its adjustment
     */
    public static DecodedReply read(ByteBuf frame, int index, int length) {
        int flags = frame.getUnsignedByte(index + ReplyFrame.FLAGS);
        int body = ReplyFrame.body(frame, index);
        return new DecodedReply(
                flags,
                frame.getByte(index + ReplyFrame.STATUS),
                frame.getUnsignedByte(index + ReplyFrame.HOPS),
                frame.getIntLE(index + ReplyFrame.CORRELATION),
                (flags & ReplyFrame.FLAG_ADJUSTMENT) == 0 ? null : adjustment(frame, index, flags),
                ByteBufUtil.getBytes(frame, body, index + length - body));
    }

    private static Adjustment adjustment(ByteBuf frame, int index, int flags) {
        return new Adjustment(
                frame.getIntLE(index + ReplyFrame.ADJUSTMENT_LEVEL),
                frame.getIntLE(index + ReplyFrame.ADJUSTMENT_PARTITION),
                frame.getLongLE(index + ReplyFrame.ADJUSTMENT_VERSION),
                frame.getIntLE(index + ReplyFrame.ADJUSTMENT_BRICK),
                (flags & ReplyFrame.FLAG_SPAN) == 0
                        ? null
                        : span(frame, index + ReplyFrame.HEADER + ReplyFrame.ADJUSTMENT));
    }

    private static KeySpan span(ByteBuf frame, int at) {
        int low = frame.getUnsignedShortLE(at);
        int high = frame.getUnsignedShortLE(at + Short.BYTES);
        int keys = at + ReplyFrame.SPAN_LENGTHS;
        return new KeySpan(ByteBufUtil.getBytes(frame, keys, low), ByteBufUtil.getBytes(frame, keys + low, high));
    }

    /** The frame with these fields. */
    public ByteBuf frame() {
        ByteBuf rest = Unpooled.buffer();
        if (adjustment != null) {
            rest.writeIntLE(adjustment.level()).writeIntLE(adjustment.partition());
            rest.writeLongLE(adjustment.version()).writeIntLE(adjustment.brick());
            KeySpan span = adjustment.span();
            if (span != null) {
                rest.writeShortLE(span.low().length).writeShortLE(span.high().length);
                rest.writeBytes(span.low()).writeBytes(span.high());
            }
        }
        rest.writeBytes(body);
        ByteBuf out = Unpooled.buffer();
        ReplyFrame.writeHeader(out, ReplyFrame.HEADER + rest.readableBytes(), flags, status, hops, correlation);
        return out.writeBytes(rest);
    }

    public DecodedReply withStatus(byte other) {
        return new DecodedReply(flags, other, hops, correlation, adjustment, body);
    }

    public DecodedReply withBody(byte[] other) {
        return new DecodedReply(flags, status, hops, correlation, adjustment, other);
    }

    /** The reply, which has an adjustment, with another map version in it. */
    public DecodedReply withAdjustmentOf(Adjustment known, long version) {
        Adjustment other = new Adjustment(known.level(), known.partition(), version, known.brick(), known.span());
        return new DecodedReply(flags, status, hops, correlation, other, body);
    }

    /** The number that the body begins with: of a SCAN or CLEAR the point reached. */
    public long number() {
        return Unpooled.wrappedBuffer(body).getLongLE(0);
    }

    /** The reply with another number at the beginning of its body. */
    public DecodedReply withNumber(long other) {
        byte[] changed = body.clone();
        Unpooled.wrappedBuffer(changed).setLongLE(0, other);
        return withBody(changed);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("REPLY c").append(correlation);
        text.append(' ').append(FrameText.status(status));
        if (hops != 0) {
            text.append(" forwarded ").append(hops & 15).append('/').append(hops >> 4);
        }
        if (adjustment != null) {
            text.append(" adjust j=").append(adjustment.level());
            text.append(" a=").append(adjustment.partition());
            text.append(" v").append(adjustment.version());
            text.append(" at ").append(adjustment.brick());
            text.append(adjustment.span() == null ? "" : " span " + adjustment.span());
        }
        return text.append(body.length == 0 ? "" : " " + FrameText.bytes(body)).toString();
    }
}
