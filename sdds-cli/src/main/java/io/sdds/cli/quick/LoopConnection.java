package io.sdds.cli.quick;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Link;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/** A connection of a {@link LoopEnv}. */
final class LoopConnection implements Connection {
    private final LoopEnv env;
    private final String address;
    private final Link link;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ArrayDeque<ByteBuf> unsent = new ArrayDeque<>();
    private long unsentBytes;
    private boolean open;
    private boolean reading = true;

    private LoopConnection(LoopEnv env, String address, Link link, SocketChannel channel) throws IOException {
        this.env = env;
        this.address = address;
        this.link = link;
        this.channel = channel;
        this.key = env.register(channel, SelectionKey.OP_CONNECT, this);
    }

    /** Starts to connect. The link is informed of success or failure. */
    static void open(LoopEnv env, String address, Link link) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            LoopConnection connection = new LoopConnection(env, address, link, channel);
            if (channel.connect(LoopEnv.resolve(address))) {
                env.defer(connection::onReady);
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The socket is ready to connect, read or write. */
    void onReady() {
        if (!channel.isOpen()) {
            return;
        }
        if (!open) {
            finishConnecting();
            return;
        }
        try {
            if (key.isWritable()) {
                send();
            }
            if (key.isValid() && key.isReadable()) {
                receive();
            }
        } catch (IOException e) {
            end(String.valueOf(e.getMessage()));
        }
    }

    private void finishConnecting() {
        try {
            channel.finishConnect();
        } catch (IOException e) {
            release();
            env.onDialFailed(link, address, e);
            return;
        }
        open = true;
        env.onReached();
        link.onOpened(this);
        updateInterest();
    }

    private void receive() throws IOException {
        ByteBuf bytes = env.readBuffer();
        int count = bytes.writeBytes(channel, bytes.writableBytes());
        if (count < 0) {
            end("closed by the peer");
        } else if (count > 0) {
            link.onBytes(bytes);
        }
    }

    private void send() throws IOException {
        while (!unsent.isEmpty()) {
            ByteBuf first = unsent.element();
            unsentBytes -= first.readBytes(channel, first.readableBytes());
            if (first.isReadable()) {
                break;
            }
            unsent.remove().release();
        }
        updateInterest();
        if (unsent.isEmpty()) {
            link.onWritable();
        }
    }

    private void updateInterest() {
        if (open && key.isValid()) {
            key.interestOps((reading ? SelectionKey.OP_READ : 0) | (unsent.isEmpty() ? 0 : SelectionKey.OP_WRITE));
        }
    }

    @Override
    public void write(ByteBuf bytes) {
        unsentBytes += bytes.readableBytes();
        unsent.add(bytes);
    }

    @Override
    public void flush() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            send();
        } catch (IOException e) {
            env.defer(() -> end(String.valueOf(e.getMessage())));
        }
    }

    @Override
    public long pendingBytes() {
        return unsentBytes;
    }

    @Override
    public void reading(boolean on) {
        reading = on;
        updateInterest();
    }

    @Override
    public void close() {
        if (channel.isOpen()) {
            release();
            env.defer(() -> link.onClosed("closed here")); // later, so that the link can tell its own reason first
        }
    }

    @Override
    public String remote() {
        return address;
    }

    private void end(String reason) {
        if (channel.isOpen()) {
            release();
            link.onClosed(reason);
        }
    }

    private void release() {
        try {
            channel.close();
        } catch (IOException e) {
            // the socket is not used any more
        }
        unsent.forEach(ByteBuf::release);
        unsent.clear();
    }
}
