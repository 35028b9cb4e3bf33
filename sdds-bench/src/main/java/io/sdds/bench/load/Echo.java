package io.sdds.bench.load;

import io.netty.buffer.ByteBuf;
import io.sdds.client.Callback;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lower bound of latency: requests and replies of the same sizes, over the same links, between two threads without a
 * table. The difference to a table is the cost of the client library and the bricks.
 */
public final class Echo implements LoadTarget, AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final NettyTransport serverTransport = new NettyTransport(1, "echo-server");
    private final NettyTransport clientTransport = new NettyTransport(1, "echo-client");
    private final Env env = clientTransport.envs().get(0);
    private final Client client;

    /**
     * Listens on a free port and connects to the port.
     *
     * @param valueBytes length of the value in each reply to a get
     */
    public static Echo open(int valueBytes) throws IOException {
        Echo echo = new Echo(valueBytes);
        echo.client.up.join();
        return echo;
    }

    private Echo(int valueBytes) throws IOException {
        Node server = new Server(valueBytes);
        int port = serverTransport.listen(LOOPBACK, 0, () -> Hello.of(Role.BRICK, "echo", 0), any -> server);
        client = new Client(env, valueBytes);
        env.execute(() -> env.dial(LOOPBACK + ":" + port, Hello.of(Role.CLIENT, "echo", 0), client));
    }

    @Override
    public void get(byte[] key, Callback<Object> callback) {
        env.execute(() -> client.send(Opcode.GET, key, null, callback));
    }

    @Override
    public void put(byte[] key, byte[] value, Callback<Object> callback) {
        env.execute(() -> client.send(Opcode.PUT, key, value, callback));
    }

    /** The echo keeps no records. Its values have the right length and no right content. */
    @Override
    public boolean keepsRecords() {
        return false;
    }

    @Override
    public void close() {
        clientTransport.close();
        serverTransport.close();
    }

    /** Answers every request at once. */
    private static final class Server implements Node {
        private static final int WRITE_REPLY_BYTES = ReplyFrame.HEADER + Long.BYTES;

        private final byte[] value;

        Server(int valueBytes) {
            value = new byte[valueBytes];
        }

        @Override
        public void onLinkUp(Link link) {}

        @Override
        public void onLinkDown(Link link, String reason) {}

        @Override
        public void onFrames(Link link, ByteBuf frames) {
            int length;
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += length) {
                length = frames.getIntLE(at);
                boolean get = frames.getByte(at + RequestFrame.OPCODE) == Opcode.GET;
                int reply = get ? WRITE_REPLY_BYTES + value.length : WRITE_REPLY_BYTES;
                ByteBuf out = link.claim(reply);
                ReplyFrame.writeHeader(out, reply, 0, Status.OK, 0, frames.getIntLE(at + RequestFrame.CORRELATION));
                out.writeLongLE(1);
                if (get) {
                    out.writeBytes(value);
                }
                link.commit();
            }
            link.flush();
        }
    }

    /** The client side. Identifies requests by their slots. Runs only on the event loop of the client. */
    private static final class Client implements Node {
        private static final int DEADLINE_MILLIS = 5000;

        final CompletableFuture<Void> up = new CompletableFuture<>();
        private final Env env;
        private final int valueBytes;
        private final @Nullable Request[] slots = new Request[LoadSettings.OUTSTANDING_MAX];
        private final ArrayDeque<Request> free = new ArrayDeque<>();
        private final Runnable flush = this::flush;
        private @Nullable Link link;
        private int used;
        private boolean unflushed;

        private static final class Request {
            final int slot;
            boolean get;

            @Nullable
            Callback<Object> callback;

            Request(int slot) {
                this.slot = slot;
            }
        }

        Client(Env env, int valueBytes) {
            this.env = env;
            this.valueBytes = valueBytes;
        }

        @Override
        public void onLinkUp(Link opened) {
            link = opened;
            up.complete(null);
        }

        @Override
        public void onLinkDown(Link closed, String reason) {
            link = null;
            up.completeExceptionally(new IllegalStateException("the link of the echo is down: " + reason));
        }

        void send(byte opcode, byte[] key, byte @Nullable [] value, Callback<Object> callback) {
            Link to = link;
            if (to == null) {
                throw new IllegalStateException("the link of the echo is down");
            }
            Request request = request();
            request.get = value == null;
            request.callback = callback;
            int length = RequestFrame.body(opcode) + key.length + (value == null ? 0 : value.length);
            ByteBuf out = to.claim(length);
            RequestFrame.writeHeader(out, length, opcode, 0, request.slot, 1, 0, DEADLINE_MILLIS, 1, key.length);
            if (value != null) {
                RequestFrame.writeRequestId(out, 1, 1, 1);
            }
            out.writeBytes(key);
            if (value != null) {
                out.writeBytes(value);
            }
            to.commit();
            if (!unflushed) {
                unflushed = true;
                env.defer(flush);
            }
        }

        private Request request() {
            Request request = free.pollLast();
            if (request == null) {
                request = new Request(used++);
                slots[request.slot] = request;
            }
            return request;
        }

        private void flush() {
            unflushed = false;
            if (link != null) {
                link.flush();
            }
        }

        @Override
        public void onFrames(Link from, ByteBuf frames) {
            int length;
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += length) {
                length = frames.getIntLE(at);
                answered(
                        slots[frames.getIntLE(at + ReplyFrame.CORRELATION)],
                        frames,
                        at + ReplyFrame.HEADER + Long.BYTES);
            }
        }

        private void answered(@Nullable Request request, ByteBuf frames, int body) {
            if (request == null || request.callback == null) {
                throw new IllegalStateException("a reply without a request");
            }
            Callback<Object> callback = request.callback;
            byte[] value = null;
            if (request.get) {
                value = new byte[valueBytes];
                frames.getBytes(body, value);
            }
            request.callback = null;
            free.addLast(request);
            callback.done(value, null);
        }
    }
}
