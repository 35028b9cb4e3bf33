package io.sdds.brick.shell;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.node.BrickNode;
import io.sdds.brick.node.BrickSettings;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import io.sdds.core.stage.StageLimits;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A brick with its threads and sockets; several may live in one JVM. */
public final class BrickProcess implements AutoCloseable {
    private static final long CLOSE_MILLIS = 2000;

    private final NettyTransport transport;
    private final ArenaMemorySource memory;
    private final BrickNode node;
    private final Env env;
    private final int port;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    /**
     * Starts: listens, then looks for the coordinators.
     *
     * @throws java.net.BindException when the port is in use
     */
    public static BrickProcess start(BrickConfig config) throws IOException {
        return new BrickProcess(config);
    }

    private BrickProcess(BrickConfig config) throws IOException {
        transport = new NettyTransport(1, "sdds-" + config.id());
        env = transport.envs().get(0);
        MemoryBudget budget = new MemoryBudget(config.memoryBytes());
        memory = new ArenaMemorySource(budget);
        CompletableFuture<BrickNode> made = new CompletableFuture<>();
        try {
            port = transport.listen(
                    config.listenHost(), config.listenPort(), () -> made.join().hello(), e -> made.join());
        } catch (IOException e) {
            transport.close();
            throw e;
        }
        String address = config.advertise().isEmpty() ? config.listenHost() + ":" + port : config.advertise();
        BrickSettings settings = new BrickSettings(
                config.id(), address, config.coordinators(), BrickSettings.HEARTBEAT_NANOS, StageLimits.DEFAULT);
        env.execute(() -> {
            BrickNode brick = new BrickNode(env, settings, memory, budget, () -> ready.complete(null));
            made.complete(brick);
            brick.start();
        });
        node = made.join();
    }

    /** The port it listens on. */
    public int port() {
        return port;
    }

    /** Completes when a coordinator has registered the brick. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    /** The logic, whose thread is {@link #env}'s. */
    public BrickNode node() {
        return node;
    }

    public Env env() {
        return env;
    }

    /** Stops at once: what is in its memory is gone. */
    @Override
    public void close() {
        CountDownLatch closed = new CountDownLatch(1);
        env.execute(() -> {
            node.close();
            closed.countDown();
        });
        try {
            closed.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        transport.close();
        memory.close();
    }
}
