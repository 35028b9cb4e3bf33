package io.sdds.brick.group;

import io.sdds.brick.bucket.MemoryReservations;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Current;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The uncommitted entries of one member's log, with an index of their keys and with the memory that is reserved for
 * them. A backup also keeps the results of the entries in the partition, because it may have to answer with them when
 * it leads.
 */
public final class UncommittedLog {
    private final GroupLog log;
    private final Partition partition;
    private final RecordStore store;
    private final UncommittedIndex keys = new UncommittedIndex();
    private final BarrierEntries barriers = new BarrierEntries();

    /** The memory of the entries, by seq. */
    private final MemoryReservations reservations;

    /** The last committed entry. */
    private long committed;

    /** Bytes of the uncommitted entries, with the share of each long entry. */
    private long bytes;

    /** Number of uncommitted entries that name records by their ranks. */
    private int lists;

    UncommittedLog(GroupLog log, Partition partition, RecordStore store) {
        this.log = log;
        this.partition = partition;
        this.store = store;
        this.reservations = new MemoryReservations(store, partition.bucket());
    }

    /** Begins an empty log behind a seq. All entries up to this seq are committed. */
    void begin(long seq) {
        committed = seq;
        log.begin(seq);
        reservations.begin(seq);
    }

    /** The seq of the last committed entry. */
    long committed() {
        return committed;
    }

    /** Whether all entries are committed. */
    boolean isEmpty() {
        return committed == log.last();
    }

    /** Number of uncommitted entries. */
    long count() {
        return log.last() - committed;
    }

    /** Bytes of the uncommitted entries, with the share of each long entry ({@link LongEntries}). */
    long bytes() {
        return bytes;
    }

    /** Whether an uncommitted entry names records by their ranks. */
    boolean hasLists() {
        return lists > 0;
    }

    /** The last entries that are about more than one key. */
    BarrierEntries barriers() {
        return barriers;
    }

    /** The seq of the last uncommitted entry that a read of a key must wait for; 0 if there is none. */
    long lastAbout(long hash) {
        return Math.max(keys.last(hash), barriers.clear() > committed ? barriers.clear() : 0);
    }

    /** The seq of the last uncommitted entry of a pseudo-key; 0 if there is none. */
    public long lastOf(long hash) {
        return keys.last(hash);
    }

    /** The seq of the last uncommitted entry of a pseudo-key, if this entry is a DROP or RERANK; else 0. */
    long listedBy(long hash) {
        long seq = keys.last(hash);
        return seq > 0 && Entry.listsRecords(Entry.kind(log.memory(), log.index(seq))) ? seq : 0;
    }

    /** The seq of the uncommitted entry of a session's write; 0 if there is none. */
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

    /** The writes of the uncommitted entries. */
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
     * Looks up a record on top of all uncommitted entries.
     *
     * @param current is set to the record, even if the record has expired
     * @return false if the record is not known, because the last entry of its pseudo-key is about another key
     */
    boolean look(Request request, Current current) {
        long seq = keys.last(request.hash);
        if (seq > 0) {
            return lookAt(seq, request, current);
        }
        current.record(partition.bucket().find(request.hash, request.frame, request.keyOffset, request.keyLength));
        return true;
    }

    private boolean lookAt(long seq, Request request, Current current) {
        // the caller may append an entry that copies this value; the buffer must not move then
        log.claim(Entry.length(log.memory(), log.index(seq)) + request.length + Entry.KEY);
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        int keyLength = Entry.keyLength(memory, at);
        if (!Entry.hasKey(memory, at, request)) {
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

    /** Reserves the memory of a put that is to be the next entry of the log; false if there is no memory. */
    boolean takeMemory(int keyLength, int valueLength, long expiry) {
        return reservations.provide(log.last() + 1, keyLength, valueLength, expiry, false);
    }

    /** Reserves the memory of a received entry, from the last 5 % of the memory, too; false if there is no memory. */
    boolean takeMemory(MemorySegment memory, int at) {
        return Entry.kind(memory, at) != Entry.PUT
                || reservations.provide(
                        log.last() + 1,
                        Entry.keyLength(memory, at),
                        Entry.valueLength(memory, at),
                        Entry.number(memory, at, Entry.EXPIRY),
                        true);
    }

    /** Adds an entry that is in the log and has its memory. */
    void add(long seq) {
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        byte kind = Entry.kind(memory, at);
        bytes += log.share(Entry.length(memory, at));
        if (Entry.isOfKey(kind)) {
            keys.add(Entry.number(memory, at, Entry.HASH), seq);
        } else if (Entry.listsRecords(kind)) {
            lists++;
            forEachListed(memory, at, kind, hash -> keys.add(hash, seq));
        } else {
            barriers.add(seq, memory, at, kind);
        }
    }

    private static void forEachListed(MemorySegment memory, int at, byte kind, LongConsumer hash) {
        int end = at + Entry.length(memory, at);
        for (int next = at + Entry.KEY; next < end; next += Entry.listedBytes(kind)) {
            hash.accept(Entry.listedHash(memory, next));
        }
    }

    /** Adds a received entry, and takes the version and the result that the primary gave it. */
    void receive(long seq) {
        add(seq);
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        partition.versionAtLeast(Entry.number(memory, at, Entry.VERSION));
        EntryResults.keep(partition.results(), memory, at);
    }

    /** Cuts off the entries behind a seq, with their results and their memory. They were never committed. */
    void cut(long seq) {
        EntryResults.forget(partition.results(), log, seq);
        reservations.cut(seq, log.last());
        log.cut(seq);
        bytes = 0;
        lists = 0;
        keys.clear();
        barriers.cut();
        for (long kept = committed + 1; kept <= seq; kept++) {
            add(kept);
        }
    }

    /** The next entry is being applied to the bucket, with the memory reserved for it, until {@link #used}. */
    void use(long seq) {
        reservations.use(seq);
    }

    void used(long seq) {
        reservations.used(seq);
    }

    /** The next entry is committed. */
    void markCommitted(long seq) {
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        byte kind = Entry.kind(memory, at);
        if (Entry.isOfKey(kind)) {
            keys.markCommitted(Entry.number(memory, at, Entry.HASH), seq);
        } else if (Entry.listsRecords(kind)) {
            lists--;
            forEachListed(memory, at, kind, hash -> keys.markCommitted(hash, seq));
        }
        bytes -= log.share(Entry.length(memory, at));
        committed = seq;
    }

    /** Frees memory that no uncommitted entry needs. */
    void releaseSpareMemory() {
        reservations.releaseSpares();
    }

    void release() {
        reservations.release();
    }
}
