package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The other end of a {@link SnapshotStream}: applies the slices to a partition, and acknowledges them. */
class SnapshotReceiver {
    /** Bytes of slices that may be on their way to one target. */
    static final int CREDIT_BYTES = 512 << 10;

    private final long id;
    private final RecordStore store;
    private Partition partition;
    private boolean hasSlices;
    private int attempt;
    private int resumption;
    private long applied;
    private long acked;
    private long toldMapVersion;
    private boolean failed;
    private SliceFrame.@Nullable Seal seal;
    private @Nullable Link source;

    /**
     * @param id of the migration
     * @param partition that takes the slices
     */
    SnapshotReceiver(long id, Partition partition, RecordStore store) {
        this.id = id;
        this.store = store;
        this.partition = partition;
    }

    /** The partition that takes the slices. */
    final Partition partition() {
        return partition;
    }

    /** Whether an attempt was opened, so that the partition may hold records of the copy. */
    final boolean hasSlices() {
        return hasSlices;
    }

    /** The number of the attempt that is under way; 0 before the first attempt. */
    final int attempt() {
        return attempt;
    }

    /** Whether this is a newer attempt than the one under way. */
    final boolean isNewer(SnapshotOpen open) {
        return open.resumption() == 0 && open.attempt() > attempt;
    }

    /**
     * A first or later attempt begins. The caller frees the records of an earlier attempt.
     *
     * @param into the partition that takes the slices from now on
     * @param timeNanos of a merge, the parent's logical time
     */
    SnapshotOpened open(Link from, SnapshotOpen open, Partition into, long timeNanos) {
        partition = into;
        hasSlices = true;
        source = from;
        attempt = open.attempt();
        resumption = 0;
        applied = 0;
        acked = 0;
        toldMapVersion = 0;
        failed = false;
        seal = null;
        return new SnapshotOpened(id, attempt, CREDIT_BYTES, 0, timeNanos);
    }

    /** The attempt under way is void: its slices are ignored. */
    void end() {
        source = null;
        hasSlices = false;
        seal = null;
    }

    /**
     * Whether an attempt is to go on over another link, and can: the slices that were applied are here, and no later
     * resumption has overtaken this one.
     */
    final boolean goesOnWith(SnapshotOpen open) {
        return open.attempt() == attempt && open.resumption() > resumption && hasSlices && !failed;
    }

    /** The attempt goes on over another link. Slices that are still on their way over the earlier link are ignored. */
    final SnapshotOpened goOn(Link from, SnapshotOpen open) {
        source = from;
        resumption = open.resumption();
        acked = 0; // the last acknowledgement may have been lost with the earlier link
        toldMapVersion = 0;
        return new SnapshotOpened(id, attempt, CREDIT_BYTES, acknowledgeable(), 0);
    }

    /** Applies a slice of the attempt under way; other slices are ignored. Slices of one link come in order. */
    final void onSlice(Link from, ByteBuf frame, int index, int length) {
        if (from != source
                || failed
                || frame.getIntLE(index + SliceFrame.ATTEMPT) != attempt
                || frame.getLongLE(index + SliceFrame.NUMBER) != applied + 1) {
            return;
        }
        apply(frame, index, length);
        applied++;
    }

    /** Applies the next slice, or keeps it to apply it later. */
    void apply(ByteBuf frame, int index, int length) {
        SliceFrame.read(frame, index, length, new Apply(Request.memoryOf(frame)));
    }

    /** The number of slices that have come. */
    final long received() {
        return applied;
    }

    /** The number of slices that may be acknowledged, because their effects are there to stay. */
    long acknowledgeable() {
        return applied;
    }

    /** There is no memory for the copy. */
    final void fail() {
        failed = true;
    }

    final boolean hasFailed() {
        return failed;
    }

    /** Whether the copy is complete: by this SEAL, or not, because an entry has come behind the last one. */
    final void sealed(SliceFrame.@Nullable Seal by) {
        seal = by;
    }

    /** The node ends, or nothing more can come of the copy: frees what is kept. */
    void release() {}

    /** The SEAL that ends the copy; null if no SEAL has come, or entries have come behind it. */
    final SliceFrame.@Nullable Seal seal() {
        return failed ? null : seal;
    }

    /**
     * At the end of a turn: acknowledges the slices that were applied, and tells how far this brick knows the map.
     *
     * @return the link that was written to, or null
     */
    @Nullable
    Link acknowledge(long mapVersion) {
        Link link = source;
        boolean told = acked == acknowledgeable() && !failed && toldMapVersion == mapVersion;
        if (link == null || !link.isUp() || told || acked < 0) {
            return null;
        }
        acked = failed ? -1 : acknowledgeable();
        toldMapVersion = mapVersion;
        ControlFrame.write(link.claim(0), ControlFrame.NOTICE, 0, new SnapshotAck(id, attempt, acked, mapVersion));
        return link;
    }

    private final class Apply implements SliceFrame.Sink {
        private final MemorySegment memory;

        Apply(MemorySegment memory) {
            this.memory = memory;
        }

        @Override
        public void record(
                int keyAt, int keyLength, int valueAt, int valueLength, long version, long expiry, int rank) {
            seal = null;
            long hash = SegmentHash.hash(memory, keyAt, keyLength);
            RankSpace ranks = partition.bucket().ranks().space();
            if (ranks != null && !isRankTaken(ranks, hash, keyAt, keyLength, rank)) {
                failed = true;
                return;
            }
            PutResult put = partition
                    .bucket()
                    .put(hash, memory, keyAt, keyLength, memory, valueAt, valueLength, version, expiry, true);
            failed |= put == PutResult.FULL;
        }

        /** Takes the rank of a record, unless the record has it already; false if the memory is refused. */
        private boolean isRankTaken(RankSpace ranks, long hash, int keyAt, int keyLength, int rank) {
            Bucket bucket = partition.bucket();
            long old = bucket.findAny(hash, memory, keyAt, keyLength);
            boolean hasRank = old != 0 && store.rank(old) == rank;
            if (old != 0 && !hasRank) {
                removeRanked(ranks, store.rank(old));
            }
            if (!hasRank && !ranks.take(rank, true)) {
                return false;
            }
            bucket.ranks().rankOfNext(rank);
            return true;
        }

        private void removeRanked(RankSpace ranks, int rank) {
            partition.bucket().ranks().remove(rank);
            ranks.free(rank);
        }

        @Override
        public void remove(int keyAt, int keyLength) {
            seal = null;
            Bucket bucket = partition.bucket();
            RankSpace ranks = bucket.ranks().space();
            long hash = SegmentHash.hash(memory, keyAt, keyLength);
            long old = ranks == null ? 0 : bucket.findAny(hash, memory, keyAt, keyLength);
            if (old != 0 && ranks != null) {
                removeRanked(ranks, store.rank(old));
            } else if (ranks == null) {
                bucket.remove(hash, memory, keyAt, keyLength);
            }
        }

        @Override
        public void result(long session, long seq, long low, long hash, byte status, long value) {
            seal = null;
            partition.results().take(session, seq, low, hash, status, value);
        }

        @Override
        public void seal(SliceFrame.Seal complete) {
            seal = complete;
        }
    }
}
