package io.sdds.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the operations of one run share: the target, the data, the phase, and what was noted. Thread-safe. */
final class Run {
    /** What operations that end now are. */
    enum Phase {
        /** Not measured. */
        WARMUP,
        MEASURE,
        /** Not measured, and none is begun any more. */
        DRAIN
    }

    final LoadTarget target;
    final Dataset data;
    final Mix mix;
    final FailureCounters failures = new FailureCounters();
    final @Nullable HistoryLog history;

    /** Whether what gets answer is looked at. */
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

    /** The calling thread's. */
    Meter meter() {
        return meter.get();
    }

    /** An operation ended well, on the thread of the meter. */
    void ended(Meter mine, long startNanos, long nowNanos) {
        mine.count();
        if (phase == Phase.MEASURE) {
            mine.record(nowNanos - startNanos);
        }
        if (listener != null) {
            listener.add(nowNanos, nowNanos - startNanos);
        }
    }

    /** Operations that ended well so far. */
    long counted() {
        long sum = 0;
        for (Meter each : meters()) {
            sum += each.counted();
        }
        return sum;
    }

    /** Latency of those that were measured. Only when none is under way any more. */
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
     * What operations there are.
     *
     * @param readShare of gets, from 0 to 1
     * @param insertShare of puts of keys that are not there yet, as long as there are any; the rest are puts of keys
     *     that are
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

        /** Nothing is there; each key is put once. */
        static Mix inserts(Inserts inserts) {
            return new Mix(0, 1, inserts);
        }

        /** The number of a key to put; -1 when nothing was there and all is inserted. */
        int keyToPut(SplittableRandom random) {
            if (insertShare > 0 && random.nextDouble() * (1 - readShare) < insertShare) {
                int fresh = inserts.next();
                if (fresh >= 0) {
                    return fresh;
                }
            }
            return keyThatIs(random);
        }

        /** The number of a key whose record was there when the run began; -1 when there was none. */
        int keyThatIs(SplittableRandom random) {
            return inserts.from() == 0 ? -1 : random.nextInt(inserts.from());
        }
    }
}
