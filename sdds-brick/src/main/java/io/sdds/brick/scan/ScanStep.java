package io.sdds.brick.scan;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;

/**
 * One step of a scan: it reads batches of records from a point on, until the interval ends or a limit is reached. A
 * stage uses one object for all its steps.
 */
final class ScanStep {
    /** Records looked at after which a step ends: about 200 µs of work. */
    private static final int RECORDS_MAX = 4096;

    /** Batches after which a step ends, for partitions that are nearly empty. */
    private static final int BATCHES_MAX = 128;

    /** Work of a filter that takes as long as to look at a record. */
    static final int RECORD_WORK = 400;

    /** Bytes of records that a filter of one test looks at together. */
    static final long FILTER_BYTES = 128 << 10;

    /** A batch may have this part of the bytes that a step may answer, even when less is left. */
    private static final int BATCH_BYTES_PART = 4;

    private final RecordStore store;
    private final RecordBatch batch;
    private final RecordBlock block;
    private final FilterCache filters;
    private FilterMatcher filter = FilterMatcher.EVERYTHING;
    private int bytesMax;
    private long batchBytesMax;

    /** Records looked at, with those that have cost as much as other work. */
    private long seen;

    private long matched;

    ScanStep(RecordStore store, RecordBatch batch, RecordBlock block, FilterCache filters) {
        this.store = store;
        this.batch = batch;
        this.block = block;
        this.filters = filters;
    }

    /**
     * Runs the step of a SCAN or SIZE, and answers the request.
     *
     * @throws ProtocolViolation when the request can't be read
     */
    void run(HashPartition partition, Request request, Replies replies) {
        read(partition, request);
        long end = ScanOrder.minEnd(request.end, ScanOrder.end(partition.number(), partition.level()));
        long cursor = request.from;
        int batches = 0;
        do {
            int room = bytesMax - block.used();
            long most = Math.max(room, bytesMax / BATCH_BYTES_PART);
            cursor = partition.bucket().next(cursor, end, Math.min(most, batchBytesMax), batch);
            look();
            batches++;
        } while (cursor != end && block.used() < bytesMax && seen < RECORDS_MAX && batches < BATCHES_MAX);
        replies.block(request, cursor, matched, block.bytes());
    }

    private void read(HashPartition partition, Request request) {
        boolean isSize = request.opcode == Opcode.SIZE;
        block.begin(
                isSize ? RequestFrame.SCAN_COUNT : request.scanWhat(),
                partition.bucket().timeNanos());
        filter = isSize ? FilterMatcher.EVERYTHING : filters.filter(request.scanFilter());
        bytesMax = isSize ? RecordBlock.BYTES_MAX : RecordBlock.bytesMax(request.scanBytesMax());
        batchBytesMax = FILTER_BYTES / Math.max(1, filter.tests());
        filters.takeWork();
        seen = 0;
        matched = 0;
    }

    private void look() {
        seen += batch.size() + batch.expired();
        for (int from = 0; from < batch.size(); from += FilterMatcher.RECORDS_MAX) {
            long matching = filter.matches(store, batch, from);
            matched += Long.bitCount(matching);
            for (; matching != 0; matching &= matching - 1) {
                block.add(batch.get(from + Long.numberOfTrailingZeros(matching)));
            }
        }
        seen += filters.takeWork() / RECORD_WORK;
    }
}
