package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Operations that start at a rate on the event loop of their clients, independent of outstanding operations. Latency
 * counts from the scheduled start of an operation. An {@link OpenLoop} starts operations on its own thread, as an
 * application does; that thread takes nearly as much processor time as the client.
 */
final class PacedLoop implements Generator {
    /* Shedding. One machine generates the load of many machines. If the generator started each operation, even the
     * refused ones, it would take the cores of the bricks. So after as many immediate refusals in a row as there are
     * clients, all other operations that are due by then count as refused without a start. An operation that is due for
     * longer than LATE_NANOS is not started either. It counts as late, which shows that the generator has reached its
     * own limit.
     */
    private static final long LATE_NANOS = 10_000_000;
    private static final long PAUSE_NANOS = 100_000;
    private static final int TURN_MAX = 512;

    private final Run run;
    private final Connections connections;
    private final long ratePerSecond;
    private final boolean sheds;
    private final SplittableRandom random;
    private final ArrayDeque<Paced> free = new ArrayDeque<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Runnable turn = this::turn;
    private long startNanos;
    private long taken;
    private long underWay;
    private volatile long notBegun;
    private volatile long late;

    /** Creates a loop that starts each operation, even if the operation is late. */
    static PacedLoop whole(Run run, Connections connections, long ratePerSecond, long seed) {
        return new PacedLoop(run, connections, ratePerSecond, false, seed);
    }

    /**
     * Creates a loop that can offer many times the possible load, because it skips operations that would be refused
     * ({@link #notBegun}) or are too late ({@link #late}).
     */
    static PacedLoop shedding(Run run, Connections connections, long ratePerSecond, long seed) {
        return new PacedLoop(run, connections, ratePerSecond, true, seed);
    }

    private PacedLoop(Run run, Connections connections, long ratePerSecond, boolean sheds, long seed) {
        this.run = run;
        this.connections = connections;
        this.ratePerSecond = ratePerSecond;
        this.sheds = sheds;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void start() {
        connections.env().execute(() -> {
            startNanos = System.nanoTime();
            turn();
        });
    }

    @Override
    public long awaitEnd(Duration patience) throws InterruptedException {
        return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS) ? 0 : Math.max(1, underWay);
    }

    /** Number of operations that count as refused and were not started. */
    long notBegun() {
        return notBegun;
    }

    /** Number of operations that the generator could not start in time. */
    long late() {
        return late;
    }

    private void turn() {
        if (!run.isGoingOn()) {
            if (underWay == 0) {
                ended.countDown();
            } else {
                connections.env().schedule(PAUSE_NANOS, turn);
            }
            return;
        }
        long now = System.nanoTime();
        long due = (long) ((now - startNanos) * (ratePerSecond / 1e9));
        long tooLate = due - taken - (long) (LATE_NANOS * (ratePerSecond / 1e9));
        if (sheds && tooLate > 0) {
            taken += tooLate;
            late += tooLate;
        }
        beginSome(due);
        connections.env().schedule(taken < due ? 0 : PAUSE_NANOS, turn);
    }

    private void beginSome(long due) {
        int refused = 0;
        for (int k = 0; k < TURN_MAX && taken < due; k++) {
            long dueNanos = startNanos + (long) (taken++ * (1e9 / ratePerSecond));
            Paced operation = free.isEmpty() ? new Paced() : free.pop();
            switch (operation.begin(dueNanos)) {
                case UNDER_WAY -> {
                    underWay++;
                    refused = 0;
                }
                case ENDED_WELL -> free.push(operation);
                case ENDED_BADLY -> {
                    free.push(operation);
                    if (sheds && ++refused == connections.count()) {
                        notBegun += due - taken;
                        taken = due;
                    }
                }
            }
        }
    }

    private final class Paced extends LoadOperation {
        Paced() {
            super(PacedLoop.this.run, 0, PacedLoop.this.random.split());
        }

        @Override
        void ended(boolean endedWell, long nowNanos) {
            underWay--;
            free.push(this);
        }
    }
}
