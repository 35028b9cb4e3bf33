package io.sdds.core.model;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.row.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a table, which are fixed from its creation to its drop, but for the number of replicas, the number
 * of parities, the conversions between both, and the columns of the schema.
 *
 * @param id its number, never used again
 * @param split when and how its partitions split
 * @param capacityRecords records that a partition is meant to hold (V), 0 when only bytes count
 * @param capacityBytes bytes of records that a partition is meant to hold, 0 when only records count; the limit that is
 *     reached first counts
 * @param ttlMillis time to live of a record whose writer names none; 0: the record does not expire
 * @param replicas members that each partition's replica group is meant to have, 1 to {@link #REPLICAS_MAX}; changed by
 *     {@link io.sdds.core.control.ControlMessage.AlterReplicas}
 * @param minCopies writes are refused while a group has fewer members
 * @param firstPartitions number of partitions at the creation; the table never has fewer
 * @param routing how clients find the partition of a key, unless their settings name another way
 * @param parity the parity groups of the partitions, or {@link Parity#NONE}. A table with parity has one replica, but
 *     for a table that is being converted. The number of parities changes by
 *     {@link io.sdds.core.control.ControlMessage.AlterParity}; then each group has as many {@link ParityMembers}, of
 *     which new ones are missing at first
 * @param conversion the conversion of the table that is under way or has ended
 * @param schema the columns of the table, or {@link Schema#NONE}. Bricks do not read it: they tell it to clients. It
 *     changes by {@link io.sdds.core.control.ControlMessage.AlterSchema}
 */
public record TableDefinition(
        int id,
        String name,
        TableKind kind,
        SplitPolicy split,
        long capacityRecords,
        long capacityBytes,
        long ttlMillis,
        int replicas,
        int minCopies,
        int firstPartitions,
        Routing routing,
        Parity parity,
        Conversion conversion,
        Schema schema) {

    /** Most members of a replica group. */
    public static final int REPLICAS_MAX = 5;

    /** Most partitions that a table may be created with. */
    public static final int PARTITIONS_FIRST_MAX = 512;

    /** M of the dynamic split threshold, in percent (LH*LH: typically 70 to 90). */
    public static final int DYNAMIC_LOAD_PERCENT = 80;

    /**
     * Load below which partitions merge, in percent of the load at which they split. So a merged partition must double
     * before it splits again.
     */
    public static final int MERGE_LOAD_PERCENT = 50;

    /** A table without a schema. */
    public TableDefinition(
            int id,
            String name,
            TableKind kind,
            SplitPolicy split,
            long capacityRecords,
            long capacityBytes,
            long ttlMillis,
            int replicas,
            int minCopies,
            int firstPartitions,
            Routing routing,
            Parity parity,
            Conversion conversion) {
        this(
                id,
                name,
                kind,
                split,
                capacityRecords,
                capacityBytes,
                ttlMillis,
                replicas,
                minCopies,
                firstPartitions,
                routing,
                parity,
                conversion,
                Schema.NONE);
    }

    /** A table that is not being converted. */
    public TableDefinition(
            int id,
            String name,
            TableKind kind,
            SplitPolicy split,
            long capacityRecords,
            long capacityBytes,
            long ttlMillis,
            int replicas,
            int minCopies,
            int firstPartitions,
            Routing routing,
            Parity parity) {
        this(
                id,
                name,
                kind,
                split,
                capacityRecords,
                capacityBytes,
                ttlMillis,
                replicas,
                minCopies,
                firstPartitions,
                routing,
                parity,
                Conversion.NONE);
    }

    /** A table without parity. */
    public TableDefinition(
            int id,
            String name,
            TableKind kind,
            SplitPolicy split,
            long capacityRecords,
            long capacityBytes,
            long ttlMillis,
            int replicas,
            int minCopies,
            int firstPartitions,
            Routing routing) {
        this(
                id,
                name,
                kind,
                split,
                capacityRecords,
                capacityBytes,
                ttlMillis,
                replicas,
                minCopies,
                firstPartitions,
                routing,
                Parity.NONE);
    }

    /** A table that begins with one partition and that clients address by an image. */
    public TableDefinition(
            int id,
            String name,
            TableKind kind,
            SplitPolicy split,
            long capacityRecords,
            long capacityBytes,
            long ttlMillis,
            int replicas,
            int minCopies) {
        this(id, name, kind, split, capacityRecords, capacityBytes, ttlMillis, replicas, minCopies, 1, Routing.IMAGE);
    }

    /** A table of one copy. */
    public TableDefinition(
            int id,
            String name,
            TableKind kind,
            SplitPolicy split,
            long capacityRecords,
            long capacityBytes,
            long ttlMillis) {
        this(id, name, kind, split, capacityRecords, capacityBytes, ttlMillis, 1, 1);
    }

    /** This table with other parity groups. */
    public TableDefinition withParity(Parity other) {
        return protectedBy(other, replicas, minCopies, conversion);
    }

    /** This table while its parity groups still stand on replicas, or some of them do. */
    public TableDefinition converting(Parity to) {
        return protectedBy(to, replicas, minCopies, Conversion.TO_PARITY);
    }

    /** This table when all its parity groups stand on parity. */
    public TableDefinition converted() {
        return protectedBy(parity, 1, 1, Conversion.FROM_REPLICAS);
    }

    /** This table while its parity groups still stand on parity, or some of them do. */
    public TableDefinition convertingToReplicas(int to) {
        return protectedBy(parity, to, 1, Conversion.TO_REPLICAS);
    }

    /** This table with another number of replicas, and without parity. */
    public TableDefinition withReplicas(int other) {
        return protectedBy(Parity.NONE, other, minCopies, Conversion.NONE);
    }

    /** This table with another schema. */
    public TableDefinition withSchema(Schema other) {
        return with(replicas, minCopies, parity, conversion, other);
    }

    private TableDefinition protectedBy(Parity groups, int copies, int copiesMin, Conversion to) {
        return with(copies, copiesMin, groups, to, schema);
    }

    private TableDefinition with(int copies, int copiesMin, Parity groups, Conversion to, Schema columns) {
        return new TableDefinition(
                id,
                name,
                kind,
                split,
                capacityRecords,
                capacityBytes,
                ttlMillis,
                copies,
                copiesMin,
                firstPartitions,
                routing,
                groups,
                to,
                columns);
    }

    /**
     * Whether its partitions are replica groups. Of a table that is being converted some still are, so that members may
     * join and leave them, also if the table has one replica.
     */
    public boolean isReplicated() {
        return replicas > 1 || isConverting();
    }

    /** Whether parity groups replace its replica groups now, or replica groups its parity groups. */
    public boolean isConverting() {
        return isConvertingToParity() || isConvertingToReplicas();
    }

    /** Whether parity groups replace its replica groups now. */
    public boolean isConvertingToParity() {
        return conversion == Conversion.TO_PARITY;
    }

    /** Whether replica groups replace its parity groups now. */
    public boolean isConvertingToReplicas() {
        return conversion == Conversion.TO_REPLICAS;
    }

    /**
     * Whether its partitions are columns of parity groups. No process joins a column as a learner, unless the table is
     * being converted.
     */
    public boolean hasParity() {
        return !parity.isNone();
    }

    /** The fault of a number of replicas, or null. */
    public static @Nullable String replicasFault(int replicas, int minCopies) {
        if (replicas < 1 || replicas > REPLICAS_MAX) {
            return replicas + " replicas: 1 to " + REPLICAS_MAX + " are allowed";
        }
        return minCopies < 1 || minCopies > replicas
                ? "at least " + minCopies + " copies of " + replicas + " replicas: 1 to " + replicas + " are allowed"
                : null;
    }

    /**
     * Whether the load of a file of {@code partitions} partitions is so low that the last partition should merge with
     * its parent. Both partitions together, and the mean of the partitions that would be left, must hold at most
     * {@link #MERGE_LOAD_PERCENT} of the load at which the merged partition would split. A file never gets fewer
     * partitions than it began with.
     *
     * @param last load of the last partition
     * @param parent load of its parent
     * @param all load of the whole table
     */
    public boolean isLow(int partitions, Load last, Load parent, Load all) {
        int left = partitions - 1;
        if (left < firstPartitions) {
            return false;
        }
        int i = LinearHashing.level(left);
        long merged = loadPercent(
                last.records() + parent.records(), last.bytes() + parent.bytes(), i, LinearHashing.splitPointer(left));
        long mean = loadPercent(all.records() / left, all.bytes() / left, i, 0);
        return Math.max(merged, mean) <= MERGE_LOAD_PERCENT;
    }

    /** The load of a partition or a table. */
    public record Load(long records, long bytes) {
        public static final Load NONE = new Load(0, 0);

        public Load plus(Load other) {
            return new Load(records + other.records, bytes + other.bytes);
        }
    }

    /**
     * The load of the partition with the split token, in percent of the load S at which it splits, in a file of level
     * {@code i} and split pointer {@code n}. At 100 or more the partition splits.
     */
    public long loadPercent(long records, long bytes, int i, int n) {
        return Math.max(percent(records, capacityRecords, i, n), percent(bytes, capacityBytes, i, n));
    }

    /** The load of a range partition, in percent of its capacity, at which it splits as in RP* (section 2.1). */
    public long fillPercent(Load load) {
        long byRecords = capacityRecords == 0 ? 0 : load.records() * 100 / capacityRecords;
        return Math.max(byRecords, capacityBytes == 0 ? 0 : load.bytes() * 100 / capacityBytes);
    }

    /**
     * Whether the load of a range partition and its left neighbour is so low that the two should merge. A merged
     * partition must double before it splits again.
     */
    public boolean isLow(Load left, Load right) {
        return fillPercent(left.plus(right)) <= MERGE_LOAD_PERCENT;
    }

    private long percent(long load, long capacity, int i, int n) {
        if (capacity == 0) {
            return 0;
        }
        return split.control() == SplitControl.STATIC
                ? load * 100 / capacity
                : load * 100 * 100 / DYNAMIC_LOAD_PERCENT / capacity * (1L << i) / ((1L << i) + n);
    }
}
