package io.sdds.core.node;

import io.netty.buffer.ByteBuf;

/** A connection of the transport: it carries bytes in order until it ends. The simulator has its own connections. */
public interface Connection {
    /** Takes bytes, whose reference passes over, to be sent in order. Nothing leaves before {@link #flush}. */
    void write(ByteBuf bytes);

    void flush();

    /** Bytes that the connection has taken and not yet given to the network. */
    long pendingBytes();

    /** Begins or stops to read. While the connection does not read, the other end soon can't send any more. */
    void reading(boolean on);

    /** Closes the connection behind the flushed bytes. The listener hears of it. */
    void close();

    /** Address of the other end, for log lines. */
    String remote();

    /** Hears what happens to a connection, on the node's thread. */
    interface Listener {
        void onOpened(Connection connection);

        /** Bytes have come. The buffer is the caller's and valid during the call, longer only if retained. */
        void onBytes(ByteBuf bytes);

        /** Pending bytes have fallen low again. */
        void onWritable();

        void onClosed(String reason);
    }
}
