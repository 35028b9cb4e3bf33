package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import io.sdds.client.internal.routing.CongestionWindow;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Raw load: writes frames of gets or puts directly to the connections of the bricks that lead the partitions of a hash
 * table. Raw load costs a fraction of the client library, so that one machine can overload bricks. The raw clients
 * react to overload only as the links of the library do ({@link CongestionWindow}): refusals shrink a window, and a
 * refused request is sent again after the pause in the refusal. In a closed loop each client keeps a number of requests
 * outstanding, in equal parts on its connections, independent of the number of keys of each brick. In an open loop
 * requests are due at a rate; a due request without room in the windows is not sent.
 *
 * <p>The constructor, {@link #start}, {@link #awaitEnd}, the figures and {@link #close} are called from outside. All
 * other methods run on the thread of the event loop.
 */
final class RawLoop implements Generator, AutoCloseable {
    /** Name of raw clients in their hello to bricks and coordinators. */
    static final Hello HELLO = Hello.of(Hello.Role.CLIENT, "raw", 0);

    /** Limit of outstanding requests of a connection in an open loop. */
    private static final int OUTSTANDING_MAX = 8192;

    private static final long CONNECT_MILLIS = 5000;
    private static final long TURN_NANOS = 50_000;

    private final NettyTransport transport = new NettyTransport(1, "raw-load");
    private final Env env = transport.envs().get(0);
    private final Run run;
    private final long ratePerSecond;
    private final List<RawWire> wires = new ArrayList<>();
    private final List<RawSession> sessions = new ArrayList<>();
    private final List<RawFrames> requests = new ArrayList<>();
    private final SplittableRandom random;
    private final CountDownLatch up;
    private final Runnable turn = this::turn;
    private final boolean writes;
    private @Nullable Meter meter;
    private long startNanos;
    private long taken;
    private long underWay;
    private volatile long refused;
    private volatile long notBegun;
    private volatile long broken;
    private volatile @Nullable String trouble;

    /**
     * Connects all clients.
     *
     * @param load settings of the load. Its services are the clients, each with a connection to each of these bricks
     *     and, for writes, a session. Rate 0 stands for a closed loop
     */
    RawLoop(Run run, RawTable table, LoadSettings load) throws InterruptedException {
        this.run = run;
        this.ratePerSecond = load.ratePerSecond();
        this.writes = load.mode() == LoadMode.WRITE;
        this.random = new SplittableRandom(load.seed());
        List<String> bricks = table.bricks();
        this.up = new CountDownLatch(load.services() * (bricks.size() + (writes ? 1 : 0)));
        for (String brick : bricks) {
            requests.add(new RawFrames(env, table, brick, run.data, writes, random));
        }
        env.execute(() -> connect(table, load));
        if (!up.await(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
            String why = trouble == null ? "no answer in " + CONNECT_MILLIS + " ms" : trouble;
            close();
            throw new LoadException("raw clients cannot connect: " + why);
        }
    }

    private void connect(RawTable table, LoadSettings load) {
        List<String> bricks = table.bricks();
        for (int client = 0; client < load.services(); client++) {
            RawSession session = null;
            if (writes) {
                session = new RawSession(env, this);
                sessions.add(session);
                session.open(table.coordinator());
            }
            for (int brick = 0; brick < bricks.size(); brick++) {
                RawWire wire = new RawWire(this, requests.get(brick), session, slots(load, brick, bricks.size()));
                wires.add(wire);
                env.dial(bricks.get(brick), HELLO, wire);
            }
        }
    }

    /** Outstanding requests of one connection: an equal part of the outstanding requests of a client. */
    private int slots(LoadSettings load, int brick, int bricks) {
        return ratePerSecond > 0
                ? OUTSTANDING_MAX
                : load.pipeline() * (brick + 1) / bricks - load.pipeline() * brick / bricks;
    }

    @Override
    public void start() {
        env.execute(() -> {
            startNanos = System.nanoTime();
            turn();
        });
    }

    @Override
    public long awaitEnd(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - end < 0) {
            CountDownLatch looked = new CountDownLatch(1);
            long[] left = new long[1];
            env.execute(() -> {
                left[0] = underWay;
                looked.countDown();
            });
            looked.await();
            if (left[0] == 0) {
                return 0;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return Math.max(1, underWay);
    }

    /** Number of requests that a brick refused. */
    long refused() {
        return refused;
    }

    /**
     * Number of requests that were due and found no room in their connections. Requests of real machines would wait or
     * be given up there.
     */
    long notBegun() {
        return notBegun;
    }

    /** Number of wrong answers, and of connections and sessions that ended. */
    long broken() {
        return broken;
    }

    @Nullable
    String trouble() {
        return trouble;
    }

    // ---- events of connections and sessions

    /** A connection or session is ready. */
    void onUp() {
        up.countDown();
    }

    /** A connection or session has failed. */
    void onTrouble(String reason) {
        trouble = reason;
        if (run.isGoingOn()) {
            broken++;
        }
    }

    void onBegun(int count) {
        underWay += count;
        taken += count;
    }

    void onRefused() {
        underWay--;
        refused++;
    }

    /** A connection has ended with outstanding requests. */
    void onLost(int count) {
        underWay -= count;
    }

    void onAnswered(byte status, long begunNanos, long now) {
        underWay--;
        if (status == Status.OK) {
            run.ended(meter(), begunNanos, now);
        } else {
            broken++;
            trouble = "status " + status;
        }
    }

    /** Sends the due requests on a connection; in a closed loop, all requests that the window admits. */
    void beginMore(RawWire wire, long now) {
        if (run.isGoingOn()) {
            wire.begin(now, (int) Math.min(Integer.MAX_VALUE, due(now)));
        }
    }

    SplittableRandom random() {
        return random;
    }

    void schedule(long delayNanos, Runnable task) {
        env.schedule(delayNanos, task);
    }

    private Meter meter() {
        if (meter == null) {
            meter = run.meter();
        }
        return meter;
    }

    /** Sends the due requests; in a closed loop, all requests that the windows admit. */
    private void turn() {
        if (!run.isGoingOn()) {
            return;
        }
        long now = System.nanoTime();
        long due = due(now);
        int each = (int) Math.min(Integer.MAX_VALUE, due / wires.size() + 1);
        for (RawWire wire : wires) {
            due -= wire.begin(now, each);
        }
        if (ratePerSecond > 0) {
            notBegun += Math.max(0, due);
            taken += Math.max(0, due);
        }
        env.schedule(TURN_NANOS, turn);
    }

    /** Number of requests that are due by now. */
    private long due(long now) {
        return ratePerSecond == 0 ? Integer.MAX_VALUE : (long) ((now - startNanos) * (ratePerSecond / 1e9)) - taken;
    }

    @Override
    public void close() {
        CountDownLatch closed = new CountDownLatch(1);
        env.execute(() -> {
            wires.forEach(RawWire::close);
            sessions.forEach(RawSession::close);
            requests.forEach(RawFrames::close);
            closed.countDown();
        });
        try {
            closed.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        transport.close();
    }
}
