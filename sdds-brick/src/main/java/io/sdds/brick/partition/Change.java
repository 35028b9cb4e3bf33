package io.sdds.brick.partition;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What a write does to its key's record, and its result, before it is done; one object a stage, used again and again.
 */
public final class Change {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** What is done. */
    public enum Kind {
        NOTHING,
        PUT,
        REMOVE,
        /** All records of the interval or range that {@link #value} says. */
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

    private final MemorySegment interval = MemorySegment.ofArray(new byte[2 * Long.BYTES]);

    void nothing() {
        kind = Kind.NOTHING;
        version = 0;
        expiry = 0;
        valueLength = 0;
    }

    /** All records of an interval of pseudo-keys. */
    void clear(long from, long end) {
        interval.set(LONG, 0, from);
        interval.set(LONG, Long.BYTES, end);
        clear(interval);
    }

    /** All records of what the bounds say. */
    void clear(MemorySegment bounds) {
        kind = Kind.CLEAR;
        value = bounds;
        valueOffset = 0;
        valueLength = (int) bounds.byteSize();
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
