package io.sdds.brick.partition;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.group.Group;
import io.sdds.core.model.MigrationOrder;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A partition on its brick: the keys that are its own, its bucket, the results of recent writes, and the hand that
 * moves its records while it splits or merges.
 */
public abstract class Partition {
    private final int table;
    private final int number;
    private final long stream;
    private final LogicalTime time;
    private final Results results = new Results();
    private long ttlNanos;
    private long version;
    private boolean maintained;
    private boolean swept;
    private @Nullable Mover mover;
    private @Nullable Group group;
    private @Nullable Gate gate;

    /** What a shipping wants to know of the partition's requests; the brick's {@code ship} package. */
    public interface Mover {
        /** Whether a write may run now: its change could be sent on. */
        boolean admits(Request request);

        /** Whether a write must wait for the switch, with {@link #park}. */
        boolean holds(Request request);

        /** Keeps a copy of the request until the switch; false when no more can be kept. */
        boolean park(Request request);

        /**
         * A write has run, or an entry of the replica group's log was applied; what its key's record is now is in the
         * bucket.
         *
         * @param applied valid during the call
         */
        void applied(Applied applied);

        /** Whether it is told of entries of the log, and not of writes as they run. */
        default boolean takesLog() {
            return false;
        }

        /** A write that is about many keys has removed this one. */
        void removed(long hash, MemorySegment key);
    }

    /**
     * An empty partition.
     *
     * @param stream the shipping that fills it; 0 when it begins empty
     */
    Partition(int table, int number, long stream, Bucket bucket) {
        this.table = table;
        this.number = number;
        this.stream = stream;
        this.time = new LogicalTime(bucket);
    }

    public final int table() {
        return table;
    }

    /** Its number: the LH* address a of a hash partition, and no more than a name of a range partition. */
    public final int number() {
        return number;
    }

    /** The shipping that brought it here; 0 when it began empty. */
    public final long stream() {
        return stream;
    }

    public abstract Bucket bucket();

    /** Its level j; 0 of a range partition, which has none. */
    public abstract int level();

    /**
     * Whether the key, or the first point of the interval, that the request is about is its own; none is while it is
     * closed.
     */
    public abstract boolean owns(Request request);

    /** Whether it serves nothing, since it splits atomically: its mover keeps what comes. */
    public abstract boolean isClosed();

    public abstract void closed(boolean toAll);

    /** Records of its own, without those shipped here for a merge that is not done yet. */
    public abstract long records();

    /** As {@link #records}, in bytes. */
    public abstract long bytes();

    /** Whether a split that takes these keys away has yet to do so. */
    public abstract boolean mayGiveUp(Moved keys);

    /** HANDOVER of a split: these keys are another partition's. */
    public abstract void giveUp(Moved keys);

    /** Whether the split has done so. */
    public abstract boolean hasGivenUp(Moved keys);

    /** Whether these are all its keys, as a merge takes them away. */
    public abstract boolean isAll(Moved keys);

    /** Whether a merge that brings these keys has yet to do so. */
    public abstract boolean mayTake(Moved keys);

    /** Whether the merge has done so. */
    public abstract boolean hasTaken(Moved keys);

    /** Whether a request is about one of these keys, or may be: of its own keys. */
    public abstract boolean isAbout(Request request, Moved keys);

    /**
     * Begins to make room for what a merge ships here; when {@link #isChanging} ends, it {@link #isWide}, or there was
     * no memory.
     */
    public abstract void beginWidening(MigrationOrder merge);

    /** Whether its bucket is at work so that it can't be widened, or is not wide yet. */
    public abstract boolean isChanging();

    /** Whether its bucket is ready for what a merge ships here, or has some. */
    public abstract boolean isWide();

    /** HANDOVER of a merge: these keys, whose records were shipped here, are its own. */
    public abstract void takeShipped(Moved keys);

    /** Drops what was shipped here for a merge that won't be. */
    public abstract void dropShipped();

    /**
     * Goes on with the sweep that frees expired records, or begins one if there may be such records.
     *
     * @return whether so many had expired that going on at once pays
     */
    public abstract boolean sweep(int steps);

    /** About how many steps a sweep of all its records takes. */
    public abstract long sweepSteps();

    public final Results results() {
        return results;
    }

    /** Its logical time. */
    public final LogicalTime time() {
        return time;
    }

    /** Whether it has a logical time that writes move on: its records can expire. */
    public final boolean isTimed() {
        return ttlNanos != 0 || bucket().mayExpire();
    }

    /** Time to live of a record whose writer says nothing else; 0: it doesn't expire. */
    public final long ttlNanos() {
        return ttlNanos;
    }

    /** As the table's definition says. */
    public final void ttlMillis(long millis) {
        ttlNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** The version of the last write. */
    public final long version() {
        return version;
    }

    /** The version of the next write. */
    public final long nextVersion() {
        return ++version;
    }

    /** No version given from here on is below this one. */
    public final void versionAtLeast(long least) {
        version = Math.max(version, least);
    }

    /** Whether background work on its bucket is queued. */
    public final boolean isMaintained() {
        return maintained;
    }

    public final void maintained(boolean queued) {
        maintained = queued;
    }

    /** Whether a slice of its sweep is queued. */
    public final boolean isSwept() {
        return swept;
    }

    public final void swept(boolean queued) {
        swept = queued;
    }

    /** Its replica group, be this the only member; of a partition that is here. */
    public final Group group() {
        return Objects.requireNonNull(group, "the partition is not here yet");
    }

    public final void group(Group one) {
        group = one;
    }

    /** What its requests have to pass; null: the gate is open, they run at once. */
    public final @Nullable Gate gate() {
        return gate;
    }

    public final void gate(@Nullable Gate one) {
        gate = one;
    }

    public final @Nullable Mover mover() {
        return mover;
    }

    public final void mover(@Nullable Mover moving) {
        if (moving != null && moving.takesLog()) {
            group().shutGateForCopy();
        }
        mover = moving;
    }
}
