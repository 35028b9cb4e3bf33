package io.sdds.core.model;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.row.Schema;

/**
 * A table: what it was created as, and what it has become by the changes of its replicas, parities and columns.
 *
 * @param id its number, never used again
 * @param spec its options as they are now
 * @param conversion the conversion of the table that is under way or has ended
 */
public record TableDefinition(int id, String name, TableSpec spec, Conversion conversion) {
    /** M of the dynamic split threshold, in percent (LH*LH: typically 70 to 90). */
    public static final int DYNAMIC_LOAD_PERCENT = 80;

    /**
     * Load below which partitions merge, in percent of the load at which they split. So a merged partition must double
     * before it splits again.
     */
    public static final int MERGE_LOAD_PERCENT = 50;

    /** A table that is not being converted. */
    public TableDefinition(int id, String name, TableSpec spec) {
        this(id, name, spec, Conversion.NONE);
    }

    public TableKind kind() {
        return spec.kind();
    }

    public SplitPolicy split() {
        return spec.split();
    }

    public int replicas() {
        return spec.replicas();
    }

    public Parity parity() {
        return spec.parity();
    }

    public Schema schema() {
        return spec.schema();
    }

    /** This table with other parity groups. */
    public TableDefinition withParity(Parity other) {
        return with(spec.toBuilder().parity(other), conversion);
    }

    /** This table while its parity groups still stand on replicas, or some of them do. */
    public TableDefinition converting(Parity to) {
        return with(spec.toBuilder().parity(to), Conversion.TO_PARITY);
    }

    /** This table when all its parity groups stand on parity. */
    public TableDefinition converted() {
        return with(spec.toBuilder().replicas(1).minCopies(1), Conversion.FROM_REPLICAS);
    }

    /** This table while its parity groups still stand on parity, or some of them do. */
    public TableDefinition convertingToReplicas(int to) {
        return with(spec.toBuilder().replicas(to).minCopies(1), Conversion.TO_REPLICAS);
    }

    /** This table with another number of replicas, and without parity. */
    public TableDefinition withReplicas(int other) {
        return with(spec.toBuilder().replicas(other).parity(Parity.NONE), Conversion.NONE);
    }

    /** This table with another schema. */
    public TableDefinition withSchema(Schema other) {
        return with(spec.toBuilder().schema(other), conversion);
    }

    private TableDefinition with(TableSpec.Builder options, Conversion to) {
        return new TableDefinition(id, name, options.build(), to);
    }

    /**
     * Whether its partitions are replica groups. Of a table that is being converted some still are, so that members may
     * join and leave them, also if the table has one replica.
     */
    public boolean isReplicated() {
        return replicas() > 1 || isConverting();
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
        return !parity().isNone();
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
        if (left < spec.firstPartitions()) {
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
        return Math.max(percent(records, spec.capacityRecords(), i, n), percent(bytes, spec.capacityBytes(), i, n));
    }

    /** The load of a range partition, in percent of its capacity, at which it splits as in RP* (section 2.1). */
    public long fillPercent(Load load) {
        long byRecords = spec.capacityRecords() == 0 ? 0 : load.records() * 100 / spec.capacityRecords();
        return Math.max(byRecords, spec.capacityBytes() == 0 ? 0 : load.bytes() * 100 / spec.capacityBytes());
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
        return split().control() == SplitControl.STATIC
                ? load * 100 / capacity
                : load * 100 * 100 / DYNAMIC_LOAD_PERCENT / capacity * (1L << i) / ((1L << i) + n);
    }
}
