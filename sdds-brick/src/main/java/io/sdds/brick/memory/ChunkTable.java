package io.sdds.brick.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a stage by number, and the references that point into them.
 *
 * <p>A reference is an unsigned 32-bit number of 8-byte units: the chunk's number above, the unit within the chunk
 * below. So a stage addresses 32 GiB in ordinary chunks. Reference 0 points at 64 zero bytes that can't be written.
 */
final class ChunkTable {

    private static final int UNIT_LOG = 3;
    private static final int REFERENCE_BITS = 32;
    private static final long NOTHING_BYTES = 64;
    private static final MemorySegment NOTHING =
            Arena.global().allocate(NOTHING_BYTES, NOTHING_BYTES).asReadOnly();

    private final MemorySource source;
    private final MemoryBudget budget;
    private final int chunkUnitsLog;
    private final long unitMask;
    private final int chunksMax;

    private @Nullable MemorySegment[] segments = new @Nullable MemorySegment[8];
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
        segments[0] = NOTHING;
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
        usedBytes += bytes;
        return index;
    }

    private int nextIndex() {
        if (indexesUsed == segments.length) {
            segments = Arrays.copyOf(segments, 2 * indexesUsed);
        }
        return indexesUsed++;
    }

    /** Gives a chunk back to the source. */
    void remove(int index) {
        MemorySegment segment = segments[index];
        usedBytes -= segment.byteSize();
        segments[index] = null;
        if (freeIndexCount == freeIndexes.length) {
            freeIndexes = Arrays.copyOf(freeIndexes, 2 * freeIndexCount);
        }
        freeIndexes[freeIndexCount++] = index;
        source.free(segment);
    }

    /** Tells the source that a slot holds nothing any more. */
    void retire(long reference, long bytes) {
        source.retire(segment(reference), offset(reference), bytes);
    }
}
