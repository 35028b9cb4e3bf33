package io.sdds.core.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sdds.core.node.Datagrams;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Event loops, each the thread of one environment, and the sockets on them: epoll where there is one, else NIO. */
public final class NettyTransport implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final long SHUTDOWN_MILLIS = 2000;

    private static final boolean EPOLL;
    private static final Logger log = LoggerFactory.getLogger(NettyTransport.class);

    static {
        EPOLL = Epoll.isAvailable();
        if (EPOLL) {
            log.debug("sockets are served by epoll");
        } else {
            log.info(
                    "sockets are served by NIO, since there is no epoll: {}",
                    Epoll.unavailabilityCause().getMessage());
        }
    }

    private final MultiThreadIoEventLoopGroup group;

    /** All open sockets. A loop of Netty that ends right behind a task does not close its sockets. */
    private final ChannelGroup sockets = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

    private final NameLookup names;
    private final Consumer<Throwable> onFailure;
    private final String name;
    private volatile boolean halted;
    private final Map<EventLoop, NettyEnv> envs = new IdentityHashMap<>();
    private final List<NettyEnv> inOrder = new ArrayList<>();

    /** A transport for nodes that go on after a failed task, such as a client's node. Failures are logged. */
    public NettyTransport(int loops, String name) {
        this(loops, name, cause -> log.error("a task on a thread of {} failed", name, cause));
    }

    /**
     * @param loops number of threads
     * @param name name of the threads, for dumps
     * @param onFailure gets each exception of a node that handled a message or ran a task, on the node's thread. The
     *     data of the node may be half changed; an owner that can't go on then calls {@link #halt}
     */
    public NettyTransport(int loops, String name, Consumer<Throwable> onFailure) {
        this(loops, name, InetAddress::getByName, onFailure);
    }

    NettyTransport(int loops, String name, NameLookup.Resolver resolver, Consumer<Throwable> onFailure) {
        names = new NameLookup(name + "-names", resolver);
        this.onFailure = onFailure;
        this.name = name;
        group = new MultiThreadIoEventLoopGroup(
                loops,
                new DefaultThreadFactory(name, true),
                EPOLL ? EpollIoHandler.newFactory(0, BriefSpin::new) : NioIoHandler.newFactory());
        long seed = new SecureRandom().nextLong();
        for (int k = 0; k < loops; k++) {
            EventLoop loop = (EventLoop) group.next();
            NettyEnv env = new NettyEnv(this, loop, seed + k);
            envs.put(loop, env);
            inOrder.add(env);
        }
    }

    /** The environments, one for each loop. */
    public List<Env> envs() {
        return List.copyOf(inOrder);
    }

    /**
     * Listens, and gives each accepted connection to the node of its loop.
     *
     * @return the port, which is a free one if {@code port} is 0
     * @throws java.net.BindException when the port is in use
     */
    public int listen(String host, int port, Supplier<Hello> hello, Function<Env, Node> nodes)
            throws java.io.IOException {
        NettyConnection.Initializer links = new NettyConnection.Initializer(this, channel -> {
            NettyEnv env = envs.get(channel.eventLoop());
            if (env == null) {
                throw new IllegalStateException("channel on a foreign loop");
            }
            return Link.accepted(env, nodes.apply(env), hello);
        });
        try {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channelFactory(serverChannels())
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(links)
                    .bind(host, port)
                    .sync()
                    .channel();
            sockets.add(server);
            return ((InetSocketAddress) server.localAddress()).getPort();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while binding " + host + ":" + port);
        } catch (Exception e) {
            java.io.IOException failure = new java.net.BindException(
                    "can't listen on " + host + ":" + port + ": " + NettyConnection.shortly(e));
            failure.initCause(e);
            throw failure;
        }
    }

    /**
     * Joins a group of IP multicast.
     *
     * @param listener gets each datagram on the thread of the first environment; the datagram is valid during the call
     */
    public void join(MulticastGroup group, Consumer<ByteBuf> listener) throws java.io.IOException {
        EventLoop loop = inOrder.get(0).loop();
        sockets.add(NettyDatagrams.join(loop, EPOLL, group, datagram -> run(() -> listener.accept(datagram))));
    }

    /** Begins to send to a group. */
    Datagrams datagrams(EventLoop loop, MulticastGroup group) {
        return NettyDatagrams.sender(loop, EPOLL, group);
    }

    /**
     * Cuts all nodes off. Nodes get no events any more, not even the end of their connections. All sockets are closed,
     * and the threads end. Returns at once; any thread may call. {@link #close} waits.
     */
    public void halt() {
        halted = true;
        sockets.close();
        group.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Whether {@link #halt} was called. */
    public boolean isHalted() {
        return halted;
    }

    /** Runs a task of a node on the node's thread. */
    void run(Runnable task) {
        if (!halted) {
            try {
                task.run();
            } catch (Throwable e) { // any failure may leave the node's data half changed
                failed(e);
            }
        }
    }

    /** A node threw an exception. While the threads end, refused tasks are only logged. */
    void failed(Throwable cause) {
        if (group.isShuttingDown()) {
            log.debug("a task failed while its thread ends", cause);
        } else {
            onFailure.accept(cause);
        }
    }

    /** A connection was opened, to be closed with the transport. */
    void opened(Channel connection) {
        sockets.add(connection);
    }

    /** Whether the calling thread is one of the loops. */
    public boolean onLoop() {
        for (EventLoop loop : envs.keySet()) {
            if (loop.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    NameLookup names() {
        return names;
    }

    /** Closes all sockets and ends the threads. */
    @Override
    public void close() {
        names.close();
        ChannelGroupFuture closing = sockets.close();
        if (!onLoop()) {
            closing.awaitUninterruptibly(SHUTDOWN_MILLIS);
        }
        group.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
        if (!onLoop() && !group.terminationFuture().awaitUninterruptibly(SHUTDOWN_MILLIS + 1000)) {
            tellThreadsThatGoOn();
        }
    }

    /** Logs the stacks of threads that have not ended, because such a thread keeps its sockets open. */
    private void tellThreadsThatGoOn() {
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith(name + "-")) {
                log.warn("thread {} has not ended yet, at {}", thread.getName(), Arrays.toString(stack));
            }
        });
    }

    ChannelFactory<? extends Channel> clientChannels() {
        return EPOLL ? EpollSocketChannel::new : NioSocketChannel::new;
    }

    private ChannelFactory<? extends ServerChannel> serverChannels() {
        return EPOLL ? EpollServerSocketChannel::new : NioServerSocketChannel::new;
    }
}
