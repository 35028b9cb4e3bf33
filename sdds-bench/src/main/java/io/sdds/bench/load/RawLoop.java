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
 * Gets or puts as frames, written straight to the connections of the bricks that lead a hash table's partitions: a
 * fraction of what the client library costs, so that one machine can offer bricks more than they can do. What these
 * clients know of overload is what that library's links do ({@link CongestionWindow}): a window that refusals make
 * smaller, and to ask again when a refusal says so. Closed loop: so many outstanding a client, in equal parts at its
 * connections, however many keys each brick has. Open loop: a rate; what is due and finds no room in the windows is not
 * begun.
 *
 * <p>All but the constructor, {@link #start}, {@link #awaitEnd}, the figures and {@link #close} on the loop's thread.
 */
final class RawLoop implements Generator, AutoCloseable {
    /** How raw clients introduce themselves, to bricks and coordinators. */
    static final Hello HELLO = Hello.of(Hello.Role.CLIENT, "raw", 0);

    /** Of a connection, in an open loop. */
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
     * Connects.
     *
     * @param load whose services are the clients, each with a connection to each of these bricks and, when they write,
     *     a session; whose rate may be 0: a closed loop
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
            throw new LoadException("raw clients can't connect: " + why);
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

    /** Of one connection: an equal part of what a client keeps outstanding. */
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

    /** Requests that a brick refused. */
    long refused() {
        return refused;
    }

    /**
     * Requests that were due and found no room in their connections: those of other machines would have waited there,
     * or gone away.
     */
    long notBegun() {
        return notBegun;
    }

    /** Answers that were no right ones, and connections and sessions that ended. */
    long broken() {
        return broken;
    }

    @Nullable
    String trouble() {
        return trouble;
    }

    // ---- what connections and sessions tell

    /** A connection or session can be used. */
    void onUp() {
        up.countDown();
    }

    /** One can't be, or no more. */
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

    /** A connection is gone with so many requests under way. */
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

    /** Begins there what is due, or whatever may be begun. */
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

    /** Begins what is due, or whatever may be begun. */
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

    /** How many may begin by now. */
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
