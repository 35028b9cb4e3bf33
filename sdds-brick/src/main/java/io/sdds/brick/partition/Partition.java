package io.sdds.brick.partition;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.addressing.LinearHashing;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A partition on its brick: its LH bucket, its level j, the results of recent writes, and the hand that moves half of it while it splits. */
public final class Partition {
    private static final int NONE = -1;

    private final int table;
    private final int number;
    private final long stream;
    private final HashBucket bucket;
    private final Results results = new Results();
    private long version;
    private boolean maintained;

    /** Its number; {@link #NONE} while it is closed, so that a request's way asks one question and not two. */
    private int answersFor;

    private @Nullable Mover mover;

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
    }

    public int table() {
        return table;
    }

    /** Its number a: the LH* address. */
    public int number() {
        return number;
    }

    /** Its level j. */
    public int level() {
        return bucket.level();
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

    public @Nullable Mover mover() {
        return mover;
    }

    public void mover(@Nullable Mover moving) {
        mover = moving;
    }
}
