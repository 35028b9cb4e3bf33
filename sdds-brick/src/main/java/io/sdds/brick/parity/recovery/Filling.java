package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.MissingRecords;
import io.sdds.brick.group.ParkedReads;
import io.sdds.brick.group.ReadIndexRound;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.protocol.Opcode;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a recovered column that is not here yet, at the spare that is the column's primary. Requests for a
 * missing record wait until the record has come (docs/design/parity.md, "A spare takes over").
 */
final class Filling implements MissingRecords {
    private static final Logger log = LoggerFactory.getLogger(Filling.class);
    private static final long FINGERPRINT_MASK = 0xFFFF_FFFFL;

    /** A request with this fingerprint waits until no rank is missing. No record has this fingerprint. */
    private static final long ALL = 0;

    private final Groups groups;
    private final Partition partition;
    private final MissingRanks missing;
    private final int total;
    private final ParkedReads parked;
    private final RecordPulls pulls;

    /** The column is given back when memory has been short for so many ticks, 1 s. */
    private static final int TICKS_WITHOUT_MEMORY = 10;

    /** Whether the memory for a record was refused, and no record has been put since. */
    private boolean memoryRefused;

    /** Ticks since the memory was refused. */
    private int ticksRefused;

    /**
     * @param missing ranks of the column, which are allocated in the partition's bucket and have no record there
     * @param sliceBytes bytes of a slice of the table
     */
    Filling(Groups groups, Partition partition, MissingRanks missing, RecordPulls.Sender sender, int sliceBytes) {
        this.groups = groups;
        this.partition = partition;
        this.missing = missing;
        this.total = missing.count();
        this.parked = new ParkedReads(groups.env());
        this.pulls = new RecordPulls(groups.env(), missing, sender, groups.pulls(), sliceBytes);
    }

    /** Whether the record of a rank exists, and is not here yet. */
    @Override
    public boolean isMissing(int rank) {
        return missing.isMissing(rank);
    }

    /** Number of records that are not here yet. */
    public int left() {
        return missing.count();
    }

    /** Number of records that the column had when its recovery began. */
    @Override
    public int total() {
        return total;
    }

    // ---- requests of clients

    /**
     * Whether a request may run now. Otherwise the request is kept until its record is here, or is answered BUSY. A
     * request for many keys waits until all records are here.
     */
    @Override
    public boolean admits(Request request) {
        if (missing.count() == 0) {
            return true;
        }
        if (!Opcode.isOfKey(request.opcode)) {
            park(request, ALL);
            return false;
        }
        int fingerprint = ParityRecords.fingerprint(request.hash);
        if (!missing.has(fingerprint) || isHere(request)) {
            return true;
        }
        if (memoryRefused) {
            groups.busy(request);
        } else if (park(request, fingerprint & FINGERPRINT_MASK)) {
            groups.recoveryCounters()
                    .add(
                            Opcode.isWrite(request.opcode)
                                    ? RecoveryCounters.Event.PULLED_BY_WRITE
                                    : RecoveryCounters.Event.PULLED_BY_READ);
            missing.forEach(fingerprint, pulls::want);
            groups.dirty(partition.group());
        }
        return false;
    }

    private boolean isHere(Request request) {
        return partition.bucket().findAny(request.hash, request.frame, request.keyOffset, request.keyLength) != 0;
    }

    private boolean park(Request request, long fingerprint) {
        boolean kept = parked.add(request, fingerprint, ReadIndexRound.NONE);
        if (!kept) {
            groups.busy(request);
        }
        return kept;
    }

    private boolean isOver(long fingerprint) {
        return fingerprint == ALL ? missing.count() == 0 : !missing.has((int) fingerprint);
    }

    // ---- records

    /**
     * Takes an answer with decoded records ({@link ColumnFrame}). Records that are here already are ignored: they may
     * have been rewritten since.
     */
    public void onRecords(ByteBuf frame, int index, int length) {
        MemorySegment memory = Request.memoryOf(frame);
        int count = frame.getIntLE(index + ColumnFrame.COUNT);
        int end = index + length;
        int at = index + ColumnFrame.RANKS;
        int left = missing.count();
        boolean taken = true;
        for (int k = 0; k < count && taken; k++) {
            ColumnFrame.need(ColumnFrame.RECORD_HEADER, at, end);
            int rank = frame.getIntLE(at);
            int bytes = frame.getIntLE(at + Integer.BYTES);
            at += ColumnFrame.RECORD_HEADER;
            ColumnFrame.need(bytes, at, end);
            taken = take(rank, memory, at, bytes);
            at += bytes;
        }
        long bytes = (long) at - index - ColumnFrame.RANKS - (long) count * ColumnFrame.RECORD_HEADER;
        pulls.answered(frame.getIntLE(index + ColumnFrame.REQUEST), Math.max(0, bytes), count);
        if (!taken) {
            refuse();
        }
        if (missing.count() < left) {
            memoryRefused &= !taken;
            release();
        }
        groups.dirty(partition.group());
    }

    /**
     * Takes the decoded record of a rank.
     *
     * @return false if the memory is refused
     */
    boolean take(int rank, MemorySegment memory, long at, int length) {
        if (!missing.isMissing(rank)) {
            groups.recoveryCounters().add(RecoveryCounters.Event.LATE_RECORD_IGNORED);
            return true;
        }
        String problem = CodedRecord.problem(memory, at, length);
        if (problem != null) {
            warn(rank, problem);
            return true;
        }
        int keyLength = CodedRecord.keyLength(memory, at);
        long keyOffset = CodedRecord.keyOffset(memory, at);
        long hash = SegmentHash.hash(memory, keyOffset, keyLength);
        if (!missing.has(ParityRecords.fingerprint(hash), rank)) {
            warn(rank, "the record has another fingerprint");
            return true;
        }
        if (!put(rank, hash, memory, at, keyOffset, keyLength)) {
            return false;
        }
        missing.remove(rank);
        return true;
    }

    private boolean put(int rank, long hash, MemorySegment memory, long at, long keyOffset, int keyLength) {
        Bucket bucket = partition.bucket();
        if (bucket.findAny(hash, memory, keyOffset, keyLength) != 0) {
            throw new IllegalStateException("the key of missing rank " + rank + " has a record already, in table "
                    + partition.table() + " partition " + partition.number());
        }
        if (!groups.hasMemory(CodedRecord.length(memory, at))) {
            return false;
        }
        bucket.ranks().rankOfNext(rank);
        PutResult result = bucket.put(
                hash,
                memory,
                keyOffset,
                keyLength,
                memory,
                CodedRecord.valueOffset(memory, at),
                CodedRecord.valueLength(memory, at),
                CodedRecord.version(memory, at),
                CodedRecord.expiry(memory, at),
                false);
        return result != PutResult.FULL;
    }

    private void warn(int rank, String problem) {
        log.warn(
                "rank {} of table {} partition {} is asked for again: {}",
                rank,
                partition.table(),
                partition.number(),
                problem);
        pulls.pause();
    }

    /** There is no memory for a record. The requests that wait for records are answered BUSY. */
    private void refuse() {
        if (!memoryRefused) {
            log.warn(
                    "no memory for the records of table {} partition {}, which is being recovered: {} of {} are here",
                    partition.table(),
                    partition.number(),
                    total - missing.count(),
                    total);
        }
        memoryRefused = true;
        pulls.pause();
        parked.release((fingerprint, round) -> fingerprint != ALL && !isOver(fingerprint), groups::overdue);
    }

    /** Runs the requests whose records are here. */
    private void release() {
        parked.release((fingerprint, round) -> isOver(fingerprint), groups::rerun);
    }

    // ---- turns

    /** At the end of a turn: asks for records, once this member may answer for the column itself. */
    @Override
    public void flush() {
        if (partition.group().isSettledLeader()) {
            pulls.send();
        }
    }

    /**
     * Each 100 ms: gives the column back if its records do not fit here. Answers the requests that have waited too
     * long, and asks for lost records again.
     */
    @Override
    public void tick() {
        ticksRefused = memoryRefused ? ticksRefused + 1 : 0;
        if (ticksRefused >= TICKS_WITHOUT_MEMORY) {
            groups.giveBack(partition);
            return;
        }
        parked.expire(groups::overdue);
        pulls.tick();
        parked.forEachSeq(fingerprint -> {
            if (fingerprint != ALL) {
                missing.forEach((int) fingerprint, pulls::want);
            }
        });
    }

    /** Runs all waiting requests again, because this member serves no more. They are redirected or forwarded. */
    @Override
    public void stopServing() {
        pulls.end();
        parked.release((fingerprint, round) -> true, groups::rerun);
    }

    /** Frees the requests that wait, because the column is complete, or the node or the group ends. */
    @Override
    public void end() {
        pulls.end();
        parked.release();
    }
}
