package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;

/** The logical time of a bucket, and a lower bound of the expiries of its records. */
public final class ExpiryTimes {

    /* A record has expired when its expiry is not after the bucket's logical time. Look-ups then find no record. A
     * put of the same key or a sweep frees the memory.
     *
     * The expiry of a record takes eight bytes; a record without expiry takes none. There is no list of records by
     * expiry. The bucket only knows an instant before which no record expires. While that instant lies ahead, the
     * bucket is used and counted as if no record had an expiry, and no sweep runs. A sweep looks at each record
     * once, and knows the next such instant at its end. */

    /** The earliest expiry in a bucket in which no record expires. */
    private static final long NEVER = Long.MAX_VALUE;

    /** To go on with the sweep at once pays when at least one record in so many had expired. */
    private static final int PAYS_IF_ONE_IN = 8;

    private final RecordStore store;

    private long timeNanos;

    /** No record expires before this instant. */
    private long earliestNanos = NEVER;

    private boolean sweeping;

    /** The earliest expiry of the swept records that stay, and of the records put since the sweep began. */
    private long sweptEarliestNanos = NEVER;

    public ExpiryTimes(RecordStore store) {
        this.store = store;
    }

    public long timeNanos() {
        return timeNanos;
    }

    public void timeNanos(long nanos) {
        timeNanos = Math.max(timeNanos, nanos);
    }

    /** Whether there may be a record that has an expiry. */
    public boolean any() {
        return earliestNanos != NEVER;
    }

    /** Whether there may be a record that has expired. */
    public boolean anyExpired() {
        return earliestNanos <= timeNanos;
    }

    public boolean hasExpired(long ref) {
        return anyExpired() && isPast(store.expiry(ref));
    }

    /** Takes the records that have expired out of a batch. */
    public void dropExpired(RecordBatch batch) {
        int found = batch.size();
        long last = batch.last();
        batch.clear();
        for (int i = 0; i < found; i++) {
            long ref = batch.get(i);
            if (!isPast(store.expiry(ref))) {
                batch.add(ref);
            }
        }
        batch.expired(found - batch.size(), last);
    }

    /** Whether a record with this expiry has expired. */
    public boolean isPast(long expiry) {
        return expiry != RecordStore.NO_EXPIRY && expiry <= timeNanos;
    }

    /** Notes the expiry of a record that was put, or that stays after a sweep. */
    public void has(long expiry) {
        if (expiry != RecordStore.NO_EXPIRY) {
            earliestNanos = Math.min(earliestNanos, expiry);
            sweptEarliestNanos = Math.min(sweptEarliestNanos, expiry);
        }
    }

    /** All records are gone. */
    public void clear() {
        earliestNanos = NEVER;
        sweeping = false;
    }

    /** Whether a sweep is under way. */
    public boolean isSweeping() {
        return sweeping;
    }

    /** Begins a sweep if records may have expired. The sweep then calls {@link #has} for each record that stays. */
    public boolean beginSweep() {
        if (!anyExpired()) {
            return false;
        }
        sweeping = true;
        sweptEarliestNanos = NEVER;
        return true;
    }

    /** A sweep has seen all records. */
    public void endSweep() {
        sweeping = false;
        earliestNanos = sweptEarliestNanos;
    }

    /** Whether going on with the sweep at once pays, when so many of the records seen had expired. */
    public boolean pays(long freed, long seen) {
        return sweeping && freed * PAYS_IF_ONE_IN > seen;
    }
}
