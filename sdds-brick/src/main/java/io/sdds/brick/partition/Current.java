package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;

/**
 * The record of a key as a write finds it. A stage uses one object for all writes. The memory that it refers to is
 * valid until the partition changes.
 */
public final class Current {
    private final RecordStore store;
    boolean found;
    long version;
    long expiry;
    MemorySegment segment = MemorySegment.NULL;
    long valueOffset;
    int valueLength;

    /** @param store the stage's records */
    public Current(RecordStore store) {
        this.store = store;
    }

    /** Sets that the key has no record. */
    public void absent() {
        found = false;
        version = 0;
    }

    /** Sets the record of a reference; 0 means no record. */
    public void record(long ref) {
        if (ref == 0) {
            absent();
        } else {
            MemorySegment at = store.segment(ref);
            is(store.version(ref), store.expiry(ref), at, store.valueOffset(ref), store.valueLength(ref));
        }
    }

    /** Sets the version, expiry and value of the record. */
    public void is(long itsVersion, long itsExpiry, MemorySegment from, long offset, int length) {
        found = true;
        version = itsVersion;
        expiry = itsExpiry;
        segment = from;
        valueOffset = offset;
        valueLength = length;
    }

    /** Expiry of the record, as of {@link RecordStore#expiry}. The key must have a record. */
    public long expiry() {
        return expiry;
    }

    /** Bytes of the record's value. The key must have a record. */
    public int valueLength() {
        return valueLength;
    }

    public boolean isFound() {
        return found;
    }
}
