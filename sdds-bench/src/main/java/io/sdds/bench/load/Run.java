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
    final Troubles troubles = new Troubles();
    final @Nullable HistoryLog history;

    /** Whether what gets answer is looked at. */
    final boolean checksValues;

    private final List<Meter> meters = new ArrayList<>();
    private final ThreadLocal<Meter> meter = ThreadLocal.withInitial(this::addMeter);
    private volatile Phase phase = Phase.WARMUP;

    Run(LoadTarget target, Dataset data, Mix mix, @Nullable HistoryLog history) {
        this.target = target;
        this.data = data;
        this.mix = mix;
        this.history = history;
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
    void ended(Meter mine, long nanos) {
        mine.count();
        if (phase == Phase.MEASURE) {
            mine.record(nanos);
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
     * @param insertShare of puts of keys that are not there yet, as long as there are any; the rest are puts of keys that are
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

        /** The number of a key to put. */
        int keyToPut(SplittableRandom random) {
            if (insertShare > 0 && random.nextDouble() * (1 - readShare) < insertShare) {
                int fresh = inserts.next();
                if (fresh >= 0) {
                    return fresh;
                }
            }
            return keyThatIs(random);
        }

        /** The number of a key whose record was there when the run began. */
        int keyThatIs(SplittableRandom random) {
            return random.nextInt(inserts.from());
        }
    }
}
