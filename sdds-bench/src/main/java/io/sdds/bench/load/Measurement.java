package io.sdds.bench.load;

import io.sdds.bench.load.LoadProgress.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The phases of a run: warm-up, measurement, and the wait for outstanding operations. */
final class Measurement {
    /** Limit of the wait for outstanding operations, longer than the default deadline of operations. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private static final long TICK_NANOS = 1_000_000_000L;

    private final Run run;
    private final LoadSettings settings;
    private final LoadProgress.Listener listener;
    private final List<Long> perSecond = new ArrayList<>();
    private long counted;

    /** Starts the operations of a load. */
    interface Generator {
        /** Starts the first operations. */
        void start();

        /** Waits until no operation is outstanding, with a time limit. Returns the number of outstanding operations. */
        long awaitEnd(Duration patience) throws InterruptedException;
    }

    Measurement(Run run, LoadSettings settings, LoadProgress.Listener listener) {
        this.run = run;
        this.settings = settings;
        this.listener = listener;
    }

    LoadResult of(Generator generator) throws InterruptedException {
        Machine machine = Machine.here();
        long nanos;
        long cpuNanos;
        try {
            generator.start();
            watch(Step.WARMUP, settings.warmup());
            perSecond.clear();
            cpuNanos = Machine.ownCpuNanos();
            run.enter(Run.Phase.MEASURE);
            nanos = watch(Step.MEASURE, settings.duration());
            cpuNanos = Machine.ownCpuNanos() - cpuNanos;
        } finally {
            run.enter(Run.Phase.DRAIN);
        }
        long unanswered = generator.awaitEnd(DRAIN);
        return result(machine, nanos, cpuNanos, unanswered);
    }

    /** Reports progress once a second during a phase. Returns the real length of the phase in nanoseconds. */
    private long watch(Step step, Duration duration) throws InterruptedException {
        long start = System.nanoTime();
        counted = run.counted();
        long now = start;
        while (now - start < duration.toNanos()) {
            long left = duration.toNanos() - (now - start);
            long tickNanos = Math.min(TICK_NANOS, left);
            TimeUnit.NANOSECONDS.sleep(tickNanos);
            long later = System.nanoTime();
            sample(step, (double) (later - start) / duration.toNanos(), later - now);
            now = later;
        }
        return now - start;
    }

    private void sample(Step step, double done, long nanos) {
        long before = counted;
        counted = run.counted();
        double rate = (counted - before) * 1e9 / nanos;
        perSecond.add(Math.round(rate));
        listener.progressed(new LoadProgress(step, Math.min(1, done), rate));
    }

    private LoadResult result(Machine machine, long nanos, long cpuNanos, long unanswered) {
        Histogram latency = run.latencyNanos();
        FailureCounters.Counts failures = run.failures.counts();
        return new LoadResult(
                settings,
                machine,
                nanos / 1e9,
                latency.getTotalCount(),
                latency.getTotalCount() * 1e9 / nanos,
                Latency.of(latency),
                perSecond,
                failures.refused(),
                failures.timedOut(),
                failures.failed(),
                failures.wrong(),
                unanswered,
                failures.first(),
                null,
                (double) cpuNanos / nanos,
                null);
    }
}
