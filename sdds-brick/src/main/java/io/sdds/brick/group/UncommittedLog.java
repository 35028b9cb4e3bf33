package io.sdds.brick.group;

import io.sdds.brick.bucket.MemoryReservations;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Current;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/**
 * What one member has prepared: the entries of its log that are not decided, the keys that they are about, the memory
 * that they have, and, at a backup, their results, which it would answer with if it led.
 */
final class UncommittedLog {
    private final GroupLog log;
    private final Partition partition;
    private final RecordStore store;
    private final UncommittedIndex keys = new UncommittedIndex();
    private final BarrierEntries barriers = new BarrierEntries();

    /** Memory of the entries, by their seq. */
    private final MemoryReservations reservations;

    /** Entries up to here are decided. */
    private long committed;

    /** Of the entries that are not. */
    private long bytes;

    UncommittedLog(GroupLog log, Partition partition, RecordStore store) {
        this.log = log;
        this.partition = partition;
        this.store = store;
        this.reservations = new MemoryReservations(store, partition.bucket());
    }

    /** Everything up to a seq is decided, and no entry of it is here. */
    void begin(long seq) {
        committed = seq;
        log.begin(seq);
        reservations.begin(seq);
    }

    /** The seq up to which entries are decided. */
    long committed() {
        return committed;
    }

    /** Whether all are decided. */
    boolean isEmpty() {
        return committed == log.last();
    }

    /** How many are not. */
    long count() {
        return log.last() - committed;
    }

    /** Bytes of those. */
    long bytes() {
        return bytes;
    }

    /** The last entries about more than one key; such a one is decided when its seq is {@link #committed}. */
    BarrierEntries barriers() {
        return barriers;
    }

    /** The seq of the last entry that a read of a key may not overlook; 0: there is none. */
    long lastAbout(long hash) {
        return Math.max(keys.last(hash), barriers.clear() > committed ? barriers.clear() : 0);
    }

    /** The seq of the entry that is a session's write of that number; 0: there is none. */
    long find(long session, long number) {
        MemorySegment memory = log.memory();
        for (long seq = log.last(); seq > committed; seq--) {
            int at = log.index(seq);
            if (Entry.number(memory, at, Entry.SEQ) == number && Entry.number(memory, at, Entry.SESSION) == session) {
                return seq;
            }
        }
        return 0;
    }

    /** Whose writes they are. */
    Set<WriteId> writes() {
        Set<WriteId> writes = new HashSet<>();
        MemorySegment memory = log.memory();
        for (long seq = committed + 1; seq <= log.last(); seq++) {
            int at = log.index(seq);
            writes.add(new WriteId(Entry.number(memory, at, Entry.SESSION), Entry.number(memory, at, Entry.SEQ)));
        }
        return writes;
    }

    /**
     * What a record is after all entries that are prepared.
     *
     * @param current is set to it, without a look at its expiry
     * @return false when that can't be told: the last entry of its pseudo-key is another key's
     */
    boolean look(Request request, Current current) {
        long seq = keys.last(request.hash);
        if (seq > 0) {
            return lookAt(seq, request, current);
        }
        current.record(
                store, partition.bucket().find(request.hash, request.frame, request.keyOffset, request.keyLength));
        return true;
    }

    private boolean lookAt(long seq, Request request, Current current) {
        // what is found may be written again, behind it: then nothing may move
        log.claim(Entry.length(log.memory(), log.index(seq)) + request.length + Entry.KEY);
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        int keyLength = Entry.keyLength(memory, at);
        if (keyLength != request.keyLength
                || MemorySegment.mismatch(
                                memory,
                                at + Entry.KEY,
                                at + Entry.KEY + keyLength,
                                request.frame,
                                request.keyOffset,
                                request.keyOffset + keyLength)
                        >= 0) {
            return false; // two keys of one pseudo-key
        }
        if (Entry.kind(memory, at) == Entry.REMOVE) {
            current.absent();
        } else {
            current.is(
                    Entry.number(memory, at, Entry.VERSION),
                    Entry.number(memory, at, Entry.EXPIRY),
                    memory,
                    (long) at + Entry.KEY + keyLength,
                    Entry.length(memory, at) - Entry.KEY - keyLength);
        }
        return true;
    }

    /** Takes the memory of a put that is to be the log's next entry; false: there is none. */
    boolean takeMemory(int keyLength, int valueLength, long expiry) {
        return reservations.provide(log.last() + 1, keyLength, valueLength, expiry, false);
    }

    /**
     * The same for a received entry, as long as the store has any; false: there is none, so it can't be prepared here.
     */
    boolean takeMemory(MemorySegment memory, int at) {
        return Entry.kind(memory, at) != Entry.PUT
                || reservations.provide(
                        log.last() + 1,
                        Entry.keyLength(memory, at),
                        Entry.valueLength(memory, at),
                        Entry.number(memory, at, Entry.EXPIRY),
                        true);
    }

    /** An entry is in the log, with its memory. */
    void add(long seq) {
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        byte kind = Entry.kind(memory, at);
        bytes += Entry.length(memory, at);
        if (Entry.isOfKey(kind)) {
            keys.add(Entry.number(memory, at, Entry.HASH), seq);
        } else {
            barriers.add(seq, memory, at, kind);
        }
    }

    /** The same of an entry that was received: with what the primary knew when it made it. */
    void receive(long seq) {
        add(seq);
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        partition.versionAtLeast(Entry.number(memory, at, Entry.VERSION));
        long session = Entry.number(memory, at, Entry.SESSION);
        if (session != 0) {
            partition
                    .results()
                    .take(
                            session,
                            Entry.number(memory, at, Entry.SEQ),
                            Entry.number(memory, at, Entry.LOW),
                            Entry.number(memory, at, Entry.HASH),
                            Entry.status(memory, at),
                            Entry.number(memory, at, Entry.RESULT));
        }
    }

    /** Cuts off those behind a seq: they have not come to be. */
    void cut(long seq) {
        MemorySegment memory = log.memory();
        for (long gone = log.last(); gone > seq; gone--) {
            int at = log.index(gone);
            long session = Entry.number(memory, at, Entry.SESSION);
            if (session != 0) {
                partition.results().forget(session, Entry.number(memory, at, Entry.SEQ));
            }
        }
        reservations.cut(seq, log.last());
        log.cut(seq);
        bytes = 0;
        keys.clear();
        barriers.cut();
        for (long kept = committed + 1; kept <= seq; kept++) {
            add(kept);
        }
    }

    /** The next entry has its effect on the bucket, with the memory that the entry has, until {@link #used}. */
    void use(long seq) {
        reservations.use(seq);
    }

    void used(long seq) {
        reservations.used(seq);
    }

    /** The next entry is decided. */
    void decided(long seq) {
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        if (Entry.isOfKey(Entry.kind(memory, at))) {
            keys.decided(Entry.number(memory, at, Entry.HASH), seq);
        }
        bytes -= Entry.length(memory, at);
        committed = seq;
    }

    /** Nothing was prepared for a while: what is kept for the next ones is less. */
    void rest() {
        reservations.rest();
    }

    void release() {
        reservations.release();
    }
}
