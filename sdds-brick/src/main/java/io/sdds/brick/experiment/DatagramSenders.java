package io.sdds.brick.experiment;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.DatagramFrame;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The clients that may send requests as datagrams of IP multicast. A datagram carries its client's token, and counts as
 * if it had come over the client's link. Any thread may call.
 */
public final class DatagramSenders {
    private final Map<Long, Sender> senders = new ConcurrentHashMap<>();

    /** A client at the other end of a stage's link. */
    public record Sender(int stage, Link link) {}

    /** A client that has a token is connected to a stage. Of two clients with one token the later one counts. */
    public void add(int stage, Link link) {
        if (link.peer().incarnation() != 0) {
            senders.put(link.peer().incarnation(), new Sender(stage, link));
        }
    }

    /** The same client has gone. */
    public void remove(int stage, Link link) {
        senders.remove(link.peer().incarnation(), new Sender(stage, link));
    }

    /** The client that sent a datagram; null if the datagram is damaged or its token is nobody's. */
    public @Nullable Sender of(ByteBuf datagram) {
        return DatagramFrame.isWhole(datagram)
                ? senders.get(datagram.getLongLE(datagram.readerIndex() + DatagramFrame.TOKEN))
                : null;
    }

    /** The frame of the request that a whole datagram carries, as a view of it. */
    public static ByteBuf request(ByteBuf datagram) {
        return datagram.slice(
                datagram.readerIndex() + DatagramFrame.HEADER, datagram.readableBytes() - DatagramFrame.HEADER);
    }
}
