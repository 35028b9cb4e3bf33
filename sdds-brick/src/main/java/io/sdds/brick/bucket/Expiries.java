package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;

/** Which of a bucket's records have expired, and the sweep that frees them. */
final class Expiries {

    /* A record has expired when its expiry is not after the bucket's logical time. It is absent from then on for whoever looks; its memory comes back
     * when it is overwritten, or by the sweep.
     *
     * A record costs eight bytes for its expiry, nothing without. No list of records by expiry is kept: all that is known is an instant before which none
     * expires, so that a bucket without expired records is used, and counted, as if there were no expiry. The sweep goes through the LH-buckets in the
     * order of scans, which grows, shrinks and splits don't disturb; at its end it knows that instant anew. Cost: a look at each record a sweep, and there
     * is none while that instant lies ahead. */

    /** The expiry of no record. */
    private static final long NEVER = Long.MAX_VALUE;

    /** Sweeping on at once pays when one record in so many had expired. */
    private static final int PAYS_IF_ONE_IN = 8;

    private final RecordStore store;
    private final LhChains chains;
    private final LhFile file;
    private final RecordVisitor forget;

    private long timeNanos;

    /** No record expires before. */
    private long earliestNanos = NEVER;

    private boolean sweeping;
    private long cursor;

    /** As {@link #earliestNanos}, of the records swept, and of those put since the sweep began. */
    private long sweptEarliestNanos = NEVER;

    Expiries(RecordStore store, LhChains chains, LhFile file, BucketLoad load) {
        this.store = store;
        this.chains = chains;
        this.file = file;
        this.forget = (ref, hash) -> load.add(-1, -store.slotBytes(ref), file.countsAsMoving(hash));
    }

    long timeNanos() {
        return timeNanos;
    }

    void timeNanos(long nanos) {
        timeNanos = Math.max(timeNanos, nanos);
    }

    /** Whether there may be a record that expires some time. */
    boolean any() {
        return earliestNanos != NEVER;
    }

    /** Whether there may be a record that has expired. */
    boolean anyExpired() {
        return earliestNanos <= timeNanos;
    }

    boolean hasExpired(long ref) {
        return anyExpired() && isPast(store.expiry(ref));
    }

    /** Whether a record with this expiry has expired. */
    boolean isPast(long expiry) {
        return expiry != RecordStore.NO_EXPIRY && expiry <= timeNanos;
    }

    /** A record with this expiry was put, or stays. */
    void has(long expiry) {
        if (expiry != RecordStore.NO_EXPIRY) {
            earliestNanos = Math.min(earliestNanos, expiry);
            sweptEarliestNanos = Math.min(sweptEarliestNanos, expiry);
        }
    }

    /** All records are gone. */
    void clear() {
        earliestNanos = NEVER;
        sweeping = false;
    }

    /** See {@link HashBucket#sweep}. */
    boolean sweep(long start, long end, int buckets) {
        long seen = 0;
        long freed = 0;
        for (int i = 0; i < buckets && (sweeping || begin(start)); i++) {
            long records = file.records();
            long next = file.intervalEnd(cursor);
            seen += chains.freeExpired(file.firstLine(Long.reverse(cursor)), this, forget);
            long gone = records - file.records();
            freed += gone;
            for (; gone > 0; gone--) {
                file.shrinkIfIdle();
            }
            cursor = next;
            if (next == 0 || end != 0 && Long.compareUnsigned(next, end) >= 0) {
                sweeping = false;
                earliestNanos = sweptEarliestNanos;
            }
        }
        return sweeping && freed * PAYS_IF_ONE_IN > seen;
    }

    private boolean begin(long start) {
        if (!anyExpired()) {
            return false;
        }
        sweeping = true;
        cursor = start;
        sweptEarliestNanos = NEVER;
        return true;
    }
}
