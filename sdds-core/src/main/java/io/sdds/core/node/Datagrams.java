package io.sdds.core.node;

import io.netty.buffer.ByteBuf;

/** A group of nodes to which one message can be sent at once, by IP multicast. Belongs to its environment's thread. */
public interface Datagrams {
    /**
     * Sends one, whose reference passes over. Each member of the group gets it, or not, or twice, or later than what
     * was sent after it.
     *
     * @return false when it is certain that nobody gets it
     */
    boolean send(ByteBuf datagram);

    void close();
}
