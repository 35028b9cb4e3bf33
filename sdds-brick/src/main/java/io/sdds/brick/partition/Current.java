package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;

/**
 * A key's record as a write finds it; one object a stage, used again and again. What it refers to is valid until the
 * partition changes.
 */
public final class Current {
    boolean found;
    long version;
    long expiry;
    MemorySegment segment = MemorySegment.NULL;
    long valueOffset;
    int valueLength;

    /** The key has no record. */
    public void absent() {
        found = false;
        version = 0;
    }

    /** The record of a reference; 0: there is none. */
    public void record(RecordStore store, long ref) {
        if (ref == 0) {
            absent();
        } else {
            MemorySegment at = store.segment(ref);
            is(store.version(ref), store.expiry(ref), at, store.valueOffset(ref), store.valueLength(ref));
        }
    }

    /** The record has this version, expiry and value. */
    public void is(long itsVersion, long itsExpiry, MemorySegment from, long offset, int length) {
        found = true;
        version = itsVersion;
        expiry = itsExpiry;
        segment = from;
        valueOffset = offset;
        valueLength = length;
    }

    /** As {@link RecordStore#expiry}; only of a record that is there. */
    public long expiry() {
        return expiry;
    }

    /** Bytes of its value; only of a record that is there. */
    public int valueLength() {
        return valueLength;
    }

    public boolean isFound() {
        return found;
    }
}
