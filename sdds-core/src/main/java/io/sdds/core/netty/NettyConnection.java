package io.sdds.core.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Link;
import java.util.function.Function;

/** A Netty channel as a connection. */
final class NettyConnection extends ChannelInboundHandlerAdapter implements Connection {
    private static final int READ_BYTES_MIN = 4 << 10;
    private static final int READ_BYTES_FIRST = 64 << 10;
    private static final int READ_BYTES_MAX = 256 << 10;

    private final NettyTransport transport;
    private final Channel channel;
    private final Listener listener;
    private String closeReason = "closed by the other end";

    private NettyConnection(NettyTransport transport, Channel channel, Listener listener) {
        this.transport = transport;
        this.channel = channel;
        this.listener = listener;
    }

    /** Puts a link on each new channel. */
    static final class Initializer extends ChannelInitializer<Channel> {
        private final NettyTransport transport;
        private final Function<Channel, Link> links;

        Initializer(NettyTransport transport, Function<Channel, Link> links) {
            this.transport = transport;
            this.links = links;
        }

        @Override
        protected void initChannel(Channel channel) {
            transport.opened(channel);
            channel.config()
                    .setRecvByteBufAllocator(
                            new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX));
            channel.config().setAllocator(io.netty.buffer.PooledByteBufAllocator.DEFAULT);
            channel.config()
                    .setOption(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark((int) Link.PENDING_BYTES_FULL / 2, (int) Link.PENDING_BYTES_FULL));
            channel.pipeline().addLast(new NettyConnection(transport, channel, links.apply(channel)));
        }
    }

    /** The reason why a connection failed, as text. Netty's exceptions of closed channels have no text. */
    static String shortly(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? "the connection was closed" : root.getMessage();
    }

    @Override
    public void write(ByteBuf bytes) {
        channel.write(bytes, channel.voidPromise());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public long pendingBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes();
    }

    @Override
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    @Override
    public void close() {
        closeReason = "closed here";
        channel.close();
    }

    @Override
    public String remote() {
        return String.valueOf(channel.remoteAddress()).replaceFirst("^.*/", "");
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        transport.run(() -> listener.onOpened(this));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (!transport.isHalted()) {
            try {
                listener.onBytes(bytes);
            } catch (Throwable e) { // any failure may leave the node's data half changed
                transport.failed(e);
            }
        }
        bytes.release();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            transport.run(listener::onWritable);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        transport.run(() -> listener.onClosed(closeReason));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        closeReason = shortly(cause);
        channel.close();
    }
}
