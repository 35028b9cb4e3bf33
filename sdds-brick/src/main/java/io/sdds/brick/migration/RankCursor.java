package io.sdds.brick.migration;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Results;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/** All records of a column of a table with parity, in the order of their ranks, those that have expired included. */
final class RankCursor implements RecordCursor {

    /* The sums at the parity members have each record at its rank, until an entry of the log removes the record. So a
     * record that has expired is copied, too. A rank above the cursor that gets a record is passed later. A record that
     * has been removed counts as passed: its rank may have another record by now, which must not meet it at the
     * target. */
    private static final int PASS_RANKS = 64;

    private final Partition partition;
    private final RankSpace ranks;
    private final RecordStore store;
    private int next;
    private boolean atEnd;

    RankCursor(Partition partition, RankSpace ranks, RecordStore store) {
        this.partition = partition;
        this.ranks = ranks;
        this.store = store;
    }

    @Override
    public boolean contains(Request request) {
        return true;
    }

    @Override
    public boolean contains(long hash, MemorySegment key, long keyOffset, int keyLength) {
        return true;
    }

    @Override
    public boolean mayContain(long hash) {
        return true;
    }

    @Override
    public boolean isPassed(long hash, MemorySegment key, long keyOffset, int keyLength) {
        long ref = partition.bucket().findAny(hash, key, keyOffset, keyLength);
        return atEnd || ref == 0 || store.rank(ref) < next;
    }

    @Override
    public void rewind() {
        next = 0;
        atEnd = false;
    }

    @Override
    public boolean isAtEnd() {
        return atEnd;
    }

    @Override
    public void pass(LongConsumer visitor) {
        int end = Math.min(ranks.top(), next + PASS_RANKS);
        for (int bytes = 0; next < end && bytes < PASS_BYTES; next++) {
            long ref = ranks.reference(next);
            if (ref != 0) {
                bytes += store.contentLength(ref);
                visitor.accept(ref);
            }
        }
        atEnd = next >= ranks.top();
    }

    @Override
    public void results(Results results, Results.Visitor visitor) {
        results.forEach(visitor);
    }

    @Override
    public long bytes() {
        return partition.bytes();
    }

    @Override
    public boolean keepsRanks() {
        return true;
    }
}
