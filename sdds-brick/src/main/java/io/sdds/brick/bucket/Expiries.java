package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;

/** Sweeps a file: frees the records that have expired. */
final class Expiries {

    /* A sweep goes through the LH-buckets in the order of scans, so that growing, shrinking and splits don't disturb
     * it. */

    private final ExpiryTimes times;
    private final LhChains chains;
    private final LhFile file;
    private final RecordVisitor forget;
    private long cursor;

    Expiries(RecordStore store, ExpiryTimes times, LhChains chains, LhFile file, BucketLoad load) {
        this.times = times;
        this.chains = chains;
        this.file = file;
        this.forget = (ref, hash) -> load.add(-1, -store.slotBytes(ref), file.countsAsMoving(hash));
    }

    /** See {@link HashBucket#sweep}. */
    boolean sweep(long start, long end, int buckets) {
        long seen = 0;
        long freed = 0;
        for (int i = 0; i < buckets && (times.isSweeping() || begin(start)); i++) {
            long records = file.records();
            long next = file.intervalEnd(cursor);
            seen += chains.freeExpired(file.firstLine(Long.reverse(cursor)), times, forget);
            long gone = records - file.records();
            freed += gone;
            for (; gone > 0; gone--) {
                file.shrinkIfIdle();
            }
            cursor = next;
            if (next == 0 || end != 0 && Long.compareUnsigned(next, end) >= 0) {
                times.endSweep();
            }
        }
        return times.pays(freed, seen);
    }

    private boolean begin(long start) {
        cursor = start;
        return times.beginSweep();
    }
}
