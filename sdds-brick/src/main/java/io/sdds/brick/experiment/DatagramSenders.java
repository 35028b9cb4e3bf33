package io.sdds.brick.experiment;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.DatagramFrame;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The clients that may send requests as datagrams of IP multicast. A datagram carries the token of its client. The
 * brick takes the datagram as if it had come over the client's link. Any thread may call.
 */
public final class DatagramSenders {
    private final Map<Long, Sender> senders = new ConcurrentHashMap<>();

    /** A client, as the stage and the link that it is connected to. */
    public record Sender(int stage, Link link) {}

    /**
     * Adds a client that has connected to a stage, if it has a token. A later client replaces an earlier client with
     * the same token.
     */
    public void add(int stage, Link link) {
        if (link.peer().incarnation() != 0) {
            senders.put(link.peer().incarnation(), new Sender(stage, link));
        }
    }

    /** Removes a client whose link to a stage has closed. */
    public void remove(int stage, Link link) {
        senders.remove(link.peer().incarnation(), new Sender(stage, link));
    }

    /** The client that sent a datagram; null if the datagram is damaged or no client has its token. */
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
