package io.sdds.brick.bucket;

import org.jspecify.annotations.Nullable;

/**
 * The ranks of the records of one {@link Bucket}. A bucket is ranked from {@link #begin} on, or from
 * {@link #beginPartly} on. The bucket then keeps {@link RankSpace#reference} right. The caller allocates ranks and
 * frees ranks.
 */
public interface RecordRanks {
    /**
     * Makes the bucket ranked: each of its records has a rank from now on. The memory of the ranks is freed with the
     * bucket's own, after {@link Bucket#release}.
     *
     * @throws IllegalStateException if the bucket has records, or is ranked already
     */
    void begin(RankSpace ranks);

    /**
     * Makes a bucket ranked that may have records, which have no ranks at first. Until {@link #allRanked} a put without
     * {@link #rankOfNext} may write a record without rank, and a put with it gives a record its rank.
     *
     * @return false if the bucket is not ready for that, because records that it has dropped are not free yet. Nothing
     *     has changed then, and {@link Bucket#maintain} frees them.
     * @throws IllegalStateException if the bucket is ranked already
     */
    boolean beginPartly(RankSpace ranks);

    /** Whether the bucket is ranked. */
    boolean areGiven();

    /** Whether the bucket is ranked, and so many ranks are holes that it pays to move records into them. */
    boolean areSparse();

    /** The ranks of the records; null if the bucket is not ranked. */
    @Nullable
    RankSpace space();

    /** Number of records without rank, in a ranked bucket. */
    long unranked();

    /**
     * From now on each record has a rank, as after {@link #begin}.
     *
     * @throws IllegalStateException if there are records without rank
     */
    void allRanked();

    /**
     * Gives a record without rank a rank in place, in a bucket that is partly ranked.
     *
     * @param rank an allocated rank without record
     * @return false if the record's slot has no room for a rank. A put of the record, with {@link #rankOfNext}, moves
     *     the record to another slot.
     */
    boolean give(long ref, int rank);

    /** Makes the bucket one that is not ranked. {@link Bucket#maintain} frees the memory of the ranks. */
    void drop();

    /**
     * Tells the rank of the record that the next {@link Bucket#put} inserts, for a ranked bucket. The rank must be
     * allocated and without record. A put that replaces a record keeps the rank of that record, and drops this rank. A
     * refused put drops this rank, too; another attempt needs another call.
     */
    void rankOfNext(int rank);

    /**
     * Removes the record of a rank from a ranked bucket, expired or not. Needs no memory. The rank stays allocated.
     *
     * @return whether there was a record
     * @throws IllegalStateException if the bucket has been released, or is not ranked
     */
    boolean remove(int rank);

    /**
     * Gives the record of a rank another rank, in a ranked bucket. Needs no memory. The former rank stays allocated.
     *
     * @param to an allocated rank without record
     * @throws IllegalStateException if the bucket has been released, if there is no such record, or if the other rank
     *     is not vacant
     */
    void rerank(int from, int to);
}
