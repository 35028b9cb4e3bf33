package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Records that one entry of a group's log names by their ranks, in a table with parity groups. The list has the
 * pseudo-key (8 bytes) and the rank (4 bytes) of each record, and what else the entry needs. The parity members get the
 * bytes of these records with the entry, so the bytes of a list are bounded.
 */
public abstract sealed class RankedList permits DropList, RerankList {
    /** Bytes of keys and values of the records with which a list is full, at most. */
    public static final int BYTES_MAX = 48 << 10;

    /** Bytes of a record's pseudo-key and rank. */
    static final int HEAD = Long.BYTES + Integer.BYTES;

    private static final int RECORDS_MAX = 1000;
    private static final int FIRST_RECORDS = 64;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int recordBytes;
    private byte[] bytes;
    private MemorySegment memory;
    private int byteSize;
    private long contentBytes;
    private int contentBytesMax;

    /** Bytes that the entries of the log have for each record, beside its key and value. */
    private int entryBytes;

    /** @param recordBytes bytes of the list for each record */
    RankedList(int recordBytes) {
        this.recordBytes = recordBytes;
        this.bytes = new byte[FIRST_RECORDS * recordBytes];
        this.memory = MemorySegment.ofArray(bytes);
    }

    /**
     * Empties the list.
     *
     * @param bytesMax bytes of keys and values of the records with which the list is to be full
     */
    public final void begin(int bytesMax) {
        begin(bytesMax, 0);
    }

    /**
     * Empties the list.
     *
     * @param bytesMax bytes of keys and values of the records, and of their entries, with which the list is to be full
     * @param bytesOfEntry bytes beside key and value that the log needs for each record
     */
    public final void begin(int bytesMax, int bytesOfEntry) {
        byteSize = 0;
        contentBytes = 0;
        contentBytesMax = bytesMax;
        entryBytes = bytesOfEntry;
    }

    public final boolean isEmpty() {
        return byteSize == 0;
    }

    /** Whether no record should be added any more. */
    public final boolean isFull() {
        return contentBytes >= contentBytesMax || byteSize >= RECORDS_MAX * recordBytes;
    }

    /** Whether a record may be added. A long record is the only one of its list. */
    public final boolean fits(RecordStore store, long ref) {
        return !isFull() && (isEmpty() || !isLong(store, ref));
    }

    /** Whether a record alone is longer than a list should be. */
    public final boolean isLong(RecordStore store, long ref) {
        return store.contentLength(ref) > contentBytesMax;
    }

    /** Adds a record, which has a rank. Returns the offset, in {@link #memory}, of what stands behind the rank. */
    final int append(RecordStore store, long ref) {
        if (byteSize == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * byteSize);
            memory = MemorySegment.ofArray(bytes);
        }
        int at = byteSize;
        memory.set(LONG, at, store.hash(ref));
        memory.set(INT, (long) at + Long.BYTES, store.rank(ref));
        byteSize += recordBytes;
        contentBytes += store.contentLength(ref) + entryBytes;
        return at + HEAD;
    }

    /** Writes a number behind the rank of a record. */
    final void set(int at, int number) {
        memory.set(INT, at, number);
    }

    /** The records of the list, in the layout of a log entry. Valid until the next record is added. */
    public final MemorySegment memory() {
        return memory;
    }

    /** Bytes of {@link #memory} that the list has. */
    public final int byteSize() {
        return byteSize;
    }
}
