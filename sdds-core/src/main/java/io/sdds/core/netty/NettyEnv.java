package io.sdds.core.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.sdds.core.node.Datagrams;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.NodeAddress;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One event loop as a node's environment: its thread is the node's thread. */
final class NettyEnv implements Env {
    private static final int CONNECT_TIMEOUT_MILLIS = 2000;

    /**
     * Features allowed by the system property {@code sdds.checksums}: with false, frames have no checksums. Default:
     * true.
     */
    private static final long FEATURES_ALLOWED =
            Boolean.parseBoolean(System.getProperty("sdds.checksums", "true")) ? -1 : ~Features.CHECKSUMS;

    private static final Logger log = LoggerFactory.getLogger(NettyEnv.class);

    private final NettyTransport transport;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
    private final Runnable runDeferred = this::runDeferred;
    private boolean runsDeferred;

    NettyEnv(NettyTransport transport, EventLoop loop, long seed) {
        this.transport = transport;
        this.loop = loop;
        this.random = new SplittableRandom(seed);
    }

    EventLoop loop() {
        return loop;
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    @Override
    public long cpuNanos() {
        return ThreadTime.nanos();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Future<?> future = loop.schedule(() -> transport.run(task), delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /*
     * A loop reads its sockets, then runs tasks until there are none. A task must not add the next one to the same
     * round, because a task that defers its rest again and again would keep the loop from its sockets. So tasks that
     * are deferred meanwhile wait in the loop's timers, which the loop checks after the sockets.
     */
    @Override
    public void defer(Runnable task) {
        deferred.add(task);
        if (!runsDeferred) {
            runsDeferred = true;
            loop.execute(runDeferred);
        }
    }

    private void runDeferred() {
        for (int k = deferred.size(); k > 0; k--) {
            transport.run(deferred.removeFirst());
        }
        runsDeferred = !deferred.isEmpty();
        if (runsDeferred) {
            Thread.yield(); // long work goes on in slices; where threads share a processor, the others are due
            loop.schedule(runDeferred, 0, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run(); // runs as a part of the caller
        } else if (!transport.isHalted()) {
            handOver(task);
        }
    }

    private void handOver(Runnable task) {
        try {
            loop.execute(() -> transport.run(task));
        } catch (RejectedExecutionException e) {
            if (!transport.isHalted()) { // a loop that was halted meanwhile refuses tasks
                throw e;
            }
        }
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public long featuresAllowed() {
        return FEATURES_ALLOWED;
    }

    @Override
    public ByteBuf allocate(int capacity) {
        return PooledByteBufAllocator.DEFAULT.directBuffer(capacity);
    }

    @Override
    public @Nullable Datagrams datagrams(String group) {
        try {
            return transport.datagrams(loop, MulticastGroup.parse(group));
        } catch (IllegalArgumentException e) {
            log.warn("{}; requests to all bricks go over the connections", e.getMessage());
            return null;
        }
    }

    /**
     * {@inheritDoc} The name is looked up on another thread, at each call. The node gets no failure inside this call.
     */
    @Override
    public Link dial(String address, Hello hello, Node node) {
        Link link = Link.dialed(this, node, hello);
        NodeAddress remote;
        try {
            remote = NodeAddress.parse(address);
        } catch (IllegalArgumentException e) {
            onDialFailed(link, String.valueOf(e.getMessage()));
            return link;
        }
        CompletableFuture<InetAddress> found = transport.names().find(remote.host());
        if (found.isDone()) {
            connect(link, address, remote.port(), found);
        } else {
            onFound(link, address, remote.port(), found);
        }
        return link;
    }

    /** Waits for a look-up, at most as long as for a connection, because the caller may have another address to try. */
    private void onFound(Link link, String address, int port, CompletableFuture<InetAddress> found) {
        CompletableFuture<InetAddress> patient = found.copy().orTimeout(CONNECT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        patient.whenComplete((host, failure) -> {
            try {
                loop.execute(() -> connect(link, address, port, patient));
            } catch (RejectedExecutionException e) {
                // The loop has ended, and with the loop the node.
            }
        });
    }

    private void connect(Link link, String address, int port, CompletableFuture<InetAddress> found) {
        InetAddress host;
        try {
            host = found.join();
        } catch (CompletionException e) {
            onDialFailed(link, "can't look up " + address + ": " + NameLookup.reason(e.getCause()));
            return;
        }
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channelFactory(transport.clientChannels())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .handler(new NettyConnection.Initializer(transport, channel -> link))
                .connect(new InetSocketAddress(host, port));
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                onDialFailed(link, "can't connect to " + address + ": " + NettyConnection.shortly(done.cause()));
            }
        });
    }

    private void onDialFailed(Link link, String reason) {
        defer(() -> link.onClosed(reason));
    }
}
