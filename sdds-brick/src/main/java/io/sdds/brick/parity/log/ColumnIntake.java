package io.sdds.brick.parity.log;

import io.sdds.brick.group.Entry;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.Replication;
import io.sdds.brick.partition.LogicalTime;
import io.sdds.brick.partition.Partition;
import java.lang.foreign.MemorySegment;

/**
 * Proposes what a split or a merge brings to a column of a parity group, as entries of the column's own log. So the
 * parity members protect the records and the results as soon as the entries are committed (docs/design/parity.md,
 * "Growth").
 */
public final class ColumnIntake {
    /** What became of a record or a result. */
    public enum Outcome {
        /** The entry is in the log, or none is needed. */
        TAKEN,
        /** The log has no room now, or an uncommitted entry is in the way. The caller tries again later. */
        LATER,
        NO_MEMORY
    }

    private final Groups groups;
    private final Replication replication;
    private final Partition partition;
    private final DeltaLog deltas;

    ColumnIntake(Groups groups, Replication replication, DeltaLog deltas) {
        this.groups = groups;
        this.replication = replication;
        this.partition = replication.partition();
        this.deltas = deltas;
    }

    /**
     * Takes what a migration brings to a column that this brick leads.
     *
     * @throws IllegalStateException if the partition is no column of a parity group
     */
    public static ColumnIntake of(Group column) {
        return RankedMode.of(column.replication()).intake();
    }

    /** Takes a record. It replaces the record of its key. */
    public Outcome put(
            long hash,
            MemorySegment memory,
            long keyAt,
            int keyLength,
            long valueAt,
            int valueLength,
            long version,
            long expiry) {
        if (!isClear(hash, memory, keyAt, keyLength, keyLength + valueLength)) {
            return Outcome.LATER;
        }
        if (!replication.takeMemory(keyLength, valueLength, expiry)) {
            return Outcome.NO_MEMORY;
        }
        partition.versionAtLeast(version);
        replication
                .writer()
                .put(replication.epoch(), hash, memory, keyAt, keyLength, valueAt, valueLength, version, expiry);
        replication.proposeClaimed();
        return Outcome.TAKEN;
    }

    /** Removes the record of a key, if there is one. */
    public Outcome remove(long hash, MemorySegment memory, long keyAt, int keyLength) {
        if (!isClear(hash, memory, keyAt, keyLength, keyLength)) {
            return Outcome.LATER;
        }
        if (deltas.hasOld()) {
            replication.writer().remove(replication.epoch(), hash, memory, keyAt, keyLength);
            replication.proposeClaimed();
        }
        return Outcome.TAKEN;
    }

    /** Whether the record of a key is known, and the log has room for an entry about it. */
    private boolean isClear(long hash, MemorySegment memory, long keyAt, int keyLength, int bytes) {
        long last = replication.uncommitted().lastOf(hash);
        return deltas.look(hash, memory, keyAt, keyLength, last)
                && replication.hasRoom(Math.max(Entry.KEY + bytes, Entry.DELTA_BYTES + deltas.oldBytes()));
    }

    /** Takes the result of a write. */
    public Outcome result(long session, long seq, long low, long hash, byte status, long value) {
        if (!replication.hasRoom(Entry.KEY)) {
            return Outcome.LATER;
        }
        partition.results().take(session, seq, low, hash, status, value);
        replication.writer().result(replication.epoch(), session, seq, low, hash, status, value);
        replication.proposeClaimed();
        return Outcome.TAKEN;
    }

    /** From now on the column gives no version below this one, and its logical time is at least this. */
    public Outcome floor(long version, long timeNanos) {
        if (!replication.hasRoom(Entry.KEY)) {
            return Outcome.LATER;
        }
        LogicalTime time = partition.time();
        long now = groups.env().nowNanos();
        time.stamp(now);
        time.atLeast(timeNanos, now);
        partition.versionAtLeast(version);
        replication.writer().floor(replication.epoch());
        replication.proposeClaimed();
        return Outcome.TAKEN;
    }
}
