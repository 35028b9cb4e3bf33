package io.sdds.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Shared state of the operations of one run: target, data, phase, and counters. Thread-safe. */
final class Run {
    /** Phase of a run, which decides whether operations are measured. */
    enum Phase {
        /** Operations are not measured. */
        WARMUP,
        MEASURE,
        /** Operations are not measured, and no operation starts any more. */
        DRAIN
    }

    final LoadTarget target;
    final Dataset data;
    final Mix mix;
    final FailureCounters failures = new FailureCounters();
    final @Nullable HistoryLog history;

    /** Whether the values of gets are checked. */
    final boolean checksValues;

    private final List<Meter> meters = new ArrayList<>();
    private final ThreadLocal<Meter> meter = ThreadLocal.withInitial(this::addMeter);
    private volatile Phase phase = Phase.WARMUP;

    private final @Nullable CompletionListener listener;

    Run(LoadTarget target, Dataset data, Mix mix, @Nullable HistoryLog history) {
        this(target, data, mix, history, null);
    }

    /** A run that tells of each of its operations that ended well. */
    Run(LoadTarget target, Dataset data, Mix mix, @Nullable HistoryLog history, @Nullable CompletionListener listener) {
        this.target = target;
        this.data = data;
        this.mix = mix;
        this.history = history;
        this.listener = listener;
        this.checksValues = target.keepsRecords() && history == null;
    }

    void enter(Phase next) {
        phase = next;
    }

    boolean isGoingOn() {
        return phase != Phase.DRAIN;
    }

    /** The meter of the calling thread. */
    Meter meter() {
        return meter.get();
    }

    /** An operation has succeeded on the thread of the meter. */
    void ended(Meter mine, long startNanos, long nowNanos) {
        mine.count();
        if (phase == Phase.MEASURE) {
            mine.record(nowNanos - startNanos);
        }
        if (listener != null) {
            listener.add(nowNanos, nowNanos - startNanos);
        }
    }

    /** Number of operations that have succeeded so far. */
    long counted() {
        long sum = 0;
        for (Meter each : meters()) {
            sum += each.counted();
        }
        return sum;
    }

    /** Latency of the measured operations. Called only when no operation is outstanding. */
    Histogram latencyNanos() {
        Histogram sum = new Meter().latencyNanos;
        for (Meter each : meters()) {
            sum.add(each.latencyNanos);
        }
        return sum;
    }

    private synchronized List<Meter> meters() {
        return List.copyOf(meters);
    }

    private synchronized Meter addMeter() {
        Meter added = new Meter();
        meters.add(added);
        return added;
    }

    /**
     * Mix of operations.
     *
     * @param readShare share of gets, from 0 to 1
     * @param insertShare share of puts of new keys, as long as new keys are left; all other operations are puts of
     *     existing keys
     * @param inserts the keys to insert
     */
    record Mix(double readShare, double insertShare, Inserts inserts) {
        static Mix of(LoadMode mode, int keys) {
            double reads = switch (mode) {
                case READ -> 1;
                case WRITE -> 0;
                case MIXED -> 0.5;
            };
            return new Mix(reads, 0, new Inserts(keys, keys));
        }

        /** Whether the next operation is a get. */
        boolean isRead(SplittableRandom random) {
            return readShare >= 1 || readShare > 0 && random.nextDouble() < readShare;
        }

        /** A mix that puts each key of an empty table once. */
        static Mix inserts(Inserts inserts) {
            return new Mix(0, 1, inserts);
        }

        /** The number of a key to put; -1 if the table was empty and all keys are inserted. */
        int keyToPut(SplittableRandom random) {
            if (insertShare > 0 && random.nextDouble() * (1 - readShare) < insertShare) {
                int fresh = inserts.next();
                if (fresh >= 0) {
                    return fresh;
                }
            }
            return keyThatIs(random);
        }

        /** The number of a preloaded key; -1 if there is no preloaded key. */
        int keyThatIs(SplittableRandom random) {
            return inserts.from() == 0 ? -1 : random.nextInt(inserts.from());
        }
    }
}
