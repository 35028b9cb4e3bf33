package io.sdds.bench.load;

import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.client.Callback;
import io.sdds.client.OverloadedException;
import io.sdds.client.SddsException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Writes the records of a run, many at a time. */
final class Preload {
    private static final int OUTSTANDING = 256;

    /** Pause after a refusal by a client that fails fast. */
    private static final long PAUSE_NANOS = 5_000_000;

    /** Time limit for a record that is refused repeatedly. */
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private static final long TICK_MILLIS = 1000;

    private final Run run;
    private final int keys;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicReference<@Nullable SddsException> trouble = new AtomicReference<>();
    private final CountDownLatch busy;

    private Preload(Run run, int keys) {
        this.run = run;
        this.keys = keys;
        this.busy = new CountDownLatch(Math.min(OUTSTANDING, keys));
    }

    /**
     * Writes the first {@code keys} records of the data set.
     *
     * @throws LoadException if a record cannot be written
     */
    static void run(Run run, int keys, LoadProgress.Listener listener) throws InterruptedException {
        Preload preload = new Preload(run, keys);
        for (int k = 0; k < Math.min(OUTSTANDING, keys); k++) {
            preload.new Lane().goOn();
        }
        preload.await(listener);
    }

    private void await(LoadProgress.Listener listener) throws InterruptedException {
        int before = 0;
        try {
            while (!busy.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                int now = written.get();
                listener.progressed(new LoadProgress(Step.PRELOAD, (double) now / keys, now - before));
                before = now;
            }
        } catch (InterruptedException e) {
            next.set(keys);
            throw e;
        }
        SddsException failure = trouble.get();
        if (failure != null) {
            throw new LoadException("cannot write the records: " + failure.getMessage(), failure);
        }
    }

    /** Writes one record after the other. */
    private final class Lane implements Callback<Object> {
        private int number;
        private byte[] value = new byte[0];
        private long firstNanos;
        private long startNanos;

        void goOn() {
            number = trouble.get() == null ? next.getAndIncrement() : keys;
            if (number >= keys) {
                busy.countDown();
                return;
            }
            value = run.history == null ? run.data.value(number) : run.history.uniqueValue(run.data, 0);
            firstNanos = System.nanoTime();
            put();
        }

        private void put() {
            startNanos = System.nanoTime();
            run.target.put(run.data.key(number), value, this);
        }

        @Override
        public void done(@Nullable Object result, @Nullable SddsException failure) {
            if (run.history != null) {
                run.history.ended(0, false, run.data.key(number), value, startNanos, System.nanoTime(), null, failure);
            }
            if (failure != null && isWorthAnother(failure)) {
                run.target.later(PAUSE_NANOS, this::put);
                return;
            }
            if (failure == null) {
                written.getAndIncrement();
            } else {
                trouble.compareAndSet(null, failure);
            }
            goOn();
        }

        private boolean isWorthAnother(SddsException failure) {
            return failure instanceof OverloadedException
                    && !failure.isOutcomeUnknown()
                    && trouble.get() == null
                    && System.nanoTime() - firstNanos < PATIENCE_NANOS;
        }
    }
}
