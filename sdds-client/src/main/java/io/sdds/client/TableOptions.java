package io.sdds.client;

import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.model.Routing;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Limits;
import java.time.Duration;

/**
 * How a table shall be, said at its creation.
 *
 * @param capacityRecords records a partition is meant to hold before it splits, 0 when only bytes count
 * @param capacityBytes bytes of records a partition is meant to hold, 0 when only records count; the first reached counts
 * @param split when the partition whose turn it is splits, and how; all but {@link SplitPolicy#DEFAULT} is experimental
 * @param timeToLive of a record whose writer says nothing else; {@link Duration#ZERO}: it doesn't expire
 * @param replicas bricks that hold a copy of each partition, 1 to {@link TableDefinition#REPLICAS_MAX}
 * @param minCopies writes are refused while a partition has fewer copies
 * @param partitions that the table begins with, and never has fewer, 1 to {@link TableDefinition#PARTITIONS_FIRST_MAX}
 * @param routing how clients find the partition of a range table that has a key, unless they are told otherwise; of a hash table {@link Routing#IMAGE}
 */
public record TableOptions(
        long capacityRecords,
        long capacityBytes,
        SplitPolicy split,
        Duration timeToLive,
        int replicas,
        int minCopies,
        int partitions,
        Routing routing) {
    private static final long CAPACITY_BYTES_DEFAULT = 64L << 20;
    private static final TableOptions DEFAULTS = new TableOptions(0, CAPACITY_BYTES_DEFAULT, SplitPolicy.DEFAULT);

    public TableOptions {
        if (capacityRecords < 0 || capacityBytes < 0 || capacityRecords == 0 && capacityBytes == 0) {
            throw new IllegalArgumentException("capacity of " + capacityRecords + " records and " + capacityBytes
                    + " bytes: one must be positive, none negative");
        }
        String fault = split.fault();
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
        String copies = TableDefinition.replicasFault(replicas, minCopies);
        if (copies != null) {
            throw new IllegalArgumentException(copies);
        }
        if (partitions < 1 || partitions > TableDefinition.PARTITIONS_FIRST_MAX) {
            throw new IllegalArgumentException(
                    partitions + " partitions: 1 to " + TableDefinition.PARTITIONS_FIRST_MAX + " are allowed");
        }
        ttlMillis(timeToLive);
    }

    /** Of one copy. */
    public TableOptions(long capacityRecords, long capacityBytes, SplitPolicy split, Duration timeToLive) {
        this(capacityRecords, capacityBytes, split, timeToLive, 1, 1, 1, Routing.IMAGE);
    }

    /** Of records that don't expire. */
    public TableOptions(long capacityRecords, long capacityBytes, SplitPolicy split) {
        this(capacityRecords, capacityBytes, split, Duration.ZERO);
    }

    /** Partitions of 64 MiB, split dynamically. */
    public static TableOptions defaults() {
        return DEFAULTS;
    }

    /** Partitions meant to hold so many records. */
    public static TableOptions capacity(long records) {
        return new TableOptions(records, 0, SplitPolicy.DEFAULT);
    }

    /** Partitions of 64 MiB, each held by so many bricks. */
    public static TableOptions replicas(int copies) {
        return DEFAULTS.withReplicas(copies);
    }

    public TableOptions withCapacityRecords(long records) {
        return new TableOptions(records, capacityBytes, split, timeToLive, replicas, minCopies, partitions, routing);
    }

    public TableOptions withCapacityBytes(long bytes) {
        return new TableOptions(capacityRecords, bytes, split, timeToLive, replicas, minCopies, partitions, routing);
    }

    /** Experimental: another split control. */
    public TableOptions withSplitControl(SplitControl control) {
        return withSplit(split.withControl(control));
    }

    /** Experimental: what a partition does for its clients while it splits. */
    public TableOptions withSplitting(Splitting splitting) {
        return withSplit(split.withSplitting(splitting));
    }

    /** Experimental: how the records of a split travel. */
    public TableOptions withShipping(Shipping shipping) {
        return withSplit(split.withShipping(shipping));
    }

    /**
     * Experimental: bytes of records in a message of bulk shipping.
     *
     * @throws IllegalArgumentException unless 1 to {@link SplitPolicy#SLICE_BYTES_MAX}
     */
    public TableOptions withSliceBytes(int bytes) {
        return withSplit(split.withSliceBytes(bytes));
    }

    /**
     * Experimental: how many splits of the table may ship at the same time.
     *
     * @throws IllegalArgumentException unless 1 to {@link SplitPolicy#AT_ONCE_MAX}
     */
    public TableOptions withSplitsAtOnce(int splits) {
        return withSplit(split.withAtOnce(splits));
    }

    /** Experimental: all of the above. */
    public TableOptions withSplit(SplitPolicy policy) {
        return new TableOptions(
                capacityRecords, capacityBytes, policy, timeToLive, replicas, minCopies, partitions, routing);
    }

    /**
     * Records that expire so long after they were written, unless their writer says another time.
     *
     * @throws IllegalArgumentException if it is negative or longer than a hundred years
     */
    public TableOptions withTimeToLive(Duration duration) {
        return new TableOptions(
                capacityRecords, capacityBytes, split, duration, replicas, minCopies, partitions, routing);
    }

    /** Each partition is held by so many bricks; all of them answer reads. */
    public TableOptions withReplicas(int copies) {
        int least = Math.min(minCopies, copies);
        return new TableOptions(capacityRecords, capacityBytes, split, timeToLive, copies, least, partitions, routing);
    }

    /** Writes are refused while a partition has fewer copies than this. */
    public TableOptions withMinCopies(int copies) {
        return new TableOptions(
                capacityRecords, capacityBytes, split, timeToLive, replicas, copies, partitions, routing);
    }

    /** A hash table begins with so many partitions, and never has fewer; a range table begins with one. */
    public TableOptions withPartitions(int first) {
        return new TableOptions(capacityRecords, capacityBytes, split, timeToLive, replicas, minCopies, first, routing);
    }

    /** Of a range table: clients find the partition of a key so, unless they are told otherwise. */
    public TableOptions withRouting(Routing way) {
        return new TableOptions(
                capacityRecords, capacityBytes, split, timeToLive, replicas, minCopies, partitions, way);
    }

    /** A time to live in milliseconds, rounded up. */
    static long ttlMillis(Duration timeToLive) {
        if (timeToLive.isNegative() || timeToLive.compareTo(Duration.ofMillis(Limits.TTL_MILLIS_MAX)) > 0) {
            throw new IllegalArgumentException("time to live of " + timeToLive.toSeconds() + " s: 0 (for ever) to "
                    + Duration.ofMillis(Limits.TTL_MILLIS_MAX).toDays() + " days");
        }
        return timeToLive.plusNanos(999_999).toMillis();
    }

    CreateTable create(String name, TableKind kind) {
        return new CreateTable(
                name,
                kind,
                split,
                capacityRecords,
                capacityBytes,
                ttlMillis(timeToLive),
                replicas,
                minCopies,
                partitions,
                routing);
    }
}
