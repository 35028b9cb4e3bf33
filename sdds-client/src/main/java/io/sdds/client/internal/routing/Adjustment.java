package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.ReplyFrame;

/** The image adjustment that a reply carries (LH*, algorithm A3; RP*, section 2.3). */
final class Adjustment {
    private Adjustment() {}

    /**
     * Adjusts the image of the request's table.
     *
     * @param peer the brick that answered
     * @param index index of the reply's frame
     * @throws io.sdds.core.protocol.ProtocolViolation when the adjustment does not fit the table
     */
    static void apply(Request<?> request, Peer peer, ByteBuf frames, int index) {
        RoutedTable table = request.table;
        int partition = frames.getIntLE(index + ReplyFrame.ADJUSTMENT_PARTITION);
        long version = frames.getLongLE(index + ReplyFrame.ADJUSTMENT_VERSION);
        int brick = frames.getIntLE(index + ReplyFrame.ADJUSTMENT_BRICK);
        if ((frames.getByte(index + ReplyFrame.FLAGS) & ReplyFrame.FLAG_SPAN) == 0) {
            table.onAdjustment(partition, frames.getIntLE(index + ReplyFrame.ADJUSTMENT_LEVEL), version, brick, peer);
        } else {
            KeySpan span = span(frames, index + ReplyFrame.HEADER + ReplyFrame.ADJUSTMENT);
            table.onSpan(partition, span, version, brick, peer);
            request.spanTold(span);
        }
    }

    private static KeySpan span(ByteBuf frames, int at) {
        byte[] low = new byte[frames.getUnsignedShortLE(at)];
        byte[] high = new byte[frames.getUnsignedShortLE(at + Short.BYTES)];
        frames.getBytes(at + ReplyFrame.SPAN_LENGTHS, low);
        frames.getBytes(at + ReplyFrame.SPAN_LENGTHS + low.length, high);
        return new KeySpan(low, high);
    }
}
