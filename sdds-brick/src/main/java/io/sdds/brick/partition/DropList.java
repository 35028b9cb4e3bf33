package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Records that one entry of a group's log is to drop, in a table with parity groups: the pseudo-key (8 bytes) and the
 * rank (4 bytes) of each record. The parity members get the bytes of these records with the entry, so a list is full at
 * {@link #BYTES_MAX}.
 */
public final class DropList {
    /** Bytes of keys and values of the records with which the list is full. */
    public static final int BYTES_MAX = 48 << 10;

    private static final int RECORDS_MAX = 1000;
    private static final int RECORD = Long.BYTES + Integer.BYTES;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[64 * RECORD];
    private MemorySegment memory = MemorySegment.ofArray(bytes);
    private int byteSize;
    private long contentBytes;

    public void clear() {
        byteSize = 0;
        contentBytes = 0;
    }

    public boolean isEmpty() {
        return byteSize == 0;
    }

    /** Whether no record should be added any more. */
    public boolean isFull() {
        return contentBytes >= BYTES_MAX || byteSize >= RECORDS_MAX * RECORD;
    }

    /** Adds a record, which has a rank. */
    public void add(RecordStore store, long ref) {
        if (byteSize == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * byteSize);
            memory = MemorySegment.ofArray(bytes);
        }
        memory.set(LONG, byteSize, store.hash(ref));
        memory.set(INT, (long) byteSize + Long.BYTES, store.rank(ref));
        byteSize += RECORD;
        contentBytes += store.contentLength(ref);
    }

    /** The records of the list, in the layout of a log entry. Valid until the next {@link #add}. */
    public MemorySegment memory() {
        return memory;
    }

    /** Bytes of {@link #memory} that the list has. */
    public int byteSize() {
        return byteSize;
    }
}
