package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import io.sdds.client.HashTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Services that each keep a number of operations outstanding. When an operation ends, the next operation starts on the
 * same thread. "Each service maintains a pipeline of outstanding operations" (Gribble et al. 2000, section 5).
 */
public final class ClosedLoop implements Generator {
    /**
     * Pause after a failed operation, because a target that refuses at once must not be asked again at once. The pause
     * doubles with each further failure, and has jitter.
     */
    private static final long PAUSE_NANOS = 1_000_000;

    private static final int PAUSE_DOUBLINGS_MAX = 7;

    private final List<Lane> lanes = new ArrayList<>();
    private final CountDownLatch busy;

    /**
     * Writes the records, runs the load, and waits until all operations have ended.
     *
     * @param settings settings with rate 0
     * @throws LoadException if the records cannot be written
     * @throws java.io.UncheckedIOException if the history cannot be written
     */
    public static LoadResult run(LoadSettings settings, HashTable<byte[], byte[]> table, LoadProgress.Listener listener)
            throws InterruptedException {
        return run(settings, LoadTarget.of(table), listener);
    }

    /** Runs the load on any target. */
    public static LoadResult run(LoadSettings settings, LoadTarget target, LoadProgress.Listener listener)
            throws InterruptedException {
        if (settings.ratePerSecond() != 0) {
            throw new IllegalArgumentException("a closed loop has no rate: " + settings.ratePerSecond());
        }
        return Load.run(settings, target, listener, run -> new ClosedLoop(settings, run));
    }

    ClosedLoop(LoadSettings settings, Run run) {
        SplittableRandom random = new SplittableRandom(settings.seed());
        for (int service = 0; service < settings.services(); service++) {
            for (int k = 0; k < settings.pipeline(); k++) {
                lanes.add(new Lane(run, service, random.split()));
            }
        }
        busy = new CountDownLatch(lanes.size());
    }

    @Override
    public void start() {
        lanes.forEach(lane -> lane.goOn(System.nanoTime()));
    }

    @Override
    public long awaitEnd(Duration patience) throws InterruptedException {
        boolean all = busy.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        return all ? 0 : busy.getCount();
    }

    /** One of the outstanding operations, which starts again when it has ended. */
    private final class Lane extends LoadOperation {
        private final SplittableRandom jitter;
        private final Runnable goOn = () -> goOn(System.nanoTime());
        private int failures;

        Lane(Run run, int service, SplittableRandom random) {
            super(run, service, random);
            jitter = random.split();
        }

        /** Starts operations until one is outstanding. */
        void goOn(long nowNanos) {
            long start = nowNanos;
            while (run.isGoingOn()) {
                switch (begin(start)) {
                    case UNDER_WAY -> {
                        return;
                    }
                    case ENDED_WELL -> start = System.nanoTime();
                    case ENDED_BADLY -> {
                        pause();
                        return;
                    }
                    case NOTHING_LEFT -> {
                        busy.countDown();
                        return;
                    }
                }
            }
            busy.countDown();
        }

        @Override
        void ended(boolean endedWell, long nowNanos) {
            if (endedWell) {
                failures = 0;
                goOn(nowNanos);
            } else {
                pause();
            }
        }

        private void pause() {
            long mean = PAUSE_NANOS << Math.min(failures++, PAUSE_DOUBLINGS_MAX);
            run.target.later(mean / 2 + jitter.nextLong(mean), goOn);
        }
    }
}
