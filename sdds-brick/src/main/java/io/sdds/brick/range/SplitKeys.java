package io.sdds.brick.range;

/** Chooses the key at which an RP* split divides the records of a bucket. */
public final class SplitKeys {
    private final Tree tree;
    private final Ranks ranks;
    private final Changes changes;

    SplitKeys(Tree tree, Ranks ranks, Changes changes) {
        this.tree = tree;
        this.ranks = ranks;
        this.changes = changes;
    }

    /**
     * The record that has {@code rank} records below it.
     *
     * @throws IllegalArgumentException if the bucket has no more than {@code rank} records
     */
    public long select(long rank) {
        if (rank < 0 || rank >= records()) {
            throw new IllegalArgumentException("rank must be in 0.." + (records() - 1) + ": " + rank);
        }
        return ranks.select(rank);
    }

    /**
     * The record whose key divides the bucket in two halves. The lower half includes this record, and has as many
     * records as the upper half or one more.
     *
     * @return reference of the record, 0 if the bucket is empty
     */
    public long median() {
        return tree.isEmpty() ? 0 : ranks.select((records() - 1) / 2);
    }

    /**
     * The shortest key that has exactly {@code rank} records at or below it.
     *
     * @param rank from 1 to the number of records - 1
     */
    public byte[] separator(long rank) {
        return Separators.dividing(tree.store, select(rank - 1), select(rank));
    }

    /** Whether most of the last inserts came in ascending order, near the end of the bucket. */
    public boolean isFilledAscending() {
        return changes.isAscending();
    }

    private long records() {
        return tree.isEmpty() ? 0 : tree.nodes.records(tree.root());
    }
}
