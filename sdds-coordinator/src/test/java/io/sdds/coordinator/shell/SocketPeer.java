package io.sdds.coordinator.shell;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A client or brick on real sockets that sends requests and waits for answers. */
final class SocketPeer implements Node, AutoCloseable {
    private final NettyTransport transport = new NettyTransport(1, "peer");
    private final Env env = transport.envs().get(0);
    private final CompletableFuture<Link> up = new CompletableFuture<>();
    private final Map<Integer, CompletableFuture<ControlMessage>> asked = new ConcurrentHashMap<>();
    private final AtomicInteger correlation = new AtomicInteger();

    SocketPeer(String address, Hello.Role role, String name) {
        env.execute(() -> env.dial(address, Hello.of(role, name, 0), this));
    }

    CompletableFuture<ControlMessage> send(ControlMessage message) {
        CompletableFuture<ControlMessage> answer = new CompletableFuture<>();
        int id = correlation.incrementAndGet();
        asked.put(id, answer);
        up.whenComplete((link, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                env.execute(() -> {
                    ControlFrame.write(link.claim(0), ControlFrame.REQUEST, id, message);
                    link.commit();
                    link.flush();
                });
            }
        });
        return answer;
    }

    ControlMessage ask(ControlMessage message) {
        return send(message).orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** The hello of the other end. */
    Hello peer() {
        return up.orTimeout(10, TimeUnit.SECONDS).join().peer();
    }

    @Override
    public void onLinkUp(Link link) {
        up.complete(link);
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        int at = frames.readerIndex();
        while (at < frames.writerIndex()) {
            int length = frames.getIntLE(at);
            CompletableFuture<ControlMessage> answer = asked.remove(frames.getIntLE(at + ControlFrame.CORRELATION));
            if (answer != null) {
                answer.complete(ControlFrame.read(frames, at, length));
            }
            at += length;
        }
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        IllegalStateException failure = new IllegalStateException("link down: " + reason);
        up.completeExceptionally(failure);
        asked.values().forEach(answer -> answer.completeExceptionally(failure));
    }

    @Override
    public void close() {
        transport.close();
    }
}
