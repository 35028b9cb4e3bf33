package io.sdds.client.routing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Virtual time, one thread, and connections in memory that are closed or silent when a test says so. */
public final class FakeEnv implements Env, FakeCluster.Network {
    private static final long HOP_NANOS = 50_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<String, Server> servers = new HashMap<>();
    private final RandomGenerator random;
    private long nowNanos = 1_000_000_000_000L;
    private long sequence;

    public FakeEnv(long seed) {
        random = new SplittableRandom(seed);
    }

    private static final class Event implements Comparable<Event> {
        final long atNanos;
        final long sequence;
        final Runnable task;
        boolean cancelled;

        Event(long atNanos, long sequence, Runnable task) {
            this.atNanos = atNanos;
            this.sequence = sequence;
            this.task = task;
        }

        @Override
        public int compareTo(Event other) {
            return atNanos != other.atNanos
                    ? Long.compare(atNanos, other.atNanos)
                    : Long.compare(sequence, other.sequence);
        }
    }

    private record Server(Hello hello, Node node) {}

    /** From now on dials to the address are accepted. */
    @Override
    public String listen(String name, Hello hello, Node node) {
        servers.put(name, new Server(hello, node));
        return name;
    }

    /** From now on dials to the address fail. */
    @Override
    public void unlisten(String address) {
        servers.remove(address);
    }

    /** Runs events until the condition holds; fails after so much virtual time. */
    public void runUntil(BooleanSupplier condition, long mostMillis) {
        long end = nowNanos + mostMillis * 1_000_000;
        while (!condition.getAsBoolean()) {
            Event next = events.peek();
            if (next == null || next.atNanos > end) {
                throw new AssertionError("not within " + mostMillis + " ms of virtual time");
            }
            step();
        }
    }

    /** Runs all events of so much virtual time. */
    public void run(long millis) {
        long end = nowNanos + millis * 1_000_000;
        while (!events.isEmpty() && events.peek().atNanos <= end) {
            step();
        }
        nowNanos = end;
    }

    private void step() {
        Event event = events.remove();
        nowNanos = Math.max(nowNanos, event.atNanos);
        if (!event.cancelled) {
            event.task.run();
        }
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Event event = new Event(nowNanos + delayNanos, sequence++, task);
        events.add(event);
        return () -> event.cancelled = true;
    }

    @Override
    public void defer(Runnable task) {
        schedule(0, task);
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
        schedule(HOP_NANOS, () -> {
            Server server = servers.get(address);
            if (server == null) {
                link.onClosed("connection refused");
                return;
            }
            Link accepted = Link.accepted(this, server.node, () -> server.hello);
            End here = new End(address, link);
            End there = new End("client", accepted);
            here.other = there;
            there.other = here;
            accepted.onOpened(there);
            link.onOpened(here);
        });
        return link;
    }

    /** One end of a connection. */
    private final class End implements Connection {
        private final String remote;
        private final Listener listener;
        private @Nullable End other;
        private ByteBuf pending = Unpooled.buffer();
        private boolean closed;

        End(String remote, Listener listener) {
            this.remote = remote;
            this.listener = listener;
        }

        @Override
        public void write(ByteBuf bytes) {
            pending.writeBytes(bytes);
            bytes.release();
        }

        @Override
        public void flush() {
            ByteBuf bytes = pending;
            pending = Unpooled.buffer();
            End to = other;
            if (to != null && bytes.isReadable()) {
                schedule(HOP_NANOS, () -> to.receive(bytes));
            }
        }

        private void receive(ByteBuf bytes) {
            if (!closed) {
                listener.onBytes(bytes);
            }
        }

        @Override
        public long pendingBytes() {
            return pending.readableBytes();
        }

        @Override
        public void reading(boolean on) {}

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                defer(() -> listener.onClosed("closed here"));
                End to = other;
                if (to != null) {
                    schedule(HOP_NANOS, to::closedByOther);
                }
            }
        }

        private void closedByOther() {
            if (!closed) {
                closed = true;
                listener.onClosed("closed by the other end");
            }
        }

        @Override
        public String remote() {
            return remote;
        }
    }
}
