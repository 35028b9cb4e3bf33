package io.sdds.cli.quick;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * An environment without its own thread: a caller that waits for a result runs the node until the result is there.
 * Starts in a few milliseconds, as short commands need. For one thread.
 */
final class LoopEnv implements Env, AutoCloseable {
    private static final int READ_BUFFER_BYTES = 64 << 10;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Selector selector;
    private final ByteBuf readBuffer = Unpooled.buffer(READ_BUFFER_BYTES, READ_BUFFER_BYTES);
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
    private final PriorityQueue<Scheduled> timers = new PriorityQueue<>();
    private final RandomGenerator random = new SplittableRandom(System.nanoTime());
    private final List<String> dialFailures = new ArrayList<>();
    private long scheduled;
    private int dialing;
    private boolean reachedAny;

    LoopEnv() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A task with its time. Tasks with the same time run in the order of their creation. */
    private record Scheduled(long atNanos, long order, Runnable task) implements Comparable<Scheduled> {
        @Override
        public int compareTo(Scheduled other) {
            long nanos = atNanos - other.atNanos;
            return nanos != 0 ? Long.signum(nanos) : Long.compare(order, other.order);
        }
    }

    /** Runs the node until a condition holds. */
    void runUntil(BooleanSupplier done) {
        try {
            while (!turn(done)) {
                selector.select(this::ready, millisToNextTimer());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether no address has ever answered, and no address is being dialed. */
    boolean reachesNobody() {
        return !reachedAny && dialing == 0 && !dialFailures.isEmpty();
    }

    /** Reasons of all failed dials. */
    List<String> dialFailures() {
        return dialFailures;
    }

    private boolean turn(BooleanSupplier done) {
        runDeferred();
        runTimers();
        runDeferred();
        return done.getAsBoolean();
    }

    private void runDeferred() {
        for (Runnable task = deferred.poll(); task != null; task = deferred.poll()) {
            task.run();
        }
    }

    private void runTimers() {
        for (Scheduled first = timers.peek(); first != null && first.atNanos - nowNanos() <= 0; first = timers.peek()) {
            timers.remove();
            first.task.run();
        }
    }

    /** Time until the next timer; at least 1, because 0 would wait forever. */
    private long millisToNextTimer() {
        Scheduled first = timers.peek();
        return first == null ? 1000 : Math.max(1, (first.atNanos - nowNanos()) / NANOS_PER_MILLI);
    }

    private void ready(SelectionKey key) {
        ((LoopConnection) key.attachment()).onReady();
        runDeferred();
    }

    // ---- for the node

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Scheduled timer = new Scheduled(nowNanos() + delayNanos, scheduled++, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    @Override
    public void defer(Runnable task) {
        deferred.add(task);
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public ByteBuf allocate(int capacity) {
        return Unpooled.buffer(capacity);
    }

    @Override
    public Link dial(String address, Hello hello, Node node) {
        Link link = Link.dialed(this, node, hello);
        try {
            dialing++;
            LoopConnection.open(this, address, link);
        } catch (IOException | RuntimeException e) {
            defer(() -> onDialFailed(link, address, e));
        }
        return link;
    }

    // ---- for connections

    SelectionKey register(SocketChannel channel, int interest, LoopConnection connection) throws IOException {
        return channel.register(selector, interest, connection);
    }

    /** The empty buffer for the next read. Valid until the following read. */
    ByteBuf readBuffer() {
        return readBuffer.clear();
    }

    void onReached() {
        dialing--;
        reachedAny = true;
    }

    void onDialFailed(Link link, String address, Exception cause) {
        dialing--;
        String reason = Objects.requireNonNullElse(cause.getMessage(), "the connection failed");
        dialFailures.add(address + ": " + reason);
        link.onClosed(reason);
    }

    /** Resolves host:port, with IPv6 hosts in brackets. */
    static InetSocketAddress resolve(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        if (colon <= 0) {
            throw new IOException("'" + address + "' is not host:port");
        }
        String host = address.substring(0, colon).replaceAll("^\\[|]$", "");
        InetSocketAddress resolved = new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1)));
        if (resolved.isUnresolved()) {
            throw new IOException("unknown host " + host);
        }
        return resolved;
    }

    @Override
    public void close() {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            ((LoopConnection) key.attachment()).close();
        }
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
