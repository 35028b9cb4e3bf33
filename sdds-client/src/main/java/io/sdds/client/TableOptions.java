package io.sdds.client;

import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.TableKind;

/**
 * How a table shall be, said at its creation.
 *
 * @param capacityRecords records a partition is meant to hold before it splits, 0 when only bytes count
 * @param capacityBytes bytes of records a partition is meant to hold, 0 when only records count; the first reached counts
 * @param splitControl when the partition whose turn it is splits; STATIC is experimental
 */
public record TableOptions(long capacityRecords, long capacityBytes, SplitControl splitControl) {
    private static final long CAPACITY_BYTES_DEFAULT = 64L << 20;
    private static final TableOptions DEFAULTS = new TableOptions(0, CAPACITY_BYTES_DEFAULT, SplitControl.DYNAMIC);

    public TableOptions {
        if (capacityRecords < 0 || capacityBytes < 0 || capacityRecords == 0 && capacityBytes == 0) {
            throw new IllegalArgumentException("capacity of " + capacityRecords + " records and " + capacityBytes
                    + " bytes: one must be positive, none negative");
        }
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
        return new TableOptions(records, capacityBytes, splitControl);
    }

    public TableOptions withCapacityBytes(long bytes) {
        return new TableOptions(capacityRecords, bytes, splitControl);
    }

    /** Experimental: another split control. */
    public TableOptions withSplitControl(SplitControl control) {
        return new TableOptions(capacityRecords, capacityBytes, control);
    }

    CreateTable create(String name) {
        return new CreateTable(name, TableKind.HASH, splitControl, capacityRecords, capacityBytes);
    }
}
