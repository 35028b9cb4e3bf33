package io.sdds.core.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** One event loop as a node's environment: its thread is the node's thread. */
final class NettyEnv implements Env {
    private static final int CONNECT_TIMEOUT_MILLIS = 2000;

    private final NettyTransport transport;
    private final EventLoop loop;
    private final RandomGenerator random;

    NettyEnv(NettyTransport transport, EventLoop loop, long seed) {
        this.transport = transport;
        this.loop = loop;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Future<?> future = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void defer(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public ByteBuf allocate(int capacity) {
        return PooledByteBufAllocator.DEFAULT.directBuffer(capacity);
    }

    @Override
    public Link dial(String address, Hello hello, Node node) {
        Link link = Link.dialed(this, node, hello);
        InetSocketAddress remote;
        try {
            remote = NettyTransport.parse(address);
        } catch (IllegalArgumentException e) {
            defer(() -> link.onClosed(String.valueOf(e.getMessage())));
            return link;
        }
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channelFactory(transport.clientChannels())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .handler(new NettyConnection.Initializer(channel -> link))
                .connect(remote);
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                link.onClosed("can't connect to " + address + ": " + NettyConnection.shortly(done.cause()));
            }
        });
        return link;
    }
}
