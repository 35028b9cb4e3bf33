package io.sdds.brick.parity.log;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.Replication;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.partition.Partition;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives ranks to the records of a partition whose table is being converted to parity, at the partition's primary.
 *
 * <p>A rank is no part of what the members of a replica group have in common: only the primary and the parity members
 * know it. So no entry of the log gives a rank to a record that exists already. New records, and those that a write
 * changes, get ranks as in a table with parity ({@link DeltaLog}). A parity member joins when all records have ranks,
 * and copies them (docs/design/parity.md, "Conversion").
 *
 * <p>A record without rank is in no sum of the parity members. So the delta of its change is that of a new record, and
 * its removal has no delta. A record has a rank only if the {@link RankSpace} refers to it at this rank.
 */
final class Ranking {
    /** Bytes of records after which a step ends. */
    private static final int STEP_BYTES = 64 << 10;

    private final Groups groups;
    private final Replication replication;
    private final Partition partition;
    private final RankSpace ranks;
    private final DeltaLog deltas;

    /** Keys of the records that the step has found without room for a rank in their slots. */
    private final List<byte[]> cramped = new ArrayList<>();

    private boolean refused;
    private int bytes;

    Ranking(Groups groups, Replication replication, RankSpace ranks, DeltaLog deltas) {
        this.groups = groups;
        this.replication = replication;
        this.partition = replication.partition();
        this.ranks = ranks;
        this.deltas = deltas;
    }

    /** Whether each record has a rank, and each uncommitted entry that writes a record gives it one. */
    boolean isComplete() {
        return replication.committed() >= deltas.start()
                && partition.bucket().ranks().unranked() == 0;
    }

    /**
     * Ranks some records. Those that have expired are left to the sweep. The last part of the memory is left to the
     * writes of clients.
     *
     * @param looks how often to look for records
     */
    void step(int looks) {
        refused = !groups.hasMemory(STEP_BYTES) || replication.committed() < deltas.start() || replication.isClearing();
        bytes = 0;
        boolean more = true;
        for (int k = 0; k < looks && more && !refused && bytes < STEP_BYTES; k++) {
            more = partition.visitNext(this::rank);
            cramped.forEach(this::move);
            cramped.clear();
        }
    }

    /** Ranks a record in place. A record with an uncommitted entry stays, because that entry has a rank for it. */
    private void rank(long ref) {
        RecordStore store = groups.store();
        if (refused
                || ranks.reference(store.rank(ref)) == ref
                || replication.uncommitted().lastOf(store.hash(ref)) != 0) {
            return;
        }
        bytes += store.contentLength(ref);
        int rank = ranks.allocate(false);
        refused = rank < 0;
        if (!refused && !partition.bucket().ranks().give(ref, rank)) {
            ranks.free(rank);
            cramped.add(store.key(ref));
        }
    }

    /** Puts a record once more, into a slot with room for a rank. */
    private void move(byte[] key) {
        RecordStore store = groups.store();
        Bucket bucket = partition.bucket();
        MemorySegment segment = MemorySegment.ofArray(key);
        long hash = SegmentHash.hash(segment, 0, key.length);
        long ref = bucket.findAny(hash, segment, 0, key.length);
        int rank = refused ? RankSpace.REFUSED : ranks.allocate(false);
        refused = rank < 0;
        if (refused) {
            return;
        }
        bucket.ranks().rankOfNext(rank);
        bucket.put(
                hash,
                segment,
                0,
                key.length,
                store.segment(ref),
                store.valueOffset(ref),
                store.valueLength(ref),
                store.version(ref),
                store.expiry(ref),
                false);
        refused = ranks.reference(rank) == 0;
        if (refused) {
            ranks.free(rank);
        }
    }
}
