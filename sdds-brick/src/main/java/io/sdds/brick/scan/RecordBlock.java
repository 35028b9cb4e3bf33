package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;

/** The records of an answer to a SCAN or a RANGE, in the layout of {@link ReplyFrame}. A stage has one block. */
final class RecordBlock {
    /** Bytes of records after which a step ends, unless the client asked for fewer bytes. */
    static final int BYTES_MAX = 64 << 10;

    private static final int BYTES_KEPT = 1 << 20;

    private final RecordStore store;
    private final ByteBuf block;
    private MemorySegment memory;
    private int used;
    private byte what;
    private long timeNanos;

    RecordBlock(RecordStore store, Env env) {
        this.store = store;
        this.block = env.allocate(BYTES_MAX);
        this.memory = Request.memoryOf(block);
    }

    /**
     * Empties the block.
     *
     * @param asked what of each record the block takes, such as {@link RequestFrame#SCAN_KEYS}
     * @param now the logical time of the partition, for the times that records have left
     * @throws ProtocolViolation when a request can't ask for this
     */
    void begin(byte asked, long now) {
        boolean known = asked >= RequestFrame.SCAN_RECORDS && asked <= RequestFrame.SCAN_COUNT
                || asked == RequestFrame.SCAN_VERSIONED;
        if (!known) {
            throw new ProtocolViolation("a scan can't answer with " + asked);
        }
        what = asked;
        timeNanos = now;
        used = 0;
    }

    /** Gives back the memory that the block took for large records, when its records have been sent. */
    void giveBack() {
        if (block.capacity() > BYTES_KEPT) {
            block.clear().capacity(BYTES_MAX);
            memory = Request.memoryOf(block);
        }
    }

    /** The bytes of records after which a step ends, when the client asked for a number. */
    static int bytesMax(int asked) {
        return Math.max(1, Math.min(asked, BYTES_MAX));
    }

    /** Whether only the number of records is asked for, so that the block stays empty. */
    boolean counts() {
        return what == RequestFrame.SCAN_COUNT;
    }

    /** Bytes of the records added. */
    int used() {
        return used;
    }

    /** The records added, from reader to writer index. */
    ByteBuf bytes() {
        return block.setIndex(0, used);
    }

    /** Adds a record, or what is asked for of it; the block grows for a large record. */
    void add(long ref) {
        if (what == RequestFrame.SCAN_COUNT) {
            return;
        }
        int keyLength = store.keyLength(ref);
        int valueLength = what == RequestFrame.SCAN_KEYS ? 0 : store.valueLength(ref);
        int header = ReplyFrame.scanRecordHeader(what);
        int length = header + keyLength + valueLength;
        if (length > memory.byteSize() - used) {
            grow(length);
        }
        memory.set(SegmentBytes.SHORT, used, (short) keyLength);
        memory.set(SegmentBytes.INT, used + Short.BYTES, valueLength);
        if (what == RequestFrame.SCAN_VERSIONED) {
            long millisLeft = Replies.millisLeft(store.expiry(ref), timeNanos);
            memory.set(SegmentBytes.LONG, used + ReplyFrame.SCAN_RECORD_HEADER, store.version(ref));
            memory.set(SegmentBytes.LONG, used + ReplyFrame.SCAN_RECORD_HEADER + Long.BYTES, millisLeft);
        }
        // The value lies behind the key.
        MemorySegment.copy(store.segment(ref), store.keyOffset(ref), memory, used + header, keyLength + valueLength);
        used += length;
    }

    private void grow(int length) {
        block.setIndex(0, used);
        block.ensureWritable(length);
        memory = Request.memoryOf(block);
    }

    void release() {
        block.release();
    }
}
