package io.sdds.brick.group;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Clearing;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangeClearing;
import io.sdds.brick.partition.RangePartition;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Applies committed entries to their partition. */
final class EntryEffects {
    private final RecordStore store;
    private final Clearing clearing;
    private final RangeClearing rangeClearing;
    private final Applied applied = new Applied();

    EntryEffects(RecordStore store) {
        this.store = store;
        this.clearing = new Clearing(store);
        this.rangeClearing = new RangeClearing(store);
    }

    /** Applies an entry. The memory of a put was reserved beforehand. */
    void apply(Partition partition, MemorySegment memory, int at, byte kind, long hash) {
        int keyLength = Entry.keyLength(memory, at);
        switch (kind) {
            case Entry.PUT -> put(partition, memory, at, hash);
            case Entry.REMOVE -> partition.bucket().remove(hash, memory, at + Entry.KEY, keyLength);
            case Entry.CLEAR -> clear(partition, memory, at + Entry.KEY, Entry.length(memory, at) - Entry.KEY);
            case Entry.DROP -> drop(partition, memory, at);
            case Entry.RERANK -> rerank(partition, memory, at);
            case Entry.NOTHING -> {}
            default -> changeOwner(partition, kind, Entry.moved(memory, at));
        }
    }

    private static void put(Partition partition, MemorySegment memory, int at, long hash) {
        int keyLength = Entry.keyLength(memory, at);
        PutResult result = partition
                .bucket()
                .put(
                        hash,
                        memory,
                        at + Entry.KEY,
                        keyLength,
                        memory,
                        at + Entry.KEY + keyLength,
                        Entry.valueLength(memory, at),
                        Entry.number(memory, at, Entry.VERSION),
                        Entry.number(memory, at, Entry.EXPIRY),
                        true);
        if (result == PutResult.FULL) {
            throw new IllegalStateException("less memory was reserved than a put needs, in table " + partition.table()
                    + " partition " + partition.number());
        }
    }

    private void clear(Partition partition, MemorySegment memory, int at, int length) {
        if (partition instanceof RangePartition range) {
            rangeClearing.clear(range, memory, at, length);
        } else {
            clearing.clear(partition, memory.get(Entry.LONG, at), memory.get(Entry.LONG, (long) at + Long.BYTES));
        }
    }

    /** Removes the records of some ranks. These ranks are free from now on. A copy under way hears of each record. */
    private void drop(Partition partition, MemorySegment memory, int at) {
        RankSpace ranks = ranks(partition);
        Partition.Mover mover = partition.mover();
        int end = at + Entry.length(memory, at);
        for (int next = at + Entry.KEY; next < end; next += Entry.listedBytes(Entry.DROP)) {
            int rank = Entry.listedRank(memory, next);
            MemorySegment key = mover == null ? MemorySegment.NULL : keyOf(ranks.reference(rank));
            partition.bucket().ranks().remove(rank);
            ranks.free(rank);
            if (mover != null) {
                mover.changed(Entry.listedHash(memory, next), key);
            }
        }
    }

    /**
     * Gives the records of some ranks other ranks. Their former ranks are free from now on. A copy under way hears of
     * each record, because a move copies the ranks.
     */
    private void rerank(Partition partition, MemorySegment memory, int at) {
        RankSpace ranks = ranks(partition);
        Partition.Mover mover = partition.mover();
        int end = at + Entry.length(memory, at);
        for (int next = at + Entry.KEY; next < end; next += Entry.listedBytes(Entry.RERANK)) {
            int rank = Entry.listedRank(memory, next);
            int nextRank = Entry.nextRank(memory, next);
            partition.bucket().ranks().rerank(rank, nextRank);
            ranks.free(rank);
            if (mover != null) {
                mover.changed(Entry.listedHash(memory, next), keyOf(ranks.reference(nextRank)));
            }
        }
    }

    private static RankSpace ranks(Partition partition) {
        return Objects.requireNonNull(
                partition.bucket().ranks().space(), "an entry about ranks, of records without ranks");
    }

    private MemorySegment keyOf(long ref) {
        byte[] key = store.segment(ref)
                .asSlice(store.keyOffset(ref), store.keyLength(ref))
                .toArray(ValueLayout.JAVA_BYTE);
        return MemorySegment.ofArray(key);
    }

    private static void changeOwner(Partition partition, byte kind, MovedKeys keys) {
        if (kind == Entry.HANDOVER && partition.mayDetach(keys)) {
            partition.detach(keys);
        } else if (kind == Entry.SUBSUME && partition.isAll(keys)) {
            partition.closed(true);
        } else if (kind == Entry.ABSORB && partition.mayAbsorb(keys)) {
            partition.absorb(keys);
        }
    }

    /** Tells the copy of the partition that is under way that an entry was applied. */
    void notifyMover(Partition partition, MemorySegment memory, int at, byte kind, long hash) {
        Partition.Mover mover = partition.mover();
        if (mover != null) {
            applied.hash = hash;
            applied.key = memory;
            applied.keyOffset = (long) at + Entry.KEY;
            applied.keyLength = Entry.isOfKey(kind) ? Entry.keyLength(memory, at) : 0;
            applied.session = Entry.number(memory, at, Entry.SESSION);
            applied.seq = Entry.number(memory, at, Entry.SEQ);
            applied.low = Entry.number(memory, at, Entry.LOW);
            applied.status = Entry.status(memory, at);
            applied.value = Entry.number(memory, at, Entry.RESULT);
            mover.applied(applied);
        }
    }
}
