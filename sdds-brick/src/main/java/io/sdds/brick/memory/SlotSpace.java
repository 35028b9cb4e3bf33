package io.sdds.brick.memory;

import static io.sdds.brick.memory.SegmentBytes.INT;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap slots of many sizes for one stage: records, and the LH-buckets that point at them. A slot is named by a
 * reference: an unsigned 32-bit number, never 0.
 *
 * <p>Reference 0 may be read as 64 zero bytes.
 */
public final class SlotSpace {

    /* Chunks (2 MiB) are cut into 64 pages, adjacent pages form a run, a run is cut into slots of one size class. A run
     * without slots in use goes back to its chunk, and a chunk without runs to the source. Slots larger than half a
     * chunk are chunks of their own.
     *
     * Invariant: a run with both free and used slots is in the list of its class, unless its chunk is being evacuated.
     * Allocation and free cost O(1), taking pages O(chunks) words at worst. Evacuation repairs fragmentation by freed
     * slots, with the help of the owners of the references. */

    private static final int CHUNK_BYTES_MIN = 64 << 10;
    private static final int CHUNK_BYTES_MAX = 2 << 20;
    private static final int CHUNKS_AIM = 128;
    private static final long LARGE_ROUNDING_BYTES = 4096;

    private final ChunkTable table;
    private final PagePool pages;
    private final RunLists runs;
    private final Evacuation evacuation;
    private final int pageBytes;
    private final int pageBytesLog;
    private final int smallBytesMax;
    private long liveBytes;
    private long largeBytes;

    /** Bytes of all slots that were ever freed, without relocated slots. */
    private long freedBytes;

    /** The slots that the change under way may use. */
    private @Nullable ReservedSlots reservedSlots;

    /**
     * Makes a space whose chunks suit the budget: chunks of 64 KiB for the smallest budget, of 2 MiB from 256 MiB on.
     */
    public SlotSpace(MemorySource source, MemoryBudget budget) {
        this(source, budget, chunkBytes(budget.limitBytes()));
    }

    SlotSpace(MemorySource source, MemoryBudget budget, int chunkBytes) {
        this.table = new ChunkTable(source, budget, chunkBytes);
        this.pages = new PagePool(table, chunkBytes);
        this.pageBytes = chunkBytes / Chunk.PAGES;
        this.pageBytesLog = Integer.numberOfTrailingZeros(pageBytes);
        this.smallBytesMax = chunkBytes / 2;
        this.runs = new RunLists(pages, SizeClasses.classOf(smallBytesMax) + 1, pageBytes);
        this.evacuation = new Evacuation(pages, runs, chunkBytes);
    }

    private static int chunkBytes(long limitBytes) {
        long aim = Long.highestOneBit(limitBytes / CHUNKS_AIM);
        return (int) Math.max(CHUNK_BYTES_MIN, Math.min(CHUNK_BYTES_MAX, aim));
    }

    /**
     * Takes a slot of at least {@code bytes}. Its content is undefined. Slots of 64 · 2^k bytes are aligned to 64.
     *
     * @param bytes needed, positive
     * @param reserved whether the last 5 % of the budget may be used
     * @return its reference, or 0 when there is no room
     */
    public long allocate(long bytes, boolean reserved) {
        return bytes <= smallBytesMax ? allocateSmall((int) bytes, reserved) : allocateLarge(bytes, reserved);
    }

    /** Lets the change under way use the slots that are reserved for this change; null takes the permission back. */
    public void use(@Nullable ReservedSlots forChange) {
        reservedSlots = forChange;
    }

    /**
     * Takes a slot for a record: the slot that is reserved for the record, if there is one; otherwise as
     * {@link #allocate}.
     */
    long allocateRecord(long bytes, boolean reserved) {
        ReservedSlots kept = reservedSlots;
        long slot = kept == null ? 0 : kept.record(slotBytesFor(bytes));
        return slot == 0 ? allocate(bytes, reserved) : slot;
    }

    /** Takes a slot for a bucket's index, as {@link #allocate} does; without room a reserved slot. */
    public long allocateIndex(long bytes, boolean reserved) {
        long slot = allocate(bytes, reserved);
        ReservedSlots kept = reservedSlots;
        return slot == 0 && kept != null ? kept.index(slotBytesFor(bytes)) : slot;
    }

    /** Takes a slot for a key of a bucket's index, as {@link #allocateIndex} does. */
    long allocateKey(long bytes, boolean reserved) {
        long slot = allocate(bytes, reserved);
        ReservedSlots kept = reservedSlots;
        return slot == 0 && kept != null ? kept.key(slotBytesFor(bytes)) : slot;
    }

    private long allocateSmall(int bytes, boolean reserved) {
        long reference = allocateSlot(bytes, reserved);
        while (reference == 0 && evacuation.cancelOne()) {
            reference = allocateSlot(bytes, reserved);
        }
        return reference;
    }

    private long allocateSlot(int bytes, boolean reserved) {
        int sizeClass = SizeClasses.classOf(bytes);
        int run = runs.withRoom(sizeClass);
        if (run == 0) {
            run = startRun(sizeClass, reserved);
        }
        if (run == 0) {
            return 0;
        }
        Chunk chunk = pages.chunk(run >>> Chunk.PAGES_LOG);
        int first = run & (Chunk.PAGES - 1);
        long offset = takeSlot(chunk, first, runs.slotBytes(sizeClass));
        runs.taken(chunk, first);
        liveBytes += runs.slotBytes(sizeClass);
        return table.reference(chunk.index, offset);
    }

    private int startRun(int sizeClass, boolean reserved) {
        int runPages = runs.runPages(sizeClass);
        int run = pages.take(runPages, reserved);
        if (run != 0) {
            pages.chunk(run >>> Chunk.PAGES_LOG).startRun(run & (Chunk.PAGES - 1), runPages, sizeClass);
        }
        return run;
    }

    /** Takes a free slot of a run; returns its offset in the chunk. */
    private long takeSlot(Chunk chunk, int first, int slotBytes) {
        int free = chunk.freeSlot[first];
        if (free == 0) {
            return ((long) first << pageBytesLog) + (long) chunk.touched[first]++ * slotBytes;
        }
        long reference = table.reference(chunk.index, 0) + free - 1;
        long offset = table.offset(reference);
        chunk.freeSlot[first] = table.segment(reference).get(INT, offset);
        return offset;
    }

    private long allocateLarge(long bytes, boolean reserved) {
        long rounded = (bytes + LARGE_ROUNDING_BYTES - 1) / LARGE_ROUNDING_BYTES * LARGE_ROUNDING_BYTES;
        int index = table.add(rounded, reserved);
        if (index == 0) {
            return 0;
        }
        liveBytes += rounded;
        largeBytes += rounded;
        return table.reference(index, 0);
    }

    /**
     * Frees a slot.
     *
     * @param reference as {@link #allocate} returned it, not freed since
     */
    public void free(long reference) {
        long bytes = slotBytes(reference);
        table.retire(reference, bytes);
        liveBytes -= bytes;
        freedBytes += bytes;
        Chunk chunk = pages.find(table.chunkIndex(reference));
        if (chunk == null) {
            largeBytes -= bytes;
            table.remove(table.chunkIndex(reference));
        } else {
            freeSmall(chunk, reference);
        }
        if (liveBytes == 0) {
            pages.giveSpare();
        }
    }

    private void freeSmall(Chunk chunk, long reference) {
        int first = chunk.runStart[page(reference)];
        table.segment(reference).set(INT, table.offset(reference), chunk.freeSlot[first]);
        chunk.freeSlot[first] = (int) (reference - table.reference(chunk.index, 0)) + 1;
        runs.freed(chunk, first);
        if (chunk.used[first] == 0) {
            pages.give(chunk, first, chunk.runPages[first]);
        }
    }

    private int page(long reference) {
        return (int) (table.offset(reference) >>> pageBytesLog);
    }

    /** Bytes of the slot: at least the bytes that {@link #allocate} was asked for. */
    public long slotBytes(long reference) {
        Chunk chunk = pages.find(table.chunkIndex(reference));
        if (chunk == null) {
            return table.segment(reference).byteSize();
        }
        return runs.slotBytes(chunk.sizeClass[chunk.runStart[page(reference)]]);
    }

    /** Bytes of the slot that {@link #allocate} would give for {@code bytes}. */
    public long slotBytesFor(long bytes) {
        return bytes <= smallBytesMax
                ? runs.slotBytes(SizeClasses.classOf((int) bytes))
                : (bytes + LARGE_ROUNDING_BYTES - 1) / LARGE_ROUNDING_BYTES * LARGE_ROUNDING_BYTES;
    }

    /** The chunk that the slot lies in. */
    public MemorySegment segment(long reference) {
        return table.segment(reference);
    }

    /** Offset of the slot in its chunk, in bytes. */
    public long offset(long reference) {
        return table.offset(reference);
    }

    /**
     * Loads the first cache lines of a slot that will be read soon, and the lines behind a short slot.
     *
     * @param reference reference of a slot in use; for another slot the result is undefined
     * @return a number to be consumed, so that the access isn't optimised away
     */
    public long touch(long reference, int lines) {
        return table.touch(reference, lines);
    }

    /** Touches, as {@link #touch} does, the slots with the references from one index to another, exclusive. */
    long touchAll(int[] references, int from, int to, int lines) {
        return table.touchAll(references, from, to, lines);
    }

    /** Bytes of all chunks taken from the source. */
    public long usedBytes() {
        return table.usedBytes();
    }

    /** Bytes of all slots in use. */
    public long liveBytes() {
        return liveBytes;
    }

    /**
     * Does a little work to choose chunks to evacuate. To be called in the background.
     *
     * @return whether there was work to do, so that more may be left
     */
    public boolean planEvacuation() {
        return evacuation.plan(liveBytes - largeBytes, freedBytes);
    }

    /** A number that changes when chunks to evacuate have been chosen. */
    public int evacuationRound() {
        return evacuation.round();
    }

    /** Whether the slot lies in a chunk that is being evacuated, so that its owner should {@link #relocate} it. */
    public boolean isEvacuating(long reference) {
        Chunk chunk = pages.find(table.chunkIndex(reference));
        return chunk != null && chunk.evacuating;
    }

    /**
     * Moves a slot's content to another slot of the same size and frees the old one.
     *
     * @param reference reference of a slot that {@link #isEvacuating}
     * @return the new reference of the slot; the old reference if there was no room
     */
    public long relocate(long reference) {
        long bytes = slotBytes(reference);
        long to = allocateSlot((int) bytes, false);
        if (to == 0) {
            return reference;
        }
        MemorySegment.copy(segment(reference), offset(reference), segment(to), offset(to), bytes);
        free(reference);
        freedBytes -= bytes;
        return to;
    }
}
