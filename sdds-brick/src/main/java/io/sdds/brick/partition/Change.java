package io.sdds.brick.partition;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The effect of a write that goes through a log, before the write takes effect. */
public final class Change {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The kinds of effects. */
    public enum Kind {
        NOTHING,
        PUT,
        REMOVE,
        /**
         * Removes all records of the interval or range that {@link #value} names: those of a {@link DropList}, if the
         * records have ranks.
         */
        CLEAR,
        /** Removes the records of a {@link DropList}, which is the {@link #value}. */
        DROP
    }

    public Kind kind = Kind.NOTHING;

    /** The version of the record that is put. */
    public long version;

    public long expiry;
    public MemorySegment value = MemorySegment.NULL;
    public long valueOffset;
    public int valueLength;

    private @Nullable DropList dropped;

    private final MemorySegment interval = MemorySegment.ofArray(new byte[2 * Long.BYTES]);

    void nothing() {
        kind = Kind.NOTHING;
        version = 0;
        expiry = 0;
        valueLength = 0;
    }

    /** Makes this the removal of all records of an interval of pseudo-keys. */
    void clear(long from, long end) {
        interval.set(LONG, 0, from);
        interval.set(LONG, Long.BYTES, end);
        clear(interval);
    }

    /** Makes this the removal of all records between bounds. */
    void clear(MemorySegment bounds) {
        kind = Kind.CLEAR;
        value = bounds;
        valueOffset = 0;
        valueLength = (int) bounds.byteSize();
    }

    /** Makes this the removal of all records of an interval of pseudo-keys, which a list has. */
    void clear(long from, long end, DropList records) {
        clear(from, end);
        dropped = records;
    }

    /** Makes this the removal of all records between bounds, which a list has. */
    void clear(MemorySegment bounds, DropList records) {
        clear(bounds);
        dropped = records;
    }

    /** Makes this the removal of some records. */
    void drop(DropList records) {
        kind = Kind.DROP;
        dropped = records;
        value = records.memory();
        valueOffset = 0;
        valueLength = records.byteSize();
    }

    /** Makes this the removal of a record. */
    public void remove() {
        kind = Kind.REMOVE;
    }

    /** The records that this removes, if it is a {@link Kind#DROP}, or a {@link Kind#CLEAR} of records with ranks. */
    public DropList dropped() {
        return Objects.requireNonNull(dropped, "this drops no records");
    }

    /** Makes this the put of a record. */
    public void put(MemorySegment from, long offset, int length, long itsVersion, long itsExpiry) {
        kind = Kind.PUT;
        value = from;
        valueOffset = offset;
        valueLength = length;
        version = itsVersion;
        expiry = itsExpiry;
    }
}
