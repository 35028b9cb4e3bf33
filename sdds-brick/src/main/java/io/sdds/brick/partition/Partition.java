package io.sdds.brick.partition;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.RankVisitor;
import io.sdds.brick.group.Group;
import io.sdds.core.model.MigrationOrder;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A partition on its brick: the keys that it owns, its bucket, the results of recent writes, and the copy of its
 * records that is under way while it splits, merges or moves.
 */
public abstract class Partition {
    private final int table;
    private final int number;
    private final long migration;
    private final LogicalTime time = new LogicalTime();
    private final Results results = new Results();
    private long ttlNanos;
    private long version;
    private boolean maintained;
    private boolean swept;
    private boolean idle;
    private @Nullable Mover mover;
    private @Nullable Group group;
    private final Gate open = new OpenGate(this);
    private Gate gate = open;

    /**
     * The copy of a partition's records that is under way, as the partition's requests see it (package
     * {@code migration}).
     */
    public interface Mover {
        /** Whether a write may run now, because its change can be sent to the receivers of the copy. */
        boolean admits(Request request);

        /** Whether a write must wait for the switch, with {@link #park}. */
        boolean holds(Request request);

        /** Keeps a copy of the request until the switch; false when no more requests can be kept. */
        boolean park(Request request);

        /**
         * A write has run, or an entry of the replica group's log was applied. The bucket has the record as it is now.
         *
         * @param applied valid during the call
         */
        void applied(Applied applied);

        /** Whether the copy is told of the entries of the log, and not of writes as they run. */
        default boolean takesLog() {
            return false;
        }

        /** A write that is about many keys has removed a key, or has given its record another rank. */
        void changed(long hash, MemorySegment key);
    }

    /**
     * Makes an empty partition.
     *
     * @param migration id of the migration that fills the partition; 0 when the partition begins empty
     */
    Partition(int table, int number, long migration, Bucket bucket) {
        this.table = table;
        this.number = number;
        this.migration = migration;
    }

    public final int table() {
        return table;
    }

    /** The number of the partition: the LH* address of a hash partition, and only a name of a range partition. */
    public final int number() {
        return number;
    }

    /** The id of the migration that brought the partition here; 0 when the partition began empty. */
    public final long migration() {
        return migration;
    }

    public abstract Bucket bucket();

    /** The level j of a hash partition; 0 for a range partition. */
    public abstract int level();

    /**
     * Whether the partition owns the request's key, or the first point of the request's interval. A closed partition
     * owns no key.
     */
    public abstract boolean owns(Request request);

    /**
     * Whether the partition serves nothing: it splits atomically, and its mover keeps the requests that come; or its
     * group has committed SUBSUME.
     */
    public abstract boolean isClosed();

    public abstract void closed(boolean toAll);

    /**
     * Whether this is an idle column of a table with parity groups: it has a place and a log, and owns no key, because
     * the table has no partition of its number (docs/design/parity.md, "Growth").
     */
    public final boolean isIdle() {
        return idle;
    }

    /** Makes the column idle, or has it own the keys of its number. */
    public final void idle(boolean now) {
        idle = now;
        closed(now);
    }

    /** Number of the partition's records, without those that it does not own. */
    public abstract long records();

    /** Bytes of the records that {@link #records} counts. */
    public abstract long bytes();

    /** Whether a split may still take these keys away. */
    public abstract boolean mayDetach(MovedKeys keys);

    /** Takes keys out of this partition, at the HANDOVER of a split. They belong to another partition from then on. */
    public abstract void detach(MovedKeys keys);

    /** Whether a split has taken these keys away. */
    public abstract boolean hasDetached(MovedKeys keys);

    /** Whether these keys are all keys of the partition, which a merge takes away. */
    public abstract boolean isAll(MovedKeys keys);

    /** Whether a merge may still bring these keys. */
    public abstract boolean mayAbsorb(MovedKeys keys);

    /** Whether a merge has brought these keys. */
    public abstract boolean hasAbsorbed(MovedKeys keys);

    /** Whether a request may be about one of these keys, which the partition owns. */
    public abstract boolean isAbout(Request request, MovedKeys keys);

    /**
     * Begins to make room for the records that a merge ships here. When {@link #isChanging} ends, the partition
     * {@link #isWide}, or there was no memory.
     */
    public abstract void beginWidening(MigrationOrder merge);

    /** Whether the bucket is busy, so that it can't be widened now or is still being widened. */
    public abstract boolean isChanging();

    /** Whether the bucket is ready for the records that a merge ships here, or has some of them. */
    public abstract boolean isWide();

    /** Makes the keys whose records a merge has shipped here the partition's own, at the end of the merge. */
    public abstract void absorb(MovedKeys keys);

    /** Drops the records of an abandoned merge. */
    public abstract void dropShipped();

    /**
     * Whether the bucket is made for the partition's own keys alone, and has no other records. Asked in a table with
     * parity groups only, where entries of the log drop the records that the partition does not own.
     */
    public abstract boolean isClean();

    /** Whether the bucket has no records but the partition's own, though it may be made for others. */
    public abstract boolean hasOnlyOwn();

    /**
     * Visits some records that the partition does not own and that have not expired.
     *
     * @param visitor takes the reference of each record
     * @return whether the next call goes on behind these records; otherwise it begins again with the first record
     */
    public abstract boolean visitUnowned(LongConsumer visitor);

    /**
     * Visits some records that have not expired, in a round over all records of the bucket. Each call goes on behind
     * the records of the last one. The visitor must not change what the bucket has.
     *
     * @param visitor takes the reference of each record
     * @return whether the round goes on; otherwise the next call begins another one
     */
    public abstract boolean visitNext(LongConsumer visitor);

    /**
     * Makes the bucket one for the partition's own keys alone, if it has no other records.
     *
     * @return whether the partition {@link #isClean}
     */
    public abstract boolean endCleaning();

    /** Drops the records that the partition does not own, without entries of a log. An idle column keeps them. */
    public abstract void dropUnowned();

    /**
     * Goes on with the sweep that frees expired records, or begins one if there may be such records.
     *
     * @return whether so many had expired that going on at once pays
     */
    public abstract boolean sweep(int steps);

    /**
     * Goes on with a sweep as {@link #sweep} does, but only visits the expired records, in a table with parity groups.
     * Entries of the group's log drop them.
     */
    public abstract boolean visitExpired(int steps, RankVisitor visitor);

    /** About how many steps a sweep of all records takes. */
    public abstract long sweepSteps();

    public final Results results() {
        return results;
    }

    /** The partition's logical time. */
    public final LogicalTime time() {
        return time;
    }

    /** Sets the logical time to that of the records that have come here now. */
    public final void timeFrom(long shippedNanos, long nowNanos) {
        time.from(shippedNanos, nowNanos);
        bucket().timeNanos(shippedNanos);
    }

    /** Moves the logical time on while the partition has no log, and returns the time. */
    public final long advanceTime(long nowNanos) {
        long nanos = time.stamp(nowNanos);
        bucket().timeNanos(nanos);
        return nanos;
    }

    /** Whether records of the partition can expire, so that writes move the logical time on. */
    public final boolean isTimed() {
        return ttlNanos != 0 || bucket().mayExpire();
    }

    /** Time to live of records whose writer names none; 0 if they don't expire. */
    public final long ttlNanos() {
        return ttlNanos;
    }

    /** Sets the time to live of the table's definition. */
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

    /** From now on no write gets a version below this one. */
    public final void versionAtLeast(long least) {
        version = Math.max(version, least);
    }

    /** Whether background work on the bucket is queued. */
    public final boolean isMaintained() {
        return maintained;
    }

    public final void maintained(boolean queued) {
        maintained = queued;
    }

    /** Whether a slice of the bucket's sweep is queued. */
    public final boolean isSwept() {
        return swept;
    }

    public final void swept(boolean queued) {
        swept = queued;
    }

    /** The partition's replica group, which may have this brick as its only member. */
    public final Group group() {
        return Objects.requireNonNull(group, "the partition is not here yet");
    }

    public final void group(Group one) {
        group = one;
    }

    /** The gate that requests must pass. */
    public final Gate gate() {
        return gate;
    }

    /** Shuts the gate: writes go through a log. */
    public final void shutGate(Gate shut) {
        gate = shut;
    }

    /** Opens the gate: requests run at once. */
    public final void openGate() {
        gate = open;
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
