package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
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
     * Bytes of records after which a step ends, unless the client asked for fewer bytes. A step also reads at most so
     * many bytes of one LH-bucket at a time. A block always has at least one record.
     */
    static final int BLOCK_BYTES_MAX = 64 << 10;

    /** Records looked at after which a step ends: about 200 µs of work. */
    private static final int RECORDS_MAX = 4096;

    /** LH-buckets visited after which a step ends, for partitions that are nearly empty. */
    private static final int BUCKETS_MAX = 4096;

    private final RecordStore store;
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
            ByteBuf block,
            long from,
            long end,
            int bytesMax,
            byte what,
            @Nullable FilterMatcher filter) {
        this.store = store;
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
    static ScanStep of(RecordStore store, Request request, ByteBuf block) {
        if (request.opcode == Opcode.SIZE) {
            return new ScanStep(
                    store, block, request.from, request.end, BLOCK_BYTES_MAX, RequestFrame.SCAN_COUNT, null);
        }
        byte what = request.scanWhat();
        if (what < RequestFrame.SCAN_RECORDS || what > RequestFrame.SCAN_COUNT) {
            throw new ProtocolViolation("a scan can't answer with " + what);
        }
        ByteBuf filter = request.scanFilter();
        int bytesMax = Math.max(1, Math.min(request.scanBytesMax(), BLOCK_BYTES_MAX));
        return new ScanStep(store, block, request.from, request.end, bytesMax, what, FilterMatcher.read(filter));
    }

    /** Runs the step and returns the point that it reached; 0 is the end of the space. */
    long run(HashPartition partition) {
        long stop = ScanOrder.minEnd(end, ScanOrder.end(partition.number(), partition.level()));
        long cursor = from;
        int buckets = 0;
        do {
            cursor = partition.bucket().visitSome(cursor, BLOCK_BYTES_MAX, (ref, hash) -> visit(ref, hash, stop));
            buckets++;
        } while (cursor != 0
                && ScanOrder.before(cursor, stop)
                && block.readableBytes() < bytesMax
                && seen < RECORDS_MAX
                && buckets < BUCKETS_MAX);
        return cursor == 0 || !ScanOrder.before(cursor, stop) ? stop : cursor;
    }

    /** Number of records that passed the filter. */
    long matched() {
        return matched;
    }

    private void visit(long ref, long hash, long stop) {
        long point = ScanOrder.point(hash);
        if (Long.compareUnsigned(point, from) < 0 || !ScanOrder.before(point, stop)) {
            return;
        }
        seen++;
        if (filter == null || filter.matches(store, ref)) {
            matched++;
            append(ref);
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
