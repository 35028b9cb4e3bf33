package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Operations that begin at a rate on the loop of the clients that they go through, whatever is outstanding. Latency
 * counts from when an operation was due. An {@link OpenLoop} does the same from a thread of its own, as an application
 * does; that thread takes nearly as much of a core as the client it drives.
 */
final class PacedLoop implements Generator {
    /* Shedding: load of many machines is made by one, which has to do the refused ones as well: were each of them
     * begun, the generator would take the bricks' cores. So when as many operations in a row as there are clients were
     * refused by their own clients at once, the others that are due by then count as refused like them without being
     * begun. And what is due for longer than LATE_NANOS is not begun either: it counts as late, and says that the
     * generator has reached its own bound.
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

    /** A loop that begins each operation, however late it is. */
    static PacedLoop whole(Run run, Connections connections, long ratePerSecond, long seed) {
        return new PacedLoop(run, connections, ratePerSecond, false, seed);
    }

    /**
     * A loop that can offer many times more than can be done, as it leaves out what would be refused
     * ({@link #notBegun}) or is too late ({@link #late}).
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

    /** Operations refused by their clients that were not even begun. */
    long notBegun() {
        return notBegun;
    }

    /** Operations that the generator could not begin in time. */
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

    private final class Paced extends Operation {
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
