package io.sdds.brick.group;

import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Outcome;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RankedList;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;

/** Writes a primary's entries behind the end of the log. {@link GroupLog#appended} then adds them to the log. */
public final class EntryWriter {
    private final GroupLog log;
    private final Partition partition;

    EntryWriter(GroupLog log, Partition partition) {
        this.log = log;
        this.partition = partition;
    }

    /** Writes the entry of a client's write: the effect and the result. */
    void write(long epoch, Request request, long low, Outcome outcome) {
        Change change = outcome.change();
        byte kind = change.kind == Change.Kind.DROP ? Entry.DROP : (byte) change.kind.ordinal();
        int keyLength = Entry.isOfKey(kind) ? request.keyLength : 0;
        int valueLength = kind == Entry.NOTHING || kind == Entry.REMOVE ? 0 : change.valueLength;
        int length = Entry.KEY + keyLength + valueLength;
        int at = log.claim(length);
        MemorySegment memory = log.memory();
        header(epoch, memory, at, length, kind | outcome.status() << 8 | keyLength << 16);
        memory.set(Entry.LONG, at + Entry.VERSION, kind == Entry.PUT ? change.version : partition.version());
        memory.set(Entry.LONG, at + Entry.SESSION, request.session);
        memory.set(Entry.LONG, at + Entry.SEQ, request.seq);
        memory.set(Entry.LONG, at + Entry.LOW, low);
        memory.set(Entry.LONG, at + Entry.RESULT, outcome.value());
        memory.set(Entry.LONG, at + Entry.EXPIRY, kind == Entry.PUT ? change.expiry : 0);
        memory.set(Entry.LONG, at + Entry.HASH, request.hash);
        int valueAt = at + Entry.KEY + keyLength;
        MemorySegment.copy(request.frame, request.keyOffset, memory, at + Entry.KEY, keyLength);
        if (valueLength > 0) {
            MemorySegment.copy(change.value, change.valueOffset, memory, valueAt, valueLength);
        }
    }

    /** Writes an entry that only moves the logical time on. */
    void time(long epoch) {
        time(log, epoch, partition.time().nanos());
    }

    /** As {@link #time(long)}, at a member that leads the log of a column without the column's records. */
    public static void time(GroupLog log, long epoch, long timeNanos) {
        int at = zeros(log, Entry.KEY);
        header(epoch, log.memory(), at, Entry.KEY, Entry.NOTHING, timeNanos);
    }

    /** Writes a DROP or RERANK of some records, without a client's request. */
    public void list(long epoch, byte kind, RankedList records) {
        int at = plain(epoch, Entry.KEY + records.byteSize(), kind);
        log.memory().set(Entry.LONG, at + Entry.VERSION, partition.version());
        MemorySegment.copy(records.memory(), 0, log.memory(), (long) at + Entry.KEY, records.byteSize());
    }

    /** Writes the entry of a record that a migration has brought. */
    public void put(
            long epoch,
            long hash,
            MemorySegment from,
            long keyAt,
            int keyLength,
            long valueAt,
            int valueLength,
            long version,
            long expiry) {
        int at = ofKey(epoch, Entry.PUT, hash, from, keyAt, keyLength, valueLength);
        log.memory().set(Entry.LONG, (long) at + Entry.VERSION, version);
        log.memory().set(Entry.LONG, (long) at + Entry.EXPIRY, expiry);
        MemorySegment.copy(from, valueAt, log.memory(), (long) at + Entry.KEY + keyLength, valueLength);
    }

    /** Writes the entry of a record that was removed where a migration comes from. */
    public void remove(long epoch, long hash, MemorySegment from, long keyAt, int keyLength) {
        int at = ofKey(epoch, Entry.REMOVE, hash, from, keyAt, keyLength, 0);
        log.memory().set(Entry.LONG, (long) at + Entry.VERSION, partition.version());
    }

    private int ofKey(
            long epoch, byte kind, long hash, MemorySegment from, long keyAt, int keyLength, int valueLength) {
        int at = plain(epoch, Entry.KEY + keyLength + valueLength, kind | keyLength << 16);
        log.memory().set(Entry.LONG, (long) at + Entry.HASH, hash);
        MemorySegment.copy(from, keyAt, log.memory(), (long) at + Entry.KEY, keyLength);
        return at;
    }

    /** Writes the entry of a result that a migration has brought. It has no effect. */
    public void result(long epoch, long session, long seq, long low, long hash, byte status, long value) {
        int at = plain(epoch, Entry.KEY, Entry.NOTHING | (status & 0xff) << 8);
        MemorySegment memory = log.memory();
        memory.set(Entry.LONG, (long) at + Entry.VERSION, partition.version());
        memory.set(Entry.LONG, (long) at + Entry.SESSION, session);
        memory.set(Entry.LONG, (long) at + Entry.SEQ, seq);
        memory.set(Entry.LONG, (long) at + Entry.LOW, low);
        memory.set(Entry.LONG, (long) at + Entry.RESULT, value);
        memory.set(Entry.LONG, (long) at + Entry.HASH, hash);
    }

    /** Writes an entry without effect that has the version and the logical time of the partition. */
    public void floor(long epoch) {
        int at = plain(epoch, Entry.KEY, Entry.NOTHING);
        log.memory().set(Entry.LONG, (long) at + Entry.VERSION, partition.version());
    }

    /** Writes an entry that changes the owner of keys; returns the offset of the entry. */
    int ownerChange(long epoch, byte kind, MovedKeys keys) {
        int at = plain(epoch, Entry.lengthOf(kind, keys), kind);
        log.memory().set(Entry.LONG, at + Entry.VERSION, partition.version());
        Entry.moved(log.memory(), at, kind, keys);
        return at;
    }

    /** Writes the header of an entry that is no client's write. The bytes behind the header are 0. */
    private int plain(long epoch, int length, int kinds) {
        int at = zeros(log, length);
        header(epoch, log.memory(), at, length, kinds);
        return at;
    }

    /** Claims an entry whose bytes are 0. */
    private static int zeros(GroupLog log, int length) {
        int at = log.claim(length);
        log.memory().asSlice(at, length).fill((byte) 0);
        return at;
    }

    private void header(long epoch, MemorySegment memory, int at, int length, int kinds) {
        header(epoch, memory, at, length, kinds, partition.time().nanos());
    }

    private static void header(long epoch, MemorySegment memory, int at, int length, int kinds, long timeNanos) {
        memory.set(Entry.INT, at + Entry.LENGTH, length);
        memory.set(Entry.INT, at + Entry.KIND, kinds);
        memory.set(Entry.LONG, at + Entry.EPOCH, epoch);
        memory.set(Entry.LONG, at + Entry.TIME, timeNanos);
    }
}
