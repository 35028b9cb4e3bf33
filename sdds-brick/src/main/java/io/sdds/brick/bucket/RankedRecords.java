package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Writes, moves and frees the records of one bucket. If the bucket is ranked, it gives the records their ranks and
 * keeps the references of its {@link RankSpace} right. For a bucket that is not ranked it only passes on to the store.
 */
public final class RankedRecords {

    private final RecordStore store;
    private final SlotSpace slots;
    private @Nullable RankSpace ranks;
    private int nextRank = RecordStore.NO_RANK;

    /** Makes the records of a bucket that is not ranked. */
    public RankedRecords(RecordStore store) {
        this.store = store;
        this.slots = store.slots();
    }

    /** See {@link Bucket#ranked}. The caller has checked that the bucket has no records. */
    public void ranked(RankSpace space) {
        if (ranks != null) {
            throw new IllegalStateException("bucket is ranked already");
        }
        ranks = space;
    }

    /** See {@link Bucket#ranks}. */
    public @Nullable RankSpace ranks() {
        return ranks;
    }

    /** See {@link Bucket#rankOfNext}. */
    public void rankOfNext(int rank) {
        nextRank = rank;
    }

    /** The record of a rank of a ranked bucket; 0 if there is none. */
    public long ofRank(int rank) {
        RankSpace space = ranks;
        if (space == null) {
            throw new IllegalStateException("bucket is not ranked: no record of rank " + rank);
        }
        return space.reference(rank);
    }

    /** See {@link Bucket#rerank}. */
    public void rerank(int from, int to) {
        RankSpace space = ranks;
        long ref = ofRank(from);
        if (space == null || ref == 0 || !space.isAllocated(to) || space.reference(to) != 0) {
            throw new IllegalStateException(
                    "no record of rank %d, or rank %d is not vacant, of %s".formatted(from, to, space));
        }
        store.setRank(ref, to);
        space.setReference(from, 0);
        space.setReference(to, ref);
    }

    /** Overwrites a record of the bucket in place; see {@link RecordStore#overwrite}. */
    public boolean overwrite(
            long ref,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            boolean shrinking) {
        nextRank = RecordStore.NO_RANK;
        return store.overwrite(ref, value, valueOffset, valueLength, version, expiry, shrinking);
    }

    /**
     * Prepares the store for the next {@link RecordStore#write}, which writes a record of the bucket.
     *
     * @param old the record that the new one replaces; 0 if there is none
     */
    public void beforeWrite(long old) {
        if (ranks != null) {
            store.rankOfNext(old == 0 ? takeNextRank(ranks) : store.rank(old));
        }
    }

    private int takeNextRank(RankSpace space) {
        int rank = nextRank;
        nextRank = RecordStore.NO_RANK;
        if (rank < 0 || !space.isAllocated(rank) || space.reference(rank) != 0) {
            throw new IllegalStateException("no rank for a new record, or a rank that is not vacant: " + rank);
        }
        return rank;
    }

    /** Notes that a new record has been put into the bucket's index. */
    public void inserted(long ref) {
        if (ranks != null) {
            ranks.setReference(store.rank(ref), ref);
        }
    }

    /** Frees a record in whose place another record of the same key has been put into the bucket's index. */
    public void replaced(long old, long ref) {
        inserted(ref);
        store.free(old);
    }

    /** Frees a record that has been removed from the bucket's index. */
    public void free(long ref) {
        if (ranks != null) {
            ranks.setReference(store.rank(ref), 0);
        }
        store.free(ref);
    }

    /** Moves a record out of a chunk that is being evacuated, as {@link SlotSpace#relocate} does. */
    public long relocate(long ref) {
        long to = slots.relocate(ref);
        if (ranks != null) {
            ranks.setReference(store.rank(to), to);
        }
        return to;
    }

    /** Forgets the ranks, because the bucket is released. To be called before the records are freed. */
    public void release() {
        if (ranks != null) {
            ranks.release();
        }
    }

    /** Does one step of background work on the ranks; returns whether there was something to do. */
    public boolean maintain() {
        return ranks != null && ranks.maintain();
    }
}
