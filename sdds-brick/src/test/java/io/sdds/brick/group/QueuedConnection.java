package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.SilentConnection;
import java.util.Deque;

/** Queues the bytes that a brick sends to another, until a fixture carries them. */
public final class QueuedConnection extends SilentConnection {
    private final Deque<ByteBuf> to;

    public QueuedConnection(Deque<ByteBuf> to) {
        super("brick");
        this.to = to;
    }

    @Override
    public void write(ByteBuf bytes) {
        to.add(bytes);
    }
}
