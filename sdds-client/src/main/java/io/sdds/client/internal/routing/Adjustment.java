package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;

/** The image adjustment that a reply carries (LH*, algorithm A3; RP*, section 2.3). */
final class Adjustment {
    private Adjustment() {}

    /**
     * Takes the hops and the image adjustment of a reply. An adjustment of a table that is gone is ignored. Returns the
     * index of the reply's body.
     */
    static int take(Request<?> request, Peer peer, ByteBuf frames, int index, int length) {
        ClientNode node = request.table.node();
        int body = ReplyFrame.body(frames, index);
        if (body > index + length) {
            throw node.router().failBroken(request, "reply of " + length + " bytes is shorter than its adjustment");
        }
        int hops = frames.getUnsignedByte(index + ReplyFrame.HOPS);
        int addressing = hops & 15;
        Counters counters = node.counters();
        counters.addressingForwards += addressing;
        counters.locationForwards += Math.max(0, (hops >>> 4) - addressing);
        counters.addressingErrors += addressing > 0 ? 1 : 0;
        if (body > index + ReplyFrame.HEADER && request.generation == request.table.generation()) {
            try {
                apply(request, peer, frames, index);
            } catch (ProtocolViolation e) {
                throw node.router().failBroken(request, String.valueOf(e.getMessage()));
            }
        }
        return body;
    }

    /**
     * Adjusts the image of the request's table.
     *
     * @param peer the brick that answered
     * @param index index of the reply's frame
     * @throws ProtocolViolation when the adjustment does not fit the table
     */
    private static void apply(Request<?> request, Peer peer, ByteBuf frames, int index) {
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
