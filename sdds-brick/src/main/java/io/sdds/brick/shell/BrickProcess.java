package io.sdds.brick.shell;

import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.group.Groups;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.node.BrickListener;
import io.sdds.brick.node.BrickNode;
import io.sdds.brick.node.BrickSettings;
import io.sdds.brick.node.StageGroup;
import io.sdds.core.netty.MulticastGroup;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.netty.Pulse;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.Env;
import io.sdds.core.node.Readiness;
import io.sdds.core.stage.StageLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A brick with its threads and sockets. A JVM may have several bricks.
 *
 * <p>A brick is fail-stop: an exception in one of its stages ends the brick ({@link #ended}). Bytes that violate the
 * protocol do not end the brick, nor do requests that fail before they have changed anything.
 */
public final class BrickProcess implements AutoCloseable {
    private static final long CLOSE_MILLIS = 2000;

    /** Time in which all stages of a brick that fails close their connections. */
    private static final long LAST_WORDS_MILLIS = 100;

    /** Part of the heap that may hold results of writes. */
    private static final int RESULTS_SHARE_OF_HEAP = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(BrickProcess.class);

    /** Why a brick has ended by itself. */
    public enum End {
        /** A thread of the brick threw an exception, so its records can't be trusted. The log has the exception. */
        FAILED,
        /** Another process has registered under the brick's name. */
        REPLACED,
        /** All coordinators belong to another cluster. */
        FOREIGN
    }

    /** @param line a description for people */
    public record Ended(End why, String line) {}

    private final NettyTransport transport;
    private final ChunkThread chunkThread = new ChunkThread();
    private final List<ArenaMemorySource> memory = new ArrayList<>();
    private final List<Env> envs;
    private final List<BrickNode> stages = new ArrayList<>();
    private final int port;
    private final MemoryBudget budget;
    private final Pulse pulse;
    private final String id;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();
    private final AtomicBoolean failing = new AtomicBoolean();

    /**
     * Starts a brick: listens, then dials the coordinators.
     *
     * @throws java.net.BindException if the port is in use
     */
    public static BrickProcess start(BrickConfig config) throws IOException {
        return start(config, new ClusterIdentity());
    }

    /**
     * Starts a brick that has a directory, which may name the cluster already; otherwise like
     * {@link #start(BrickConfig)}.
     */
    public static BrickProcess start(BrickConfig config, ClusterIdentity cluster) throws IOException {
        return new BrickProcess(config, cluster);
    }

    private BrickProcess(BrickConfig config, ClusterIdentity cluster) throws IOException {
        id = config.id();
        KernelType kernel = config.erasureKernel() == null ? KernelType.fastest() : config.erasureKernel();
        log.info("brick {} uses the erasure kernel {}", id, kernel);
        transport = new NettyTransport(config.stages(), "sdds-" + id, this::failed);
        envs = transport.envs();
        pulse = new Pulse(envs, PATIENCE);
        budget = new MemoryBudget(config.memoryBytes());
        CompletableFuture<IdentityHashMap<Env, BrickNode>> made = new CompletableFuture<>();
        try {
            port = transport.listen(
                    config.listenHost(),
                    config.listenPort(),
                    () -> stages.get(0).hello(),
                    env -> Objects.requireNonNull(made.join().get(env)));
        } catch (IOException e) {
            transport.close();
            chunkThread.close();
            throw e;
        }
        String address = config.advertise().isEmpty() ? config.listenHost() + ":" + port : config.advertise();
        BrickSettings settings = new BrickSettings(
                config.id(),
                address,
                config.coordinators(),
                BrickSettings.HEARTBEAT_NANOS,
                StageLimits.DEFAULT.withResultBytesMax(
                        Runtime.getRuntime().maxMemory() / RESULTS_SHARE_OF_HEAP / config.stages()),
                config.clientsMax(),
                kernel,
                config.weight(),
                Groups.LOG_BYTES_MAX);
        StageGroup group = new StageGroup(config.stages(), cluster);
        IdentityHashMap<Env, BrickNode> byEnv = new IdentityHashMap<>();
        for (Env env : envs) {
            ArenaMemorySource source = new ArenaMemorySource(budget, chunkThread.chunks());
            memory.add(source);
            BrickNode stage = new BrickNode(env, settings, source, budget, group, new Events());
            stages.add(stage);
            byEnv.put(env, stage);
        }
        made.complete(byEnv);
        join(config);
        for (int k = 0; k < stages.size(); k++) {
            envs.get(k).execute(stages.get(k)::start);
        }
    }

    private final class Events implements BrickListener {
        @Override
        public void onReady() {
            ready.complete(null);
        }

        @Override
        public void onForeign(String line) {
            end(End.FOREIGN, line);
        }

        @Override
        public void onReplaced(String line) {
            log.error("brick {} ends, because another process has replaced it: {}", id, line);
            end(End.REPLACED, line);
        }
    }

    private void join(BrickConfig config) throws IOException {
        if (!config.multicast().isEmpty()) {
            try {
                transport.join(MulticastGroup.parse(config.multicast()), stages.get(0)::onDatagram);
            } catch (IOException e) {
                close();
                throw e;
            }
        }
    }

    /** The port on which the brick listens. */
    public int port() {
        return port;
    }

    /** The incarnation of this process; 0 before the brick is {@link #ready}. */
    public long incarnation() {
        return stages.get(0).hello().incarnation();
    }

    /** Bytes of responses that clients have not read. */
    public long unreadBytes() {
        return budget.unread().heldBytes();
    }

    /** Bytes of messages that clients have sent in part. */
    public long incomingBytes() {
        return budget.incoming().heldBytes();
    }

    /** Completes when a coordinator has registered the brick. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    /**
     * Completes when the brick has ended by itself: it serves no requests any more, and its sockets are closed. The
     * caller of {@link #start} must still close the brick, but not on the thread on which this completes.
     */
    public CompletableFuture<Ended> ended() {
        return ended;
    }

    private void failed(Throwable cause) {
        log.error("brick {} ends, because it failed", id, cause);
        if (!failing.getAndSet(true)) {
            sayLastWords();
            end(End.FAILED, cause.toString());
        }
    }

    /**
     * All stages tell their clients that the brick fails. The thread of the stage that failed waits for the others, so
     * that this stage does nothing more.
     */
    private void sayLastWords() {
        CountDownLatch said = new CountDownLatch(stages.size());
        for (int k = 0; k < stages.size(); k++) {
            BrickNode stage = stages.get(k);
            envs.get(k).execute(() -> {
                try {
                    stage.fail();
                } catch (RuntimeException e) {
                    log.debug("a stage of brick {} can't tell its clients that the brick fails", id, e);
                } finally {
                    said.countDown();
                }
            });
        }
        await(said, LAST_WORDS_MILLIS);
    }

    private void end(End why, String line) {
        transport.halt();
        ended.complete(new Ended(why, line));
    }

    /** Whether every stage makes progress. May take 2 s. */
    public Readiness liveness() {
        return pulse.check();
    }

    /** Whether clients should be sent to this brick. May take 2 s. */
    public Readiness readiness() {
        return Pulse.ask(
                envs.get(0), PATIENCE, answer -> answer.complete(stages.get(0).readiness()));
    }

    /** Stops the brick at once. The records in its memory are lost. */
    @Override
    public void close() {
        if (!transport.isHalted() && areClosed(1, stages.size())) {
            areClosed(0, 1); // the first stage closes last, and tells the coordinators that the brick serves no more
        }
        transport.close();
        memory.forEach(ArenaMemorySource::close);
        chunkThread.close();
    }

    /** Closes stages; false if some stage has not closed in time, and may still answer a read. */
    private boolean areClosed(int from, int to) {
        CountDownLatch closed = new CountDownLatch(to - from);
        for (int k = from; k < to; k++) {
            BrickNode stage = stages.get(k);
            envs.get(k).execute(() -> {
                stage.close();
                closed.countDown();
            });
        }
        return await(closed, CLOSE_MILLIS);
    }

    private static boolean await(CountDownLatch latch, long millis) {
        try {
            return latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
