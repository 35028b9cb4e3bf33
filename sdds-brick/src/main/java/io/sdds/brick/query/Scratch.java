package io.sdds.brick.query;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The texts that a batch computes. Memory that was taken stays where it is until the next batch. */
final class Scratch {
    private static final int BLOCK_BYTES = 64 << 10;

    /** Work for a byte that is read alone, as a number of bytes that are read by words. */
    static final int BYTE_WORK = 8;

    /** Most bytes for a batch of several rows; with more the batch is evaluated in parts. */
    private static final long BATCH_BYTES_MAX = 1 << 20;

    /** Most bytes for one row. */
    private static final long ROW_BYTES_MAX = 64 << 20;

    private final IntFunction<ByteBuf> allocator;
    private final List<ByteBuf> blocks = new ArrayList<>();
    private MemorySegment segment;
    private long used;
    private long usedBefore;
    private long limit;
    private boolean exhausted;
    private final ByteSearch search = new ByteSearch();

    Scratch(IntFunction<ByteBuf> allocator) {
        this.allocator = allocator;
        this.segment = add(BLOCK_BYTES);
    }

    private MemorySegment add(int bytes) {
        ByteBuf block = allocator.apply(bytes);
        blocks.add(block);
        return Request.memoryOf(block);
    }

    /** Forgets all texts, and begins with a batch of {@code rows} rows. */
    void begin(int rows) {
        for (int k = blocks.size() - 1; k > 0; k--) {
            blocks.remove(k).release();
            segment = Request.memoryOf(blocks.get(0));
        }
        used = 0;
        usedBefore = 0;
        limit = rows > 1 ? BATCH_BYTES_MAX : ROW_BYTES_MAX;
        exhausted = false;
    }

    /** Takes memory in {@link #segment}; returns where it begins, or -1 if the batch has taken too much. */
    long take(int bytes) {
        if (usedBefore + used + bytes > limit) {
            exhausted = true;
            return -1;
        }
        if (used + bytes > segment.byteSize()) {
            usedBefore += used;
            used = 0;
            segment = add(Math.max(BLOCK_BYTES, bytes));
        }
        long at = used;
        used += bytes;
        return at;
    }

    /** Copies a text, which becomes the value of a row. */
    void put(byte[] text, Lane out, int row, int rows) {
        long at = take(text.length);
        if (at < 0) {
            out.state(row, Fault.TOO_LONG, rows);
        } else {
            MemorySegment.copy(MemorySegment.ofArray(text), 0, segment, at, text.length);
            out.text(row, segment, at, text.length);
        }
    }

    MemorySegment segment() {
        return segment;
    }

    /** Whether the batch lacked memory, so that its results are wrong if it has several rows. */
    boolean isExhausted() {
        return exhausted;
    }

    /** The search for bytes in texts, which counts its work here. */
    ByteSearch search() {
        return search;
    }

    /** Counts bytes of texts that were read. */
    void read(long bytes) {
        search.count(bytes);
    }

    /** Counts bytes of texts that were read one by one. */
    void readAlone(long bytes) {
        search.count(BYTE_WORK * bytes);
    }

    /** Bytes of texts that were read since the last call of {@link #takeWork}. */
    long work() {
        return search.work();
    }

    /** Bytes of texts that were read since the last call. */
    long takeWork() {
        return search.takeWork();
    }

    void release() {
        blocks.forEach(ByteBuf::release);
        blocks.clear();
    }
}
