package io.sdds.client;

import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Limits;
import java.time.Duration;

/**
 * How a table shall be, said at its creation.
 *
 * @param capacityRecords records a partition is meant to hold before it splits, 0 when only bytes count
 * @param capacityBytes bytes of records a partition is meant to hold, 0 when only records count; the first reached counts
 * @param splitControl when the partition whose turn it is splits; STATIC is experimental
 * @param timeToLive of a record whose writer says nothing else; {@link Duration#ZERO}: it doesn't expire
 */
public record TableOptions(long capacityRecords, long capacityBytes, SplitControl splitControl, Duration timeToLive) {
    private static final long CAPACITY_BYTES_DEFAULT = 64L << 20;
    private static final TableOptions DEFAULTS = new TableOptions(0, CAPACITY_BYTES_DEFAULT, SplitControl.DYNAMIC);

    public TableOptions {
        if (capacityRecords < 0 || capacityBytes < 0 || capacityRecords == 0 && capacityBytes == 0) {
            throw new IllegalArgumentException("capacity of " + capacityRecords + " records and " + capacityBytes
                    + " bytes: one must be positive, none negative");
        }
        ttlMillis(timeToLive);
    }

    /** Of records that don't expire. */
    public TableOptions(long capacityRecords, long capacityBytes, SplitControl splitControl) {
        this(capacityRecords, capacityBytes, splitControl, Duration.ZERO);
    }

    /** Partitions of 64 MiB, split dynamically. */
    public static TableOptions defaults() {
        return DEFAULTS;
    }

    /** Partitions meant to hold so many records. */
    public static TableOptions capacity(long records) {
        return new TableOptions(records, 0, SplitControl.DYNAMIC);
    }

    public TableOptions withCapacityRecords(long records) {
        return new TableOptions(records, capacityBytes, splitControl, timeToLive);
    }

    public TableOptions withCapacityBytes(long bytes) {
        return new TableOptions(capacityRecords, bytes, splitControl, timeToLive);
    }

    /** Experimental: another split control. */
    public TableOptions withSplitControl(SplitControl control) {
        return new TableOptions(capacityRecords, capacityBytes, control, timeToLive);
    }

    /**
     * Records that expire so long after they were written, unless their writer says another time.
     *
     * @throws IllegalArgumentException if it is negative or longer than a hundred years
     */
    public TableOptions withTimeToLive(Duration duration) {
        return new TableOptions(capacityRecords, capacityBytes, splitControl, duration);
    }

    /** A time to live in milliseconds, rounded up. */
    static long ttlMillis(Duration timeToLive) {
        if (timeToLive.isNegative() || timeToLive.compareTo(Duration.ofMillis(Limits.TTL_MILLIS_MAX)) > 0) {
            throw new IllegalArgumentException("time to live of " + timeToLive + ": 0 (for ever) to "
                    + Duration.ofMillis(Limits.TTL_MILLIS_MAX).toDays() + " days");
        }
        return timeToLive.plusNanos(999_999).toMillis();
    }

    CreateTable create(String name) {
        return new CreateTable(
                name, TableKind.HASH, splitControl, capacityRecords, capacityBytes, ttlMillis(timeToLive));
    }
}
