package io.sdds.core.node;

import io.netty.buffer.ByteBuf;

/** A connection as the transport gives it: bytes in order, or an end. What a simulator replaces. */
public interface Connection {
    /** Takes bytes, whose reference passes over, to be sent in order. Nothing leaves before {@link #flush}. */
    void write(ByteBuf bytes);

    void flush();

    /** Bytes taken and not yet given to the network. */
    long pendingBytes();

    /** Whether bytes are being read; when they are not, the other end comes to a stop by itself. */
    void reading(boolean on);

    /** Closes after what was flushed. The listener hears of it. */
    void close();

    /** For log lines: the other end's address. */
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
