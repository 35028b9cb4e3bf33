package io.sdds.bench.queries;

import io.netty.buffer.ByteBuf;
import io.sdds.bench.load.ClientLoop;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.Query;
import io.sdds.client.SddsClient;
import io.sdds.client.internal.EnvClients;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.node.Env;
import io.sdds.core.node.ForwardingNode;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A client of one table on an event loop of its own, which counts the bytes of received frames and notes when the last
 * reply came.
 */
final class MeteredClient implements AutoCloseable {
    private final ClientLoop loop;
    private final SddsClient client;
    private final Query<byte[], byte[]> all;

    // Only the event loop uses these.
    private long receivedBytes;
    private long lastReplyNanos;

    MeteredClient(List<String> addresses, ClientSettings settings, SampleTable table) {
        this.loop = new ClientLoop("queries");
        Env env = new MeteredEnv(loop.env());
        this.client = loop.on(() -> EnvClients.connect(env, addresses, settings));
        this.all = loop.on(() -> client.tableAsync(table.name(), Codec.bytes(), Codec.bytes()))
                .scan();
    }

    /** Runs an action on the event loop, and waits for the future of the action. */
    <T> T on(Supplier<CompletableFuture<T>> action) {
        return loop.on(action);
    }

    /** Begins a query of all records on the event loop, and waits for its future. */
    <T> T query(Function<Query<byte[], byte[]>, CompletableFuture<T>> query) {
        return loop.on(() -> query.apply(all));
    }

    /** A query of all records, which is to begin on the event loop. */
    Query<byte[], byte[]> all() {
        return all;
    }

    Env env() {
        return loop.env();
    }

    /** Bytes of all frames that have been received. */
    long receivedBytes() {
        return loop.on(() -> CompletableFuture.completedFuture(receivedBytes));
    }

    /** When the last reply to a request came, by {@link System#nanoTime}. For the event loop. */
    long lastReplyNanos() {
        return lastReplyNanos;
    }

    @Override
    public void close() {
        loop.close(client::close);
    }

    private void received(ByteBuf frames) {
        receivedBytes += frames.readableBytes();
        int length;
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += length) {
            length = frames.getIntLE(at);
            if (frames.getByte(at + ControlFrame.KIND - 1) == Opcode.REPLY) {
                lastReplyNanos = System.nanoTime();
            }
        }
    }

    /** Hands out links whose frames are metered first. */
    private final class MeteredEnv implements Env {
        private final Env env;

        MeteredEnv(Env env) {
            this.env = env;
        }

        @Override
        public Link dial(String address, Hello hello, Node node) {
            return env.dial(address, hello, new MeteredNode(node));
        }

        @Override
        public long nowNanos() {
            return env.nowNanos();
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return env.schedule(delayNanos, task);
        }

        @Override
        public void defer(Runnable task) {
            env.defer(task);
        }

        @Override
        public void execute(Runnable task) {
            env.execute(task);
        }

        @Override
        public RandomGenerator random() {
            return env.random();
        }

        @Override
        public ByteBuf allocate(int capacity) {
            return env.allocate(capacity);
        }

        @Override
        public long featuresAllowed() {
            return env.featuresAllowed();
        }
    }

    private final class MeteredNode extends ForwardingNode {
        MeteredNode(Node node) {
            super(node);
        }

        @Override
        public void onFrames(Link link, ByteBuf frames) {
            received(frames);
            super.onFrames(link, frames);
        }
    }
}
