package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One step of a range query: it reads records in the order asked for, until the range ends, the partition's keys end or
 * a limit is reached. A stage uses one object for all its steps.
 */
final class RangeStep {
    /**
     * Bytes of records after which a step ends, unless the client asked for fewer bytes. A block always has at least
     * one record.
     */
    static final int BLOCK_BYTES_MAX = 64 << 10;

    /** Records looked at after which a step ends: about 200 µs of work. */
    static final int RECORDS_MAX = 4096;

    /** Most records of a short query, which costs no more than a few requests for keys. */
    private static final int SHORT_RECORDS = 256;

    private static final byte[] NOTHING = new byte[0];

    private final RecordStore store;
    private final RecordBatch batch;
    private final ByteBuf block;
    private final KeyRange range = new KeyRange();
    private MemorySegment memory;
    private int used;
    private int bytesMax;
    private int recordsMax;
    private byte what;
    private @Nullable FilterMatcher filter;
    private int seen;
    private int matched;
    private long last;

    /** @param block takes the records; it grows for a large record */
    RangeStep(RecordStore store, RecordBatch batch, ByteBuf block) {
        this.store = store;
        this.batch = batch;
        this.block = block;
        this.memory = Request.memoryOf(block);
    }

    /** Whether the query is short, so that its step may run at once, between requests for keys. */
    static boolean isShort(Request request) {
        return request.rangeWhat() == RequestFrame.SCAN_COUNT
                ? !request.rangeFilter().isReadable()
                : request.rangeRecordsMax() <= SHORT_RECORDS;
    }

    /**
     * Runs the step and answers the request.
     *
     * @throws ProtocolViolation when the query can't be read
     */
    void run(RangePartition partition, Request request, Replies replies) {
        read(request);
        if (what == RequestFrame.SCAN_COUNT
                && filter == null
                && !partition.bucket().mayHoldExpired()) {
            answerEnd(partition, request, replies, partition.count(request, range));
            return;
        }
        boolean ended = walk(partition, request);
        block.setIndex(0, used);
        if (ended) {
            answerEnd(partition, request, replies, matched);
        } else {
            replies.range(request, matched, ReplyFrame.RANGE_MORE, store.key(last), block);
        }
    }

    /** Records that the last step looked at. */
    int records() {
        return seen;
    }

    /** Bytes of the records that the last step found. */
    int bytes() {
        return used;
    }

    private void read(Request request) {
        what = request.rangeWhat();
        if (what < RequestFrame.SCAN_RECORDS || what > RequestFrame.SCAN_COUNT) {
            throw new ProtocolViolation("a range query can't answer with " + what);
        }
        filter = FilterMatcher.read(request.rangeFilter());
        bytesMax = Math.max(1, Math.min(request.rangeBytesMax(), BLOCK_BYTES_MAX));
        recordsMax = Math.max(1, request.rangeRecordsMax());
        seen = 0;
        matched = 0;
        used = 0;
        if (memory.byteSize() != block.capacity()) {
            memory = Request.memoryOf(block); // another scan may have made the block grow
        }
        block.clear();
    }

    private void answerEnd(RangePartition partition, Request request, Replies replies, long count) {
        if (count == 0 && request.wantsFindsAlone() && request.hops == 0) {
            return; // a brick that forwarded a request waits for an answer, even of no records
        }
        if (partition.holdsEnd(request)) {
            replies.range(request, count, ReplyFrame.RANGE_END, NOTHING, block);
        } else {
            byte[] reached = request.isDescending()
                    ? partition.span().low()
                    : partition.span().high();
            replies.range(request, count, ReplyFrame.RANGE_PART_END, reached, block);
        }
    }

    /** Looks at records of the range until it ends, or a limit is reached; returns whether it ended. */
    private boolean walk(RangePartition partition, Request request) {
        partition.begin(request, range);
        boolean more;
        do {
            more = partition.bucket().next(batch, recordsLeft());
            for (int i = 0; i < batch.size(); i++) {
                if (isFull()) {
                    return false;
                }
                look(batch.get(i));
            }
        } while (more && !isFull());
        return !more;
    }

    /** An estimate, from what was looked at so far, of the records to look at until the step ends; at least one. */
    private int recordsLeft() {
        long byBytes = used == 0 ? RECORDS_MAX : (long) (bytesMax - used) * seen / used + 1;
        long byRecords = matched == 0 ? Math.max(recordsMax, seen) : (long) (recordsMax - matched) * seen / matched;
        return (int) Math.max(1, Math.min(Math.min(byBytes, byRecords), RECORDS_MAX - seen));
    }

    private boolean isFull() {
        return used >= bytesMax || matched >= recordsMax || seen >= RECORDS_MAX;
    }

    private void look(long ref) {
        seen++;
        last = ref;
        if (filter == null || filter.matches(store, ref)) {
            matched++;
            if (what != RequestFrame.SCAN_COUNT) {
                append(ref);
            }
        }
    }

    private void append(long ref) {
        int keyLength = store.keyLength(ref);
        int valueLength = what == RequestFrame.SCAN_KEYS ? 0 : store.valueLength(ref);
        int length = ReplyFrame.SCAN_RECORD_HEADER + keyLength + valueLength;
        if (length > memory.byteSize() - used) {
            grow(length);
        }
        MemorySegment from = store.segment(ref);
        int at = used + ReplyFrame.SCAN_RECORD_HEADER;
        memory.set(SegmentBytes.SHORT, used, (short) keyLength);
        memory.set(SegmentBytes.INT, used + Short.BYTES, valueLength);
        MemorySegment.copy(from, store.keyOffset(ref), memory, at, keyLength);
        MemorySegment.copy(from, store.valueOffset(ref), memory, at + keyLength, valueLength);
        used += length;
    }

    private void grow(int length) {
        block.setIndex(0, used);
        block.ensureWritable(length);
        memory = Request.memoryOf(block);
    }
}
