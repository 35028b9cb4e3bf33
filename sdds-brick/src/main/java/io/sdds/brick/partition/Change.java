package io.sdds.brick.partition;

import java.lang.foreign.MemorySegment;

/** What a write does to its key's record, and its result, before it is done; one object a stage, used again and again. */
public final class Change {
    /** What is done. */
    public enum Kind {
        NOTHING,
        PUT,
        REMOVE,
        /** All records of the request's interval up to {@link #result}. */
        CLEAR
    }

    public Kind kind = Kind.NOTHING;
    public byte status;
    public long result;

    /** Of the record put. */
    public long version;

    public long expiry;
    public MemorySegment value = MemorySegment.NULL;
    public long valueOffset;
    public int valueLength;

    void nothing() {
        kind = Kind.NOTHING;
        version = 0;
        expiry = 0;
        valueLength = 0;
    }

    void put(MemorySegment from, long offset, int length, long itsVersion, long itsExpiry) {
        kind = Kind.PUT;
        value = from;
        valueOffset = offset;
        valueLength = length;
        version = itsVersion;
        expiry = itsExpiry;
    }
}
