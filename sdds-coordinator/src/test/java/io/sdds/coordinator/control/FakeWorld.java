package io.sdds.coordinator.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Virtual time and a faultless network for nodes under test: what is due runs in the order of its time, one thread, the same each time. */
public final class FakeWorld {
    private static final long LATENCY_NANOS = 100_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<String, Listening> listening = new TreeMap<>();
    private final SplittableRandom random;
    private long nowNanos = 1_000_000_000L;
    private long sequence;

    private record Listening(FakeEnv env, Supplier<Hello> hello, Node node) {}

    private record Event(long atNanos, long sequence, Runnable task, boolean[] cancelled) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNanos != other.atNanos
                    ? Long.compare(atNanos, other.atNanos)
                    : Long.compare(sequence, other.sequence);
        }
    }

    public FakeWorld(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A new environment; its nodes can be dialed once they {@link #listen}. */
    public FakeEnv newEnv() {
        return new FakeEnv(random.split());
    }

    public void listen(String address, FakeEnv env, Supplier<Hello> hello, Node node) {
        listening.put(address, new Listening(env, hello, node));
    }

    public void stopListening(String address) {
        listening.remove(address);
    }

    /** Runs everything that falls due within a time. */
    public void run(Duration time) {
        long end = nowNanos + time.toNanos();
        while (!events.isEmpty() && events.peek().atNanos <= end) {
            Event event = events.poll();
            nowNanos = event.atNanos;
            if (!event.cancelled[0]) {
                event.task.run();
            }
        }
        nowNanos = end;
    }

    private Timer at(long atNanos, Runnable task) {
        boolean[] cancelled = new boolean[1];
        events.add(new Event(atNanos, sequence++, task, cancelled));
        return () -> cancelled[0] = true;
    }

    /** The environment of one node. */
    public final class FakeEnv implements Env {
        private final RandomGenerator ownRandom;
        private final List<End> ends = new ArrayList<>();
        private boolean crashed;

        private FakeEnv(RandomGenerator ownRandom) {
            this.ownRandom = ownRandom;
        }

        /** Its process is killed: it runs nothing more, and the other ends of its connections hear of it. */
        public void crash() {
            crashed = true;
            for (End end : new ArrayList<>(ends)) {
                end.close();
            }
        }

        @Override
        public long nowNanos() {
            return nowNanos;
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return at(nowNanos + delayNanos, unlessCrashed(task));
        }

        @Override
        public void defer(Runnable task) {
            at(nowNanos, unlessCrashed(task));
        }

        @Override
        public void execute(Runnable task) {
            unlessCrashed(task).run();
        }

        private Runnable unlessCrashed(Runnable task) {
            return () -> {
                if (!crashed) {
                    task.run();
                }
            };
        }

        @Override
        public RandomGenerator random() {
            return ownRandom;
        }

        @Override
        public ByteBuf allocate(int capacity) {
            return Unpooled.buffer(capacity);
        }

        @Override
        public Link dial(String address, Hello hello, Node node) {
            Link link = Link.dialed(this, node, hello);
            Listening target = listening.get(address);
            if (target == null || target.env.crashed) {
                defer(() -> link.onClosed("can't connect to " + address));
                return link;
            }
            End here = new End(this, link, address);
            End there = new End(target.env, Link.accepted(target.env, target.node, target.hello), "dialer");
            here.other = there;
            there.other = here;
            at(nowNanos + LATENCY_NANOS, there.env.unlessCrashed(() -> there.listener.onOpened(there)));
            at(nowNanos + LATENCY_NANOS, here.env.unlessCrashed(() -> here.listener.onOpened(here)));
            return link;
        }
    }

    /** One end of a connection. */
    private final class End implements Connection {
        private final FakeEnv env;
        private final Listener listener;
        private final String remote;
        private final ArrayDeque<ByteBuf> written = new ArrayDeque<>();
        private @Nullable End other;
        private boolean closed;

        End(FakeEnv env, Listener listener, String remote) {
            this.env = env;
            this.listener = listener;
            this.remote = remote;
            env.ends.add(this);
        }

        private End other() {
            if (other == null) {
                throw new IllegalStateException("no other end yet");
            }
            return other;
        }

        @Override
        public void write(ByteBuf bytes) {
            written.add(bytes);
        }

        @Override
        public void flush() {
            while (!written.isEmpty()) {
                ByteBuf bytes = written.remove();
                End to = other();
                at(nowNanos + LATENCY_NANOS, to.env.unlessCrashed(() -> to.deliver(bytes)));
            }
        }

        private void deliver(ByteBuf bytes) {
            if (!closed) {
                listener.onBytes(bytes);
            }
            bytes.release();
        }

        @Override
        public long pendingBytes() {
            return written.stream().mapToLong(ByteBuf::readableBytes).sum();
        }

        @Override
        public void reading(boolean on) {}

        @Override
        public void close() {
            closeThis("closed here", 0);
            other().closeThis("closed by the other end", LATENCY_NANOS);
        }

        private void closeThis(String reason, long delayNanos) {
            if (!closed) {
                env.ends.remove(this);
                at(nowNanos + delayNanos, env.unlessCrashed(() -> {
                    closed = true;
                    listener.onClosed(reason);
                }));
            }
        }

        @Override
        public String remote() {
            return remote;
        }
    }
}
