package io.sdds.core.model;

/**
 * What a table is, from its creation to its drop.
 *
 * @param id its number, never used again
 * @param split when and how its partitions split
 * @param capacityRecords records a partition is meant to hold (V), 0 when only bytes count
 * @param capacityBytes bytes of records a partition is meant to hold, 0 when only records count; the first reached splits
 */
public record TableDefinition(
        int id, String name, TableKind kind, SplitPolicy split, long capacityRecords, long capacityBytes) {

    /** M of the dynamic split threshold, in percent (LH*LH: typically 70 to 90). */
    public static final int DYNAMIC_LOAD_PERCENT = 80;

    /**
     * How full the partition with the split token is, in percent of the load S at which it splits, in a file of level {@code i} and split pointer
     * {@code n}: 100 or more means it splits.
     */
    public long loadPercent(long records, long bytes, int i, int n) {
        return Math.max(percent(records, capacityRecords, i, n), percent(bytes, capacityBytes, i, n));
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
