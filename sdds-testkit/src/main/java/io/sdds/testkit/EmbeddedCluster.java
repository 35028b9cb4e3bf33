package io.sdds.testkit;

import io.sdds.brick.shell.BrickConfig;
import io.sdds.brick.shell.BrickProcess;
import io.sdds.client.SddsClient;
import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.CoordinatorSettings;
import io.sdds.coordinator.control.InMemoryLog;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster in this JVM, for tests of applications: one coordinator, whose log is in memory, and bricks, over real
 * sockets on loopback with ports of the system's choice. Everything in it is the code of the processes. Off-heap memory
 * is taken as needed.
 *
 * <pre>{@code
 * try (EmbeddedCluster cluster = EmbeddedCluster.start(4)) {
 *     HashTable<String, String> names = cluster.client()
 *             .createHashTable("names", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class EmbeddedCluster implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String WHERE_IT_LISTENS = "";
    private static final long BRICK_MEMORY_BYTES = 1L << 30;
    private static final long READY_SECONDS = 10;
    private static final Logger log = LoggerFactory.getLogger(EmbeddedCluster.class);

    private final NettyTransport transport = new NettyTransport(1, "sdds-coordinator", this::coordinatorFailed);
    private final CoordinatorNode coordinator;
    private final String address;
    private final long brickMemoryBytes;
    private final int stages;
    private final String multicast;
    private final Map<Integer, BrickProcess> bricks = new TreeMap<>();
    private @Nullable SddsClient client;
    private volatile @Nullable Throwable coordinatorFailure;

    /**
     * Starts bricks 1 to {@code bricks} and waits until all take part.
     *
     * @throws IllegalArgumentException when there are fewer than one or more than 64
     * @throws UncheckedIOException when a socket can't be opened
     */
    public static EmbeddedCluster start(int bricks) {
        return start(bricks, BRICK_MEMORY_BYTES);
    }

    /** As {@link #start(int)}, with a limit of memory for each brick. */
    public static EmbeddedCluster start(int bricks, long brickMemoryBytes) {
        return start(bricks, brickMemoryBytes, 1);
    }

    /** As {@link #start(int, long)}, with so many stages, each a thread, in each brick. */
    public static EmbeddedCluster start(int bricks, long brickMemoryBytes, int stages) {
        return start(bricks, brickMemoryBytes, stages, CoordinatorSettings.MERGE_AFTER_NANOS);
    }

    /** As {@link #start(int, long, int)}, with tables that merge after so long a time of low load. */
    static EmbeddedCluster start(int bricks, long brickMemoryBytes, int stages, long mergeAfterNanos) {
        if (bricks < 1 || bricks > 64) {
            throw new IllegalArgumentException("an embedded cluster has 1 to 64 bricks, not " + bricks);
        }
        return start(bricks, new EmbeddedCluster(brickMemoryBytes, stages, mergeAfterNanos, ""));
    }

    /** As {@link #start(int, long, int)}, with bricks that listen to a group of IP multicast. */
    static EmbeddedCluster startMulticast(int bricks, long brickMemoryBytes, int stages, String group) {
        return start(
                bricks, new EmbeddedCluster(brickMemoryBytes, stages, CoordinatorSettings.MERGE_AFTER_NANOS, group));
    }

    /**
     * As {@link #start(int)}, with as many bricks as there are addresses, each of which others dial at its own; whoever
     * listens there passes on to {@link #brickAddresses}.
     */
    static EmbeddedCluster startBehind(List<String> addresses) {
        EmbeddedCluster cluster = new EmbeddedCluster(BRICK_MEMORY_BYTES, 1, CoordinatorSettings.MERGE_AFTER_NANOS, "");
        return start(addresses, cluster);
    }

    private static EmbeddedCluster start(int bricks, EmbeddedCluster cluster) {
        return start(Collections.nCopies(bricks, WHERE_IT_LISTENS), cluster);
    }

    private static EmbeddedCluster start(List<String> addresses, EmbeddedCluster cluster) {
        try {
            for (int number = 1; number <= addresses.size(); number++) {
                cluster.startBrick(number, addresses.get(number - 1));
            }
            cluster.awaitReady();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private EmbeddedCluster(long brickMemoryBytes, int stages, long mergeAfterNanos, String multicast) {
        this.multicast = multicast;
        this.stages = stages;
        this.brickMemoryBytes = brickMemoryBytes;
        Env env = transport.envs().get(0);
        CompletableFuture<CoordinatorNode> made = new CompletableFuture<>();
        try {
            int port = transport.listen(LOOPBACK, 0, () -> made.join().hello(), e -> made.join());
            address = LOOPBACK + ":" + port;
        } catch (IOException e) {
            transport.close();
            throw new UncheckedIOException(e);
        }
        env.execute(() -> {
            CoordinatorSettings settings =
                    CoordinatorSettings.of("c1", List.of(address)).withMergeAfterNanos(mergeAfterNanos);
            CoordinatorNode node = new CoordinatorNode(env, settings, new InMemoryLog());
            node.start();
            made.complete(node);
        });
        coordinator = made.join();
    }

    /** host:port of the coordinator, for clients of the application's own making. */
    public String address() {
        return address;
    }

    /** A client of this cluster, made once and closed with it. */
    public synchronized SddsClient client() {
        if (client == null) {
            client = SddsClient.connect(address);
        }
        return client;
    }

    /** host:port of the bricks that run, by number. */
    public synchronized List<String> brickAddresses() {
        return bricks.values().stream()
                .map(brick -> LOOPBACK + ":" + brick.port())
                .toList();
    }

    /** Bytes of answers that a brick's clients do not read. */
    synchronized long unreadBytes(int number) {
        return Objects.requireNonNull(bricks.get(number)).unreadBytes();
    }

    /** Bytes of messages that a brick's clients have begun to send and not ended. */
    synchronized long incomingBytes(int number) {
        return Objects.requireNonNull(bricks.get(number)).incomingBytes();
    }

    /** Stops a brick without a word to anybody; what was in its memory is gone. */
    public synchronized void kill(int number) {
        BrickProcess brick = bricks.remove(number);
        if (brick == null) {
            throw new IllegalArgumentException("brick " + number + " does not run");
        }
        brick.close();
    }

    /** Starts one more brick, or one that was killed, empty; it takes part soon after. */
    public synchronized void startBrick(int number) {
        startBrick(number, WHERE_IT_LISTENS);
    }

    private synchronized void startBrick(int number, String advertise) {
        if (bricks.containsKey(number)) {
            throw new IllegalArgumentException("brick " + number + " runs already");
        }
        try {
            bricks.put(
                    number,
                    BrickProcess.start(new BrickConfig(
                                    "b" + number, LOOPBACK, 0, advertise, List.of(address), brickMemoryBytes, stages)
                            .withMulticast(multicast)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until all bricks that run take part. */
    public void awaitReady() {
        List<BrickProcess> waiting;
        synchronized (this) {
            waiting = new ArrayList<>(bricks.values());
        }
        try {
            for (BrickProcess brick : waiting) {
                brick.ready().get(READY_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the cluster started", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the cluster did not start within " + READY_SECONDS + " s", e);
        }
    }

    /** Numbers of the bricks that have ended by themselves, since they failed, and were not killed since. */
    public synchronized List<Integer> failedBricks() {
        return bricks.entrySet().stream()
                .filter(brick -> brick.getValue().ended().isDone())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void coordinatorFailed(Throwable cause) {
        log.error("the coordinator ends, since it failed", cause);
        coordinatorFailure = cause;
        transport.halt();
    }

    /**
     * Stops everything.
     *
     * @throws IllegalStateException when a process of the cluster had failed: the log says more. Everything is stopped
     *     all the same
     */
    @Override
    public synchronized void close() {
        List<Integer> failed = failedBricks();
        stop();
        if (coordinatorFailure != null) {
            throw new IllegalStateException("the coordinator had failed", coordinatorFailure);
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException("bricks " + failed + " had failed; the log has the causes");
        }
    }

    private void stop() {
        if (client != null) {
            client.close();
            client = null;
        }
        bricks.values().forEach(BrickProcess::close);
        bricks.clear();
        if (!transport.isHalted()) {
            transport.envs().get(0).execute(coordinator::close);
        }
        transport.close();
    }
}
