package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Writes, moves and frees the records of one bucket. If the bucket is ranked, it gives the records their ranks and
 * keeps the references of its {@link RankSpace} right. For a bucket that is not ranked it only passes on to the store.
 */
public final class RankedRecords implements RecordRanks {

    /* The records of a bucket that becomes ranked late have no ranks at first. A record has a rank only if the space
     * refers to the record at this rank. A number that was a rank in an earlier space may still stand in the record. It
     * means nothing, and counts as none. While the bucket is partly ranked, each record is checked for that. */

    private final RecordStore store;
    private final SlotSpace slots;
    private final Index index;
    private @Nullable RankSpace ranks;
    private int nextRank = RecordStore.NO_RANK;

    /** A space that was dropped, and whose memory is not free yet. */
    private @Nullable RankSpace dropped;

    /** Whether some records may have no rank, and records without rank may be written. */
    private boolean partly;

    /** Number of records with a rank, while the bucket is {@link #partly} ranked. */
    private long withRank;

    /** Whether the bucket was released. */
    private boolean released;

    /** The part of a bucket that finds its records. */
    public interface Index {
        /** Number of records of the bucket. */
        long records();

        /** Whether the bucket has dropped records that are not free yet. */
        boolean isFreeing();

        /** Removes the record of a rank ({@link #ofRank}); false if there is none. */
        boolean removeRank(int rank);
    }

    /** Makes the records of a bucket that is not ranked. */
    public RankedRecords(RecordStore store, Index index) {
        this.store = store;
        this.slots = store.slots();
        this.index = index;
    }

    @Override
    public void begin(RankSpace space) {
        if (index.records() > 0) {
            throw new IllegalStateException("bucket has records without rank: " + index.records());
        }
        use(space);
    }

    private void use(RankSpace space) {
        if (ranks != null) {
            throw new IllegalStateException("bucket is ranked already");
        }
        ranks = space;
    }

    @Override
    public boolean beginPartly(RankSpace space) {
        if (index.isFreeing()) {
            return false;
        }
        use(space);
        partly = true;
        withRank = 0;
        return true;
    }

    @Override
    public boolean areGiven() {
        return ranks != null;
    }

    @Override
    public boolean areSparse() {
        return ranks != null && ranks.isSparse();
    }

    @Override
    public long unranked() {
        return partly ? index.records() - withRank : 0;
    }

    @Override
    public void allRanked() {
        if (unranked() > 0) {
            throw new IllegalStateException("records without rank: " + unranked());
        }
        partly = false;
    }

    @Override
    public void drop() {
        RankSpace space = ranks;
        if (space != null) {
            freeDropped();
            space.release();
            dropped = space;
            ranks = null;
            partly = false;
            nextRank = RecordStore.NO_RANK;
        }
    }

    private void freeDropped() {
        while (dropped != null && dropped.maintain()) {
            // Each call frees a part.
        }
        dropped = null;
    }

    @Override
    public boolean give(long ref, int rank) {
        RankSpace space = ranks;
        if (space == null || !space.isAllocated(rank) || space.reference(rank) != 0 || hasRank(ref)) {
            throw new IllegalStateException(
                    "rank %d of %s is not vacant, or the record has one".formatted(rank, space));
        }
        if (!store.giveRank(ref, rank)) {
            return false;
        }
        space.setReference(rank, ref);
        withRank++;
        return true;
    }

    /** Whether a record has a rank of the space. */
    private boolean hasRank(long ref) {
        RankSpace space = ranks;
        return space != null && (!partly || space.reference(store.rank(ref)) == ref);
    }

    @Override
    public @Nullable RankSpace space() {
        return ranks;
    }

    @Override
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

    @Override
    public boolean remove(int rank) {
        return index.removeRank(rank);
    }

    @Override
    public void rerank(int from, int to) {
        if (released) {
            throw new IllegalStateException("bucket has been released");
        }
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
        if (partly && nextRank != RecordStore.NO_RANK && !hasRank(ref)) {
            return false; // the record gets its rank in another slot
        }
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
            store.rankOfNext(old == 0 || partly && !hasRank(old) ? takeNextRank(ranks) : store.rank(old));
        }
    }

    private int takeNextRank(RankSpace space) {
        int rank = nextRank;
        nextRank = RecordStore.NO_RANK;
        if (partly && rank == RecordStore.NO_RANK) {
            return rank;
        }
        if (rank < 0 || !space.isAllocated(rank) || space.reference(rank) != 0) {
            throw new IllegalStateException("no rank for a new record, or a rank that is not vacant: " + rank);
        }
        return rank;
    }

    /** Notes that a new record has been put into the bucket's index. */
    public void inserted(long ref) {
        if (ranks != null) {
            int rank = store.rank(ref);
            if (!partly || rank != RecordStore.NO_RANK) {
                ranks.setReference(rank, ref);
                withRank++;
            }
        }
    }

    /** Frees a record in whose place another record of the same key has been put into the bucket's index. */
    public void replaced(long old, long ref) {
        if (hasRank(old)) {
            withRank--;
        }
        inserted(ref);
        store.free(old);
    }

    /** Frees a record that has been removed from the bucket's index. */
    public void free(long ref) {
        if (ranks != null && hasRank(ref)) {
            ranks.setReference(store.rank(ref), 0);
            withRank--;
        }
        store.free(ref);
    }

    /** Moves a record out of a chunk that is being evacuated, as {@link SlotSpace#relocate} does. */
    public long relocate(long ref) {
        boolean hasRank = hasRank(ref);
        long to = slots.relocate(ref);
        if (ranks != null && hasRank) {
            ranks.setReference(store.rank(to), to);
        }
        return to;
    }

    /** Forgets the ranks, because the bucket is released. To be called before the records are freed. */
    public void release() {
        released = true;
        partly = false;
        if (ranks != null) {
            ranks.release();
        }
    }

    /** Does one step of background work on the ranks; returns whether there was something to do. */
    public boolean maintain() {
        if (dropped != null && !dropped.maintain()) {
            dropped = null;
        }
        return dropped != null || ranks != null && ranks.maintain();
    }
}
