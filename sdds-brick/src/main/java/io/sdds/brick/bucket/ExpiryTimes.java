package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;

/** A bucket's logical time, and what is known of when its records expire. */
public final class ExpiryTimes {

    /* A record has expired when its expiry is not after the bucket's logical time. It is absent from then on for
     * whoever looks; its memory comes back when it is overwritten, or by a sweep.
     *
     * A record costs eight bytes for its expiry, nothing without. No list of records by expiry is kept: all that is
     * known is an instant before which none expires, so that a bucket without expired records is used, and counted, as
     * if there were no expiry. A sweep goes through all records; at its end it knows that instant anew. Cost: a look at
     * each record a sweep, and there is none while that instant lies ahead. */

    /** The expiry of no record. */
    private static final long NEVER = Long.MAX_VALUE;

    /** Sweeping on at once pays when one record in so many had expired. */
    private static final int PAYS_IF_ONE_IN = 8;

    private final RecordStore store;

    private long timeNanos;

    /** No record expires before. */
    private long earliestNanos = NEVER;

    private boolean sweeping;

    /** As {@link #earliestNanos}, of the records swept, and of those put since the sweep began. */
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

    /** Whether there may be a record that expires some time. */
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

    /** Whether a record with this expiry has expired. */
    public boolean isPast(long expiry) {
        return expiry != RecordStore.NO_EXPIRY && expiry <= timeNanos;
    }

    /** A record with this expiry was put, or stays. */
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

    /** Begins a sweep if that is of use; from here on it is told what stays. */
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
