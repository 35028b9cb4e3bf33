package io.sdds.brick.partition;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.addressing.LinearHashing;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A partition on its brick: its LH bucket, its level j, the results of recent writes, and the hand that moves its records while it splits or merges. */
public final class Partition {
    private static final int NONE = -1;

    private final int table;
    private final int number;
    private final long stream;
    private final HashBucket bucket;
    private final LogicalTime time;
    private int level;
    private final Results results = new Results();
    private long ttlNanos;
    private long version;
    private boolean maintained;
    private boolean swept;

    /** Its number; {@link #NONE} while it is closed, so that a request's way asks one question and not two. */
    private int answersFor;

    private @Nullable Mover mover;
    private @Nullable Replica replica;

    /** What a shipping wants to know of the partition's requests; the brick's {@code ship} package. */
    public interface Mover {
        /** Whether a write to this pseudo-key may run now: its change could be sent on. */
        boolean admits(long hash);

        /** Whether a write to this pseudo-key must wait for the switch, with {@link #park}. */
        boolean holds(long hash);

        /** Keeps a copy of the request until the switch; false when no more can be kept. */
        boolean park(Request request);

        /** A write has run with this result; what its key's record is now is in the bucket. */
        void changed(Request request, byte status, long value);

        /**
         * An entry of the replica group's log was applied, with this result; what its key's record is now is in the bucket.
         *
         * @param keyLength 0: it was about no single key
         * @param session 0: it was nobody's write
         */
        default void applied(
                long hash,
                MemorySegment key,
                long keyOffset,
                int keyLength,
                long session,
                long seq,
                long low,
                byte status,
                long value) {
            throw new IllegalStateException("the partition is no replica group");
        }

        /** A write that is about many keys has removed this one. */
        void removed(long hash, MemorySegment key);
    }

    /**
     * An empty partition.
     *
     * @param stream the shipping that fills it; 0 when it begins empty
     */
    public Partition(int table, int number, int level, long stream, RecordStore store) {
        this.table = table;
        this.number = number;
        this.answersFor = number;
        this.stream = stream;
        this.bucket = new HashBucket(store, level);
        this.level = level;
        this.time = new LogicalTime(bucket);
    }

    public int table() {
        return table;
    }

    /** Its number a: the LH* address. */
    public int number() {
        return number;
    }

    /** Its level j. Its bucket's is one less while the other half's records are being shipped here for a merge. */
    public int level() {
        return level;
    }

    /** Whether its bucket is ready for the other half's records, or has some. */
    public boolean isWide() {
        return bucket.level() < level;
    }

    /** Records of its own, without those shipped here for a merge that is not done yet. */
    public long records() {
        return isWide() ? bucket.records() - bucket.movingRecords() : bucket.records();
    }

    /** As {@link #records}, in bytes. */
    public long bytes() {
        return isWide() ? bucket.bytes() - bucket.movingBytes() : bucket.bytes();
    }

    /** HANDOVER of a split: the half with the next bit set is another partition's. */
    public void giveUpHalf() {
        bucket.dropMovedHalf();
        level++;
    }

    /** HANDOVER of a merge: the records shipped here are its own. */
    public void takeOtherHalf() {
        if (!isWide()) {
            throw new IllegalStateException(
                    "partition " + number + " of table " + table + " was not made ready for a merge");
        }
        level--;
    }

    /** Drops what was shipped here for a merge that won't be. */
    public void dropOtherHalf() {
        bucket.finishWidening();
        if (isWide()) {
            bucket.dropMovedHalf();
        }
    }

    public long stream() {
        return stream;
    }

    public HashBucket bucket() {
        return bucket;
    }

    public Results results() {
        return results;
    }

    /** Its logical time. */
    public LogicalTime time() {
        return time;
    }

    /** Whether it has a logical time that writes move on: its records can expire. */
    public boolean isTimed() {
        return ttlNanos != 0 || bucket.mayExpire();
    }

    /** Time to live of a record whose writer says nothing else; 0: it doesn't expire. */
    public long ttlNanos() {
        return ttlNanos;
    }

    /** As the table's definition says. */
    public void ttlMillis(long millis) {
        ttlNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Whether LH* places this pseudo-key here; no pseudo-key while it is closed. */
    public boolean owns(long hash) {
        return LinearHashing.h(level(), hash) == answersFor;
    }

    /** Whether it serves nothing, since it splits atomically: its mover keeps what comes. */
    public boolean isClosed() {
        return answersFor == NONE;
    }

    public void closed(boolean toAll) {
        answersFor = toAll ? NONE : number;
    }

    /** The version of the last write. */
    public long version() {
        return version;
    }

    /** The version of the next write. */
    public long nextVersion() {
        return ++version;
    }

    /** No version given from here on is below this one. */
    public void versionAtLeast(long least) {
        version = Math.max(version, least);
    }

    /** Whether background work on its bucket is queued. */
    public boolean isMaintained() {
        return maintained;
    }

    public void maintained(boolean queued) {
        maintained = queued;
    }

    /** Whether a slice of its sweep is queued. */
    public boolean isSwept() {
        return swept;
    }

    public void swept(boolean queued) {
        swept = queued;
    }

    /** Its replica group; null when this is its only copy, and always will be. */
    public @Nullable Replica replica() {
        return replica;
    }

    public void replica(Replica one) {
        replica = one;
    }

    public @Nullable Mover mover() {
        return mover;
    }

    public void mover(@Nullable Mover moving) {
        mover = moving;
    }
}
