package io.sdds.testkit;

import io.sdds.brick.shell.BrickConfig;
import io.sdds.brick.shell.BrickProcess;
import io.sdds.client.SddsClient;
import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.model.BrickWeight;
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
 * sockets on loopback with free ports. The cluster runs the same code as the processes. Off-heap memory is allocated on
 * demand.
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

    private final long mergeAfterNanos;
    private final long brickMemoryBytes;
    private final int stages;
    private final String multicast;
    /** Capacity weights in hundredths by numbers of bricks; bricks without an entry have the default. */
    private final Map<Integer, Integer> weights = new TreeMap<>();

    private final Map<Integer, BrickProcess> bricks = new TreeMap<>();
    private Coordinator coordinator;
    private @Nullable SddsClient client;
    private volatile @Nullable Throwable coordinatorFailure;

    /**
     * Starts bricks 1 to {@code bricks} and waits until all bricks are registered.
     *
     * @throws IllegalArgumentException if {@code bricks} is not 1 to 64
     * @throws UncheckedIOException if a socket cannot be opened
     */
    public static EmbeddedCluster start(int bricks) {
        return start(bricks, BRICK_MEMORY_BYTES);
    }

    /** Like {@link #start(int)}, with a brick for each of these capacity weights, which are from 0.1 to 100. */
    public static EmbeddedCluster start(List<Double> weights) {
        checkNumber(weights.size());
        EmbeddedCluster cluster = new EmbeddedCluster(BRICK_MEMORY_BYTES, 1, CoordinatorSettings.MERGE_AFTER_NANOS, "");
        for (int number = 1; number <= weights.size(); number++) {
            cluster.weights.put(number, BrickWeight.hundredths(weights.get(number - 1)));
        }
        return start(weights.size(), cluster);
    }

    /** Like {@link #start(int)}, with a memory limit for each brick. */
    public static EmbeddedCluster start(int bricks, long brickMemoryBytes) {
        return start(bricks, brickMemoryBytes, 1);
    }

    /** Like {@link #start(int, long)}, with a number of stages in each brick; each stage is a thread. */
    public static EmbeddedCluster start(int bricks, long brickMemoryBytes, int stages) {
        return start(bricks, brickMemoryBytes, stages, CoordinatorSettings.MERGE_AFTER_NANOS);
    }

    /** Like {@link #start(int, long, int)}, with the time of low load after which tables merge. */
    static EmbeddedCluster start(int bricks, long brickMemoryBytes, int stages, long mergeAfterNanos) {
        checkNumber(bricks);
        return start(bricks, new EmbeddedCluster(brickMemoryBytes, stages, mergeAfterNanos, ""));
    }

    private static void checkNumber(int bricks) {
        if (bricks < 1 || bricks > 64) {
            throw new IllegalArgumentException("an embedded cluster has 1 to 64 bricks, not " + bricks);
        }
    }

    /** Like {@link #start(int, long, int)}, with bricks that listen to an IP multicast group. */
    static EmbeddedCluster startMulticast(int bricks, long brickMemoryBytes, int stages, String group) {
        return start(
                bricks, new EmbeddedCluster(brickMemoryBytes, stages, CoordinatorSettings.MERGE_AFTER_NANOS, group));
    }

    /**
     * Like {@link #start(int)}, with one brick for each address, which the brick advertises. The caller forwards
     * connections to these addresses to {@link #brickAddresses}.
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
        this.mergeAfterNanos = mergeAfterNanos;
        this.coordinator = new Coordinator(0);
    }

    /** The coordinator, on a thread of its own. */
    private final class Coordinator {
        private final NettyTransport transport =
                new NettyTransport(1, "sdds-coordinator", EmbeddedCluster.this::coordinatorFailed);
        private final CoordinatorNode node;
        private final int port;

        /** @param wanted port to listen at; 0: any free port */
        Coordinator(int wanted) {
            Env env = transport.envs().get(0);
            CompletableFuture<CoordinatorNode> made = new CompletableFuture<>();
            try {
                port = transport.listen(LOOPBACK, wanted, () -> made.join().hello(), e -> made.join());
            } catch (IOException e) {
                transport.close();
                throw new UncheckedIOException(e);
            }
            env.execute(() -> {
                CoordinatorSettings settings =
                        CoordinatorSettings.of("c1", List.of(address())).withMergeAfterNanos(mergeAfterNanos);
                CoordinatorNode fresh = new CoordinatorNode(env, settings, new InMemoryLog());
                fresh.start();
                made.complete(fresh);
            });
            node = made.join();
        }

        String address() {
            return LOOPBACK + ":" + port;
        }

        void close() {
            if (!transport.isHalted()) {
                transport.envs().get(0).execute(node::close);
            }
            transport.close();
        }
    }

    /** host:port of the coordinator, for clients that the application creates. */
    public synchronized String address() {
        return coordinator.address();
    }

    /** The client of this cluster, which is created once and closed with the cluster. */
    public synchronized SddsClient client() {
        if (client == null) {
            client = SddsClient.connect(address());
        }
        return client;
    }

    /** host:port of the running bricks, by number. */
    public synchronized List<String> brickAddresses() {
        return bricks.values().stream()
                .map(brick -> LOOPBACK + ":" + brick.port())
                .toList();
    }

    /** Bytes of answers that the clients of a brick have not read. */
    synchronized long unreadBytes(int number) {
        return Objects.requireNonNull(bricks.get(number)).unreadBytes();
    }

    /** Bytes of incomplete messages from the clients of a brick. */
    synchronized long incomingBytes(int number) {
        return Objects.requireNonNull(bricks.get(number)).incomingBytes();
    }

    /**
     * Kills a brick. All its records are lost. The coordinator is told that the process has ended, as {@code sdds up}
     * tells it when a process ends.
     */
    public synchronized void kill(int number) {
        BrickProcess brick = bricks.remove(number);
        if (brick == null) {
            throw new IllegalArgumentException("brick " + number + " does not run");
        }
        brick.close();
    }

    /** Starts a new or killed brick, without records. The brick registers soon afterwards. */
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
                                    "b" + number, LOOPBACK, 0, advertise, List.of(address()), brickMemoryBytes, stages)
                            .withMulticast(multicast)
                            .withWeight(weights.getOrDefault(number, BrickWeight.DEFAULT_HUNDREDTHS))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends all processes and starts a new cluster with as many bricks, whose coordinator has the same {@link #address}.
     * All tables are lost. Clients stay as they are.
     */
    public synchronized void makeAnew() {
        List<Integer> numbers = List.copyOf(bricks.keySet());
        numbers.forEach(this::kill);
        coordinator.close();
        coordinator = new Coordinator(coordinator.port);
        numbers.forEach(this::startBrick);
        awaitReady();
    }

    /** Waits until all running bricks are registered. */
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

    /** Numbers of the bricks that have failed, and were not killed since. */
    public synchronized List<Integer> failedBricks() {
        return bricks.entrySet().stream()
                .filter(brick -> brick.getValue().ended().isDone())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void coordinatorFailed(Throwable cause) {
        log.error("the coordinator ends, since it failed", cause);
        coordinatorFailure = cause;
        coordinator.transport.halt();
    }

    /**
     * Stops all processes.
     *
     * @throws IllegalStateException if a process of the cluster had failed; the log has details. All processes are
     *     stopped in this case too
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
        coordinator.close();
    }
}
