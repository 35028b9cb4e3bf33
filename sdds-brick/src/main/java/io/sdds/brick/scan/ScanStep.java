package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Request;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One step of a scan: it reads LH-buckets from a point on, until the interval ends or a limit is reached. */
final class ScanStep {
    /**
     * Bytes of records after which a step ends, unless the client asked for fewer bytes. The last batch of a step may
     * add a quarter. A block always has at least one record.
     */
    static final int BLOCK_BYTES_MAX = 64 << 10;

    /** Records looked at after which a step ends: about 200 µs of work. */
    private static final int RECORDS_MAX = 4096;

    /** Batches after which a step ends, for partitions that are nearly empty. */
    private static final int BATCHES_MAX = 128;

    /** A batch may have this part of the bytes that a step may answer, even when less is left. */
    private static final int BATCH_BYTES_PART = 4;

    private final RecordStore store;
    private final RecordBatch batch;
    private final ByteBuf block;
    private final long from;
    private final long end;
    private final int bytesMax;
    private final byte what;
    private final @Nullable FilterMatcher filter;
    private int seen;
    private long matched;

    private ScanStep(
            RecordStore store,
            RecordBatch batch,
            ByteBuf block,
            long from,
            long end,
            int bytesMax,
            byte what,
            @Nullable FilterMatcher filter) {
        this.store = store;
        this.batch = batch;
        this.block = block;
        this.from = from;
        this.end = end;
        this.bytesMax = bytesMax;
        this.what = what;
        this.filter = filter;
    }

    /**
     * Makes the step that a request asks for.
     *
     * @throws ProtocolViolation when the filter of the request can't be read
     */
    static ScanStep of(RecordStore store, RecordBatch batch, Request request, ByteBuf block) {
        if (request.opcode == Opcode.SIZE) {
            return new ScanStep(
                    store, batch, block, request.from, request.end, BLOCK_BYTES_MAX, RequestFrame.SCAN_COUNT, null);
        }
        byte what = request.scanWhat();
        if (what < RequestFrame.SCAN_RECORDS || what > RequestFrame.SCAN_COUNT) {
            throw new ProtocolViolation("a scan can't answer with " + what);
        }
        ByteBuf filter = request.scanFilter();
        int bytesMax = Math.max(1, Math.min(request.scanBytesMax(), BLOCK_BYTES_MAX));
        return new ScanStep(store, batch, block, request.from, request.end, bytesMax, what, FilterMatcher.read(filter));
    }

    /** Runs the step and returns the point that it reached; 0 is the end of the space. */
    long run(HashPartition partition) {
        long stop = ScanOrder.minEnd(end, ScanOrder.end(partition.number(), partition.level()));
        long cursor = from;
        int batches = 0;
        do {
            int room = bytesMax - block.readableBytes();
            cursor = partition.bucket().next(cursor, stop, Math.max(room, bytesMax / BATCH_BYTES_PART), batch);
            look();
            batches++;
        } while (cursor != stop && block.readableBytes() < bytesMax && seen < RECORDS_MAX && batches < BATCHES_MAX);
        return cursor;
    }

    /** Number of records that passed the filter. */
    long matched() {
        return matched;
    }

    private void look() {
        seen += batch.size();
        for (int i = 0; i < batch.size(); i++) {
            long ref = batch.get(i);
            if (filter == null || filter.matches(store, ref)) {
                matched++;
                append(ref);
            }
        }
    }

    private void append(long ref) {
        if (what == RequestFrame.SCAN_COUNT) {
            return;
        }
        int keyLength = store.keyLength(ref);
        int valueLength = what == RequestFrame.SCAN_KEYS ? 0 : store.valueLength(ref);
        block.ensureWritable(ReplyFrame.SCAN_RECORD_HEADER + keyLength + valueLength);
        block.writeShortLE(keyLength).writeIntLE(valueLength);
        MemorySegment memory = Request.memoryOf(block);
        int at = block.writerIndex();
        MemorySegment.copy(store.segment(ref), store.keyOffset(ref), memory, at, keyLength);
        MemorySegment.copy(store.segment(ref), store.valueOffset(ref), memory, at + keyLength, valueLength);
        block.writerIndex(at + keyLength + valueLength);
    }
}
