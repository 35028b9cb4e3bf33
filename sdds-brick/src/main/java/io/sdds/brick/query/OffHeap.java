package io.sdds.brick.query;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.partition.Request;
import io.sdds.core.protocol.Limits;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;

/**
 * Off-heap memory that is filled from its beginning and grows by doubling. What would get longer than an answer may be,
 * throws {@link QueryFailure}: a result of many columns may have a long value many times.
 */
final class OffHeap {
    /** Most bytes of an answer, so that it fits a message; nothing of an evaluation is larger. */
    private static final int BYTES_MAX = 2 * Limits.VALUE_BYTES_MAX;

    private static final int BYTES_MIN = 4096;

    private final IntFunction<ByteBuf> allocator;
    private final ByteBuf buffer;
    private MemorySegment memory;
    private long used;

    /**
     * Makes an empty memory.
     *
     * @param allocator makes buffers in direct memory
     */
    OffHeap(IntFunction<ByteBuf> allocator) {
        this.allocator = allocator;
        this.buffer = allocator.apply(BYTES_MIN);
        this.memory = Request.memoryOf(buffer);
    }

    /** Another memory of the same kind. */
    OffHeap sibling() {
        return new OffHeap(allocator);
    }

    /** The memory. It is another segment after {@link #reserve}. */
    MemorySegment memory() {
        return memory;
    }

    /** Bytes that were taken from the system, in use or not. */
    long capacity() {
        return memory.byteSize();
    }

    /** Bytes in use. */
    long used() {
        return used;
    }

    /** Makes room for {@code bytes} more bytes, and returns where they are to begin; they are not yet in use. */
    long reserve(long bytes) {
        long wanted = Math.addExact(used, bytes);
        if (wanted > memory.byteSize()) {
            grow(wanted);
        }
        return used;
    }

    private void grow(long wanted) {
        if (wanted > BYTES_MAX) {
            throw new QueryFailure("one row or group of the answer needs more than " + BYTES_MAX
                    + " bytes; select fewer columns, or parts of them as by substring");
        }
        long capacity = Math.min(BYTES_MAX, Math.max(wanted, 2 * memory.byteSize()));
        buffer.setIndex(0, (int) used);
        buffer.capacity((int) capacity);
        memory = Request.memoryOf(buffer);
    }

    /** Lets the bytes up to an offset be in use. */
    void used(long end) {
        used = end;
    }

    /** Takes bytes, and returns where they begin. */
    long take(long bytes) {
        long at = reserve(bytes);
        used = at + bytes;
        return at;
    }

    /** Takes bytes that are zero. */
    long takeZeros(long bytes) {
        long at = take(bytes);
        memory.asSlice(at, bytes).fill((byte) 0);
        return at;
    }

    void putByte(int value) {
        long at = take(1);
        memory.set(SegmentBytes.BYTE, at, (byte) value);
    }

    void putLong(long value) {
        long at = take(Long.BYTES);
        memory.set(SegmentBytes.LONG, at, value);
    }

    void putInt(int value) {
        long at = take(Integer.BYTES);
        memory.set(SegmentBytes.INT, at, value);
    }

    void putBytes(MemorySegment from, long offset, long length) {
        long at = take(length);
        MemorySegment.copy(from, offset, memory, at, length);
    }

    /** Appends a number as LEB128. */
    void putVarint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            putByte(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        putByte(rest);
    }

    /** The bytes in use, as a buffer that is valid until the memory is changed. */
    ByteBuf content() {
        return buffer.setIndex(0, (int) used);
    }

    void release() {
        buffer.release();
        memory = MemorySegment.NULL;
    }
}
