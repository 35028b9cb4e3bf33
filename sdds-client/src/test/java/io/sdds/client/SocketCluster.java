package io.sdds.client;

import io.sdds.client.internal.routing.FakeCluster;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/** A scripted cluster of two bricks with five partitions, on loopback sockets. */
final class SocketCluster implements FakeCluster.Network, AutoCloseable {
    private final NettyTransport servers = new NettyTransport(1, "servers");
    final FakeCluster cluster = new FakeCluster(servers.envs().get(0), this, 2, 5);

    @Override
    public String listen(String name, Hello hello, Node node) {
        try {
            return "127.0.0.1:" + servers.listen("127.0.0.1", 0, () -> hello, env -> node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void unlisten(String address) {
        throw new UnsupportedOperationException();
    }

    /** Runs a task on the servers' thread, and waits for it. */
    void run(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        servers.envs().get(0).execute(() -> {
            task.run();
            done.complete(null);
        });
        done.join();
    }

    @Override
    public void close() {
        servers.close();
    }
}
