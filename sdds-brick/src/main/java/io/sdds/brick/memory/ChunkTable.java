package io.sdds.brick.memory;

import static io.sdds.brick.memory.SegmentBytes.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a stage by number, and the references that point into them.
 *
 * <p>A reference is an unsigned 32-bit number of 8-byte units: the chunk's number above, the unit within the chunk
 * below. So a stage addresses 32 GiB in ordinary chunks. Reference 0 points at zeros that can't be written.
 */
final class ChunkTable {

    private static final int UNIT_LOG = 3;
    private static final int REFERENCE_BITS = 32;
    private static final long NOTHING_BYTES = 1024;
    private static final MemorySegment NOTHING =
            Arena.global().allocate(NOTHING_BYTES, NOTHING_BYTES).asReadOnly();

    private static final int LINE_BYTES = 64;

    /**
     * All memory of the process, for touches only: with a check of each access, fewer cache lines would be loaded at a
     * time.
     */
    private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final MemorySource source;
    private final MemoryBudget budget;
    private final int chunkUnitsLog;
    private final long unitMask;
    private final int chunksMax;

    /** Offset of the last eight bytes of an ordinary chunk. */
    private final long lastOffset;

    private @Nullable MemorySegment[] segments = new @Nullable MemorySegment[8];
    /** Addresses of the chunks, by number. */
    private long[] addresses = new long[8];

    private int[] freeIndexes = new int[8];
    private int freeIndexCount;
    private int indexesUsed = 1;
    private long usedBytes;

    ChunkTable(MemorySource source, MemoryBudget budget, int chunkBytes) {
        this.source = source;
        this.budget = budget;
        this.chunkUnitsLog = Integer.numberOfTrailingZeros(chunkBytes) - UNIT_LOG;
        this.unitMask = (1L << chunkUnitsLog) - 1;
        this.chunksMax = 1 << (REFERENCE_BITS - chunkUnitsLog);
        this.lastOffset = chunkBytes - Long.BYTES;
        segments[0] = NOTHING;
        addresses[0] = NOTHING.address();
    }

    /** The reference of the unit at byte {@code offset} of a chunk. */
    long reference(int chunkIndex, long offset) {
        return (long) chunkIndex << chunkUnitsLog | offset >>> UNIT_LOG;
    }

    int chunkIndex(long reference) {
        return (int) (reference >>> chunkUnitsLog);
    }

    long offset(long reference) {
        return (reference & unitMask) << UNIT_LOG;
    }

    MemorySegment segment(long reference) {
        return segments[(int) (reference >>> chunkUnitsLog)];
    }

    /**
     * Loads some cache lines from the beginning of a slot on, but none beyond the end of an ordinary chunk.
     *
     * @param reference of a slot that is in use
     * @return a number to be consumed, so that the access isn't optimised away
     */
    long touch(long reference, int lines) {
        long address = addresses[chunkIndex(reference)];
        long offset = offset(reference);
        long touched = EVERYTHING.get(LONG, address + offset);
        for (int line = 1; line < lines; line++) {
            touched += EVERYTHING.get(LONG, address + Math.min(offset + line * LINE_BYTES, lastOffset));
        }
        return touched;
    }

    /**
     * Loads the first lines of some slots.
     *
     * @return a number to be consumed, so that the access isn't optimised away
     */
    long touchAll(int[] references, int from, int to, int lines) {
        long touched = 0;
        for (int i = from; i < to; i++) {
            touched += touch(Integer.toUnsignedLong(references[i]), lines);
        }
        return touched;
    }

    /** Bytes of all chunks held. */
    long usedBytes() {
        return usedBytes;
    }

    /**
     * Takes a chunk from the source.
     *
     * @param reserved whether the last 5 % of the budget may be used
     * @return its number, or 0 when there is no room
     */
    int add(long bytes, boolean reserved) {
        if (freeIndexCount == 0 && indexesUsed == chunksMax || !reserved && !budget.admitsOrdinary(bytes)) {
            return 0;
        }
        MemorySegment segment = source.allocate(bytes);
        if (segment == null) {
            return 0;
        }
        int index = freeIndexCount > 0 ? freeIndexes[--freeIndexCount] : nextIndex();
        segments[index] = segment;
        addresses[index] = segment.address();
        usedBytes += bytes;
        return index;
    }

    private int nextIndex() {
        if (indexesUsed == segments.length) {
            segments = Arrays.copyOf(segments, 2 * indexesUsed);
            addresses = Arrays.copyOf(addresses, 2 * indexesUsed);
        }
        return indexesUsed++;
    }

    /** Gives a chunk back to the source. */
    void remove(int index) {
        MemorySegment segment = segments[index];
        usedBytes -= segment.byteSize();
        segments[index] = null;
        addresses[index] = NOTHING.address();
        if (freeIndexCount == freeIndexes.length) {
            freeIndexes = Arrays.copyOf(freeIndexes, 2 * freeIndexCount);
        }
        freeIndexes[freeIndexCount++] = index;
        source.free(segment);
    }

    /** Tells the source that a slot is not used any more. */
    void retire(long reference, long bytes) {
        source.retire(segment(reference), offset(reference), bytes);
    }
}
