package io.sdds.core.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.sdds.core.node.Datagrams;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A socket for IP multicast on an event loop. It sends to a group, or receives the datagrams of a group. */
final class NettyDatagrams implements Datagrams {
    private static final Logger log = LoggerFactory.getLogger(NettyDatagrams.class);

    private final Channel channel;
    private final InetSocketAddress group;

    private NettyDatagrams(Channel channel, InetSocketAddress group) {
        this.channel = channel;
        this.group = group;
    }

    /** A socket that sends to a group, once it is open. */
    static NettyDatagrams sender(EventLoop loop, boolean epoll, MulticastGroup group) {
        ChannelFuture bound = new Bootstrap()
                .group(loop)
                .channelFactory(channels(epoll, group))
                .option(ChannelOption.IP_MULTICAST_IF, group.over())
                .handler(new Troubles())
                .bind(0);
        bound.addListener(done -> {
            if (!done.isSuccess()) {
                log.warn("can't send to the multicast group {}", group.address(), done.cause());
            }
        });
        return new NettyDatagrams(bound.channel(), group.address());
    }

    /**
     * Joins a group. Returns the socket.
     *
     * @param listener gets each datagram, on the loop; the datagram is valid during the call
     */
    static Channel join(EventLoop loop, boolean epoll, MulticastGroup group, Consumer<ByteBuf> listener)
            throws IOException {
        try {
            DatagramChannel channel = (DatagramChannel) new Bootstrap()
                    .group(loop)
                    .channelFactory(channels(epoll, group))
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .handler(new Listening(listener))
                    .bind(group.address().getPort())
                    .sync()
                    .channel();
            channel.joinGroup(group.address(), group.over()).sync();
            return channel;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while joining " + group.address());
        } catch (Exception e) {
            throw new IOException(
                    "can't join the multicast group " + group.address() + " over "
                            + group.over().getName() + ": " + NettyConnection.shortly(e),
                    e);
        }
    }

    private static ChannelFactory<DatagramChannel> channels(boolean epoll, MulticastGroup group) {
        SocketProtocolFamily family = group.address().getAddress() instanceof Inet6Address
                ? SocketProtocolFamily.INET6
                : SocketProtocolFamily.INET;
        return epoll ? () -> new EpollDatagramChannel(family) : () -> new NioDatagramChannel(family);
    }

    @Override
    public boolean send(ByteBuf datagram) {
        boolean leaves = channel.isActive() && channel.isWritable();
        if (leaves) {
            channel.writeAndFlush(new DatagramPacket(datagram, group), channel.voidPromise());
        } else {
            datagram.release();
        }
        return leaves;
    }

    @Override
    public void close() {
        channel.close();
    }

    private static final class Listening extends SimpleChannelInboundHandler<DatagramPacket> {
        private final Consumer<ByteBuf> listener;

        Listening(Consumer<ByteBuf> listener) {
            this.listener = listener;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            listener.accept(packet.content());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            log.warn("a datagram came to nothing", cause);
        }
    }

    private static final class Troubles extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            log.debug("a datagram could not be sent", cause);
        }
    }
}
