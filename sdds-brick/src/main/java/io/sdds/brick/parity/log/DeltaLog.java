package io.sdds.brick.parity.log;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.group.Entry;
import io.sdds.brick.group.GroupLog;
import io.sdds.brick.group.Groups;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.DropList;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The log of a data partition in the rendering for its parity members: an entry of the same seq for each entry of
 * {@link io.sdds.brick.group.Replication}'s log, with the delta of the record's coded form instead of key and value.
 */
final class DeltaLog {
    private final GroupLog entries;
    private final GroupLog log;
    private final Partition partition;
    private final RecordStore store;
    private final RankSpace ranks;
    private final ErasureKernel kernel;
    private final OldRecord old = new OldRecord();

    /** The records of the interval or range of the CLEAR that is to be the next entry. */
    private @Nullable DropList cleared;

    /** Bytes that the uncommitted entries hold at a parity member. */
    private long uncommittedBytes;

    /** The entries up to this seq have no rendering here. Those that write records write them without ranks. */
    private long start;

    /**
     * Whether some records may have no rank, because the bucket is being ranked. Such a record is in no sum of the
     * parity members. So the delta of a change of the record is that of a new record, and its removal has no delta.
     * Nobody is sent these entries: a parity member joins when all records have ranks.
     */
    private boolean partly;

    /** @param entries the log in the rendering for data members */
    DeltaLog(Groups groups, Partition partition, GroupLog entries, RankSpace ranks) {
        this.entries = entries;
        this.log = groups.newLog();
        this.partition = partition;
        this.store = groups.store();
        this.ranks = ranks;
        this.kernel = groups.kernel();
    }

    /** The record of the write's key before the write, the uncommitted entries included. */
    private static final class OldRecord {
        boolean found;
        int rank;

        /** Whether a record was found that has no rank. It does not count as found. */
        boolean unranked;

        /** Reference of the record, if no uncommitted entry has the key; else 0. */
        long ref;

        /** Seq of the uncommitted PUT that is the record, if there is one; else 0. */
        long seq;

        /** Bytes of its coded form. */
        int length;
    }

    GroupLog log() {
        return log;
    }

    /** Bytes that the uncommitted entries hold at a parity member, with the share of each long entry. */
    long uncommittedBytes() {
        return uncommittedBytes;
    }

    // ---- before a write is proposed

    /**
     * Looks up the record that a write of a key changes, expired or not.
     *
     * @param last the last uncommitted entry of the pseudo-key; 0 if there is none
     * @return false if that entry is about another key, so that the record is not known yet
     */
    boolean look(Request request, long last) {
        return look(request.hash, request.frame, request.keyOffset, request.keyLength, last);
    }

    /** As the other {@code look}, of a write that no client has sent. */
    boolean look(long hash, MemorySegment key, long keyOffset, int keyLength, long last) {
        old.seq = 0;
        old.ref = 0;
        old.found = false;
        old.unranked = false;
        old.length = 0;
        if (last == 0) {
            lookInBucket(hash, key, keyOffset, keyLength);
            return true;
        }
        MemorySegment memory = entries.memory();
        int at = entries.index(last);
        if (!Entry.hasKey(memory, at, key, keyOffset, keyLength)) {
            return false;
        }
        if (Entry.kind(memory, at) == Entry.PUT && last <= start) {
            old.unranked = true;
        } else if (Entry.kind(memory, at) == Entry.PUT) {
            old.found = true;
            old.seq = last;
            old.rank = rankOf(last);
            old.length = CodedRecord.length(
                    Entry.keyLength(memory, at), Entry.valueLength(memory, at), Entry.number(memory, at, Entry.EXPIRY));
        }
        return true;
    }

    private void lookInBucket(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long ref = partition.bucket().findAny(hash, key, keyOffset, keyLength);
        if (ref != 0 && partly && ranks.reference(store.rank(ref)) != ref) {
            old.unranked = true;
        } else if (ref != 0) {
            old.found = true;
            old.ref = ref;
            old.rank = store.rank(ref);
            old.length = CodedRecord.length(store, ref);
        }
    }

    /** Whether {@link #look} has found a record. */
    boolean hasOld() {
        return old.found;
    }

    /** Bytes that the delta of the record's removal has; a change may have more. */
    int oldBytes() {
        return old.length;
    }

    /** Takes a rank for the record that {@link #look} has not found; false if there is no memory. */
    boolean takeRank() {
        if (!old.found) {
            old.rank = ranks.allocate(false);
        }
        return old.rank >= 0;
    }

    /** The write is not proposed after {@link #takeRank}. */
    void giveRank() {
        if (!old.found) {
            ranks.free(old.rank);
        }
    }

    /** The next entry is a CLEAR of some records, which have no other uncommitted entry. */
    void clears(DropList records) {
        cleared = records;
    }

    // ---- entries

    /** Writes the delta of the entry that was appended last. */
    void appended() {
        int at = entries.index(entries.last());
        switch (Entry.kind(entries.memory(), at)) {
            case Entry.PUT -> put(at);
            case Entry.REMOVE -> {
                if (old.unranked) {
                    nothing(at);
                } else {
                    remove(at);
                }
            }
            case Entry.DROP -> list(at, Entry.DELTA_DROP);
            case Entry.RERANK -> list(at, Entry.DELTA_RERANK);
            case Entry.CLEAR -> clear(at, Objects.requireNonNull(cleared, "a clear without its records"));
            default -> copy(at);
        }
        log.appended();
        uncommittedBytes += heldBytes(log.index(log.last()));
    }

    /** The old record's coded form is written behind the entry, and is overwritten by the next entry. */
    private void put(int at) {
        MemorySegment memory = entries.memory();
        int length = CodedRecord.length(
                Entry.keyLength(memory, at), Entry.valueLength(memory, at), Entry.number(memory, at, Entry.EXPIRY));
        int deltaLength = Math.max(length, old.length);
        int delta = header(at, Entry.DELTA, deltaLength);
        writeCoded(at, log.memory(), delta);
        if (old.found) {
            int behind = delta + deltaLength;
            writeOld(behind);
            CodedRecord.toDelta(kernel, log.memory(), behind, old.length, log.memory(), delta, length);
        }
    }

    private void remove(int at) {
        writeOld(header(at, Entry.DELTA_REMOVE, old.length));
    }

    private void nothing(int at) {
        head(at, log.claim(Entry.KEY), Entry.NOTHING, Entry.KEY);
    }

    /** Writes the entry up to its delta, and makes room behind the entry; returns the offset of the delta. */
    private int header(int at, byte kind, int deltaLength) {
        int length = Entry.DELTA_BYTES + deltaLength;
        int to = log.claim(length + old.length);
        head(at, to, kind, length);
        log.memory().set(Entry.INT, (long) to + Entry.KEY, old.rank);
        return to + Entry.DELTA_BYTES;
    }

    private void head(int at, int to, byte kind, int length) {
        MemorySegment memory = log.memory();
        MemorySegment.copy(entries.memory(), at, memory, to, Entry.KEY);
        memory.set(Entry.INT, (long) to + Entry.LENGTH, length);
        memory.set(Entry.INT, (long) to + Entry.KIND, kind | (Entry.status(entries.memory(), at) & 0xff) << 8);
    }

    private void writeOld(int offset) {
        if (old.seq == 0) {
            CodedRecord.write(store, old.ref, log.memory(), offset);
        } else {
            writeCoded(entries.index(old.seq), log.memory(), offset);
        }
    }

    /** Writes the coded form of the record that a PUT writes. */
    private void writeCoded(int at, MemorySegment to, long offset) {
        MemorySegment memory = entries.memory();
        int keyLength = Entry.keyLength(memory, at);
        CodedRecord.write(
                memory,
                (long) at + Entry.KEY,
                keyLength,
                memory,
                (long) at + Entry.KEY + keyLength,
                Entry.valueLength(memory, at),
                Entry.number(memory, at, Entry.VERSION),
                Entry.number(memory, at, Entry.EXPIRY),
                to,
                offset);
    }

    /** No other entry about the records of a DROP or RERANK is uncommitted, so the bucket has these records. */
    private void list(int at, byte kind) {
        MemorySegment memory = entries.memory();
        int step = Entry.listedBytes(Entry.kind(memory, at));
        int end = at + Entry.length(memory, at);
        int length = Entry.KEY;
        for (int next = at + Entry.KEY; next < end; next += step) {
            long ref = ranks.reference(Entry.listedRank(memory, next));
            length += Entry.deltaHeader(kind) + CodedRecord.length(store, ref);
        }
        int to = log.claim(length);
        head(at, to, kind, length);
        int out = to + Entry.KEY;
        for (int next = at + Entry.KEY; next < end; next += step) {
            out += listed(kind, next, out);
        }
    }

    /**
     * Writes a CLEAR as a DELTA_DROP. Members without ranks find the records by their keys, and all members of the
     * group remove all of them or none.
     */
    private void clear(int at, DropList records) {
        long timeNanos = Entry.number(entries.memory(), at, Entry.TIME);
        int length = Entry.KEY;
        for (int k = 0; k < records.size(); k++) {
            long ref = records.reference(k);
            length +=
                    isInSums(ref, timeNanos) ? Entry.deltaHeader(Entry.DELTA_DROP) + CodedRecord.length(store, ref) : 0;
        }
        int to = log.claim(length);
        head(at, to, Entry.DELTA_DROP, length);
        int out = to + Entry.KEY;
        for (int k = 0; k < records.size(); k++) {
            long ref = records.reference(k);
            if (isInSums(ref, timeNanos)) {
                log.memory().set(Entry.INT, out, store.rank(ref));
                out += delta(Entry.DELTA_DROP, ref, out);
            }
        }
    }

    /** Whether a CLEAR at a logical time removes a record with a rank. It leaves an expired record to the sweep. */
    private boolean isInSums(long ref, long timeNanos) {
        long expiry = store.expiry(ref);
        return (expiry == RecordStore.NO_EXPIRY || expiry > timeNanos)
                && (!partly || ranks.reference(store.rank(ref)) == ref);
    }

    /** Writes the part of a DELTA_DROP or DELTA_RERANK that is about one record; returns its bytes. */
    private int listed(byte kind, int at, int out) {
        MemorySegment memory = log.memory();
        int rank = Entry.listedRank(entries.memory(), at);
        memory.set(Entry.INT, out, rank);
        if (kind == Entry.DELTA_RERANK) {
            long hash = Entry.listedHash(entries.memory(), at);
            memory.set(Entry.INT, (long) out + Integer.BYTES, Entry.nextRank(entries.memory(), at));
            memory.set(Entry.INT, out + 2L * Integer.BYTES, ParityRecords.fingerprint(hash));
        }
        return delta(kind, ranks.reference(rank), out);
    }

    /** Writes the delta of a record behind the ranks and the fingerprint; returns the bytes from them on. */
    private int delta(byte kind, long ref, int out) {
        int delta = out + Entry.deltaHeader(kind);
        int length = CodedRecord.write(store, ref, log.memory(), delta);
        log.memory().set(Entry.INT, (long) delta - Integer.BYTES, length);
        return Entry.deltaHeader(kind) + length;
    }

    private void copy(int at) {
        int length = Entry.length(entries.memory(), at);
        int to = log.claim(length);
        MemorySegment.copy(entries.memory(), at, log.memory(), to, length);
    }

    // ---- commit

    /** The rank of the record that an entry inserts, changes or removes; {@link RecordStore#NO_RANK} if it has none. */
    int rankOf(long seq) {
        return seq <= start ? RecordStore.NO_RANK : Entry.integer(log.memory(), (long) log.index(seq) + Entry.KEY);
    }

    /** The next entry is committed, and the bucket has its effect. */
    void committed(long seq) {
        if (seq <= start) {
            return;
        }
        int at = log.index(seq);
        uncommittedBytes -= heldBytes(at);
        if (Entry.kind(log.memory(), at) == Entry.DELTA_REMOVE) {
            ranks.free(rankOf(seq));
        } else if (Entry.kind(entries.memory(), entries.index(seq)) == Entry.CLEAR) {
            Entry.forEachFold(log.memory(), at, (rank, offset, length, fingerprint) -> ranks.free(rank));
        }
    }

    /**
     * Bytes that an entry holds at a parity member until its commit, with the share of a long entry. A DELTA_RERANK
     * folds each delta twice.
     */
    private int heldBytes(int at) {
        int share = log.share(Entry.length(log.memory(), at));
        return Entry.kind(log.memory(), at) == Entry.DELTA_RERANK ? 2 * share : share;
    }

    /** Begins an empty log behind a seq. */
    void begin(long seq) {
        log.begin(seq);
        start = seq;
        uncommittedBytes = 0;
    }

    /** Begins behind the last entry of the log, though the bucket has records without ranks. */
    void beginPartly() {
        begin(entries.last());
        partly = true;
    }

    /** The entries behind this seq have a rendering here, and ranks for the records that they write. */
    long start() {
        return start;
    }

    /** From now on each record has a rank. */
    void allRanked() {
        partly = false;
    }

    void release() {
        log.release();
    }
}
