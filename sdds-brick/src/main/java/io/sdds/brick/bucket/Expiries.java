package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;

/** Sweeps a file: frees or visits the records that have expired. */
final class Expiries {

    /* A sweep goes through the LH-buckets in the order of scans, so that growing, shrinking and splits don't disturb
     * it. */

    private final ExpiryTimes times;
    private final LhChains chains;
    private final LhFile file;
    private final RecordVisitor forget;
    private long cursor;

    /** Number of expired records that the step under way has found. */
    private long found;

    Expiries(RecordStore store, ExpiryTimes times, LhChains chains, LhFile file, BucketLoad load) {
        this.times = times;
        this.chains = chains;
        this.file = file;
        this.forget = (ref, hash) -> load.add(-1, -store.slotBytes(ref), file.countsAsMoving(hash));
    }

    /** See {@link HashBucket#sweep}. */
    boolean sweep(long start, long end, int buckets) {
        return run(start, end, buckets, false, this::free);
    }

    /** See {@link HashBucket#collectExpired}. */
    boolean collect(long start, long end, int buckets, RankVisitor visitor) {
        return run(start, end, buckets, true, line -> chains.visitExpired(line, times, counting(visitor)));
    }

    private RankVisitor counting(RankVisitor visitor) {
        return (rank, ref) -> {
            found++;
            visitor.visit(rank, ref);
        };
    }

    /** The sweep's work on one LH-bucket. Returns the number of records that the LH-bucket had. */
    @FunctionalInterface
    private interface Action {
        int apply(long firstLine);
    }

    /** @param once whether to stop at the end of a sweep, because a further sweep would find the same records */
    private boolean run(long start, long end, int buckets, boolean once, Action action) {
        long seen = 0;
        found = 0;
        for (int i = 0; i < buckets && (times.isSweeping() || begin(start)); i++) {
            long next = file.intervalEnd(cursor);
            seen += action.apply(file.firstLine(Long.reverse(cursor)));
            cursor = next;
            if (next == 0 || end != 0 && Long.compareUnsigned(next, end) >= 0) {
                times.endSweep();
                if (once) {
                    break;
                }
            }
        }
        return times.pays(found, seen);
    }

    private int free(long firstLine) {
        long before = file.records();
        int seen = chains.freeExpired(firstLine, times, forget);
        long gone = before - file.records();
        found += gone;
        for (; gone > 0; gone--) {
            file.shrinkIfIdle();
        }
        return seen;
    }

    private boolean begin(long start) {
        cursor = start;
        return times.beginSweep();
    }
}
