package io.sdds.core.model;

import io.sdds.core.addressing.LinearHashing;
import org.jspecify.annotations.Nullable;

/**
 * What a table is, from its creation to its drop.
 *
 * @param id its number, never used again
 * @param split when and how its partitions split
 * @param capacityRecords records a partition is meant to hold (V), 0 when only bytes count
 * @param capacityBytes bytes of records a partition is meant to hold, 0 when only records count; the first reached
 *     splits
 * @param ttlMillis time to live of a record whose writer says nothing else; 0: it doesn't expire
 * @param replicas members that each partition's replica group is meant to have, 1 to {@link #REPLICAS_MAX}
 * @param minCopies writes are refused while a group has fewer members
 * @param firstPartitions partitions that it began with: it never has fewer
 * @param routing how clients find the partition of a key, unless they are told otherwise
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
        Routing routing) {

    /** Most members of a replica group. */
    public static final int REPLICAS_MAX = 5;

    /** Most partitions that a table may be created with. */
    public static final int PARTITIONS_FIRST_MAX = 512;

    /** M of the dynamic split threshold, in percent (LH*LH: typically 70 to 90). */
    public static final int DYNAMIC_LOAD_PERCENT = 80;

    /**
     * Load below which partitions merge, in percent of that at which they split: what was merged must double before it
     * splits again.
     */
    public static final int MERGE_LOAD_PERCENT = 50;

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

    /** Whether its partitions are replica groups. */
    public boolean isReplicated() {
        return replicas > 1;
    }

    /** What is wrong with so many replicas, or null. */
    public static @Nullable String replicasFault(int replicas, int minCopies) {
        if (replicas < 1 || replicas > REPLICAS_MAX) {
            return replicas + " replicas: 1 to " + REPLICAS_MAX + " are allowed";
        }
        return minCopies < 1 || minCopies > replicas
                ? "at least " + minCopies + " copies of " + replicas + " replicas: 1 to " + replicas + " are allowed"
                : null;
    }

    /**
     * Whether so little is left in a file of {@code partitions} partitions that its last one should merge with its
     * parent: both together hold no more than {@link #MERGE_LOAD_PERCENT} of what would make the merged partition split
     * again, and so does a mean one of those that would be left. Never below the partitions that it began with.
     *
     * @param last the last partition's load
     * @param parent the load of the one it came from
     * @param all the whole table's load
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

    /** How much a partition or a table holds. */
    public record Load(long records, long bytes) {
        public static final Load NONE = new Load(0, 0);

        public Load plus(Load other) {
            return new Load(records + other.records, bytes + other.bytes);
        }
    }

    /**
     * How full the partition with the split token is, in percent of the load S at which it splits, in a file of level
     * {@code i} and split pointer {@code n}: 100 or more means it splits.
     */
    public long loadPercent(long records, long bytes, int i, int n) {
        return Math.max(percent(records, capacityRecords, i, n), percent(bytes, capacityBytes, i, n));
    }

    /**
     * How full a range partition is, in percent of the load at which it splits: its capacity, as in RP* (section 2.1).
     */
    public long fillPercent(Load load) {
        long byRecords = capacityRecords == 0 ? 0 : load.records() * 100 / capacityRecords;
        return Math.max(byRecords, capacityBytes == 0 ? 0 : load.bytes() * 100 / capacityBytes);
    }

    /**
     * Whether a range partition and its left neighbour hold so little that the two should merge: what was merged must
     * double before it splits again.
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
