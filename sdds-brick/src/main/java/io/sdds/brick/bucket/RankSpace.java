package io.sdds.brick.bucket;

import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The ranks of one data partition of a table with parity groups (LH*RS). It knows which ranks are allocated, and the
 * reference of the record that has a rank. A rank may be allocated before its record is put, and stays allocated after
 * its record is removed, until the rank is freed.
 *
 * <p>The bucket of the partition keeps the references right ({@link RecordRanks}). One thread uses a space.
 */
public final class RankSpace {

    /* Ranks stand in pages of 4 KiB, off-heap. Layout of a page (little endian):
     *
     *      0  bitmap      128 bytes   bit r is 1 if rank r of the page is allocated
     *    128  references  4 bytes each; 0 if the rank has no record
     *
     * The first page begins with 256 bytes and doubles, so that a table of many small partitions wastes little.
     *
     * A rank is allocated at the lowest hole, that is, at the lowest free rank below the top. So records fill up low
     * ranks, and the top can sink. A list of free ranks would be as fast, but could not take a given rank out. */

    /** Returned by {@link #allocate} when memory is refused. */
    public static final int REFUSED = -1;

    /** The ranks are sparse if more than one in so many is a hole. */
    private static final int SPARSE_PART = 8;

    private static final int PAGE_BYTES = 4096;
    private static final int PAGE_BYTES_MIN = 256;
    private static final int BITMAP_BYTES = 128;
    private static final int PAGE_RANKS = (PAGE_BYTES - BITMAP_BYTES) / Integer.BYTES;
    private static final long REFERENCE_MASK = 0xFFFF_FFFFL;

    private final SlotSpace slots;

    /** References of the pages. */
    private int[] pages = new int[1];

    private int pageCount;

    /** Bytes of the first page: a power of two, or 0. */
    private int firstPageBytes;

    /** The pages that may have a hole. A page with a hole is always among them. */
    private final BitSet pagesWithHoles = new BitSet();

    private int top;
    private int used;
    private boolean released;
    private int relocationRound;

    /** The page that is looked at next; {@link Integer#MAX_VALUE} if no round of relocation is under way. */
    private int relocationCursor = Integer.MAX_VALUE;

    /** Makes a space without ranks, which holds no off-heap memory yet. */
    public RankSpace(SlotSpace slots) {
        this.slots = slots;
        this.relocationRound = slots.evacuationRound();
    }

    /** All ranks at or above this one are free. */
    public int top() {
        return top;
    }

    /** Number of allocated ranks. */
    public int used() {
        return used;
    }

    /** Number of free ranks below {@link #top}. */
    public int holes() {
        return top - used;
    }

    /** Whether the holes exceed an eighth of the ranks, so that it pays to move records into holes. */
    public boolean isSparse() {
        return holes() > top / SPARSE_PART;
    }

    /** Bytes of the pages. */
    public long bytes() {
        return pageCount == 0 ? 0 : firstPageBytes + (pageCount - 1L) * PAGE_BYTES;
    }

    /** Reference of the record that has a rank; 0 if the rank is free or has no record. */
    public long reference(int rank) {
        if (rank < 0 || rank >= top) {
            return 0;
        }
        long page = page(rank);
        return slots.segment(page).get(INT, slots.offset(page) + referenceAt(rank)) & REFERENCE_MASK;
    }

    /** Whether a rank is allocated. */
    public boolean isAllocated(int rank) {
        return rank >= 0 && rank < top && (word(page(rank), rank) >>> rank % PAGE_RANKS & 1) != 0;
    }

    /**
     * Allocates the lowest free rank. The rank has no record yet.
     *
     * @param reserved whether the last 5 % of the memory may be used
     * @return the rank; {@link #REFUSED} when memory is refused; nothing has changed then
     */
    public int allocate(boolean reserved) {
        if (used == top) {
            return take(top, reserved) ? top - 1 : REFUSED;
        }
        int rank = lowestHole();
        mark(rank, true);
        return rank;
    }

    /**
     * Allocates a given rank, for a copy that arrives with ranks, in any order. Ranks below that were never allocated
     * become holes.
     *
     * @param reserved whether the last 5 % of the memory may be used
     * @return false when memory is refused; nothing has changed then
     * @throws IllegalStateException if the rank is allocated already, or the space has been released
     */
    public boolean take(int rank, boolean reserved) {
        if (released || isAllocated(rank)) {
            throw new IllegalStateException(released ? "ranks have been released" : "rank is allocated: " + rank);
        }
        if (!ensure(rank + 1, reserved)) {
            return false;
        }
        if (rank > top) {
            pagesWithHoles.set(top / PAGE_RANKS, (rank - 1) / PAGE_RANKS + 1);
        }
        top = Math.max(top, rank + 1);
        mark(rank, true);
        return true;
    }

    /**
     * Allocates the ranks of a run, as {@link #take} does one by one.
     *
     * @param first the first rank of the run, not below {@link #top}
     * @param taken by rank of the run: 0 for a rank that stays free
     * @param count number of ranks in the run
     * @return false when memory is refused; nothing has changed then
     */
    public boolean takeRun(int first, int[] taken, int count, boolean reserved) {
        if (released || first < top) {
            throw new IllegalStateException(released ? "ranks have been released" : "rank is below the top: " + first);
        }
        int end = count;
        while (end > 0 && taken[end - 1] == 0) {
            end--;
        }
        if (end == 0) {
            return true;
        }
        if (!ensure(first + end, reserved)) {
            return false;
        }
        int before = used;
        int last = first + end;
        for (int rank = first; rank < last; ) {
            rank = takeWord(rank, first, taken, last);
        }
        if (used - before < last - top) {
            pagesWithHoles.set(top / PAGE_RANKS, (last - 1) / PAGE_RANKS + 1);
        }
        top = last;
        return true;
    }

    /** Allocates ranks of a run from a rank on, of one word of a bitmap; returns the next rank. */
    private int takeWord(int from, int first, int[] taken, int last) {
        int inPage = from % PAGE_RANKS;
        int end = Math.min(last, from + Math.min(Long.SIZE - inPage % Long.SIZE, PAGE_RANKS - inPage));
        long word = word(page(from), from);
        int marked = 0;
        for (int rank = from; rank < end; rank++) {
            if (taken[rank - first] != 0) {
                word |= 1L << inPage + rank - from;
                marked++;
            }
        }
        used += marked;
        slots.segment(page(from)).set(LONG, slots.offset(page(from)) + wordAt(from), word);
        return end;
    }

    /**
     * Frees a rank whose record has been removed, or was never put.
     *
     * @throws IllegalStateException if the rank is not allocated, or has a record
     */
    public void free(int rank) {
        if (!isAllocated(rank) || reference(rank) != 0) {
            throw new IllegalStateException(
                    "rank %d is not allocated, or has record %x".formatted(rank, reference(rank)));
        }
        mark(rank, false);
        pagesWithHoles.set(rank / PAGE_RANKS);
        if (rank == top - 1) {
            lowerTop();
        }
    }

    /** Sets the reference of an allocated rank; 0 when the record is removed. Without effect after a release. */
    void setReference(int rank, long reference) {
        if (released) {
            return;
        }
        if (rank < 0 || rank >= top) {
            throw new IllegalStateException("rank %d of record %x is not below %d".formatted(rank, reference, top));
        }
        long page = page(rank);
        slots.segment(page).set(INT, slots.offset(page) + referenceAt(rank), (int) reference);
    }

    private long page(int rank) {
        return pages[rank / PAGE_RANKS] & REFERENCE_MASK;
    }

    private static long referenceAt(int rank) {
        return BITMAP_BYTES + (long) (rank % PAGE_RANKS) * Integer.BYTES;
    }

    /** The word of a page's bitmap that has the bit of a rank. */
    private long word(long page, int rank) {
        return slots.segment(page).get(LONG, slots.offset(page) + wordAt(rank));
    }

    private static long wordAt(int rank) {
        return rank % PAGE_RANKS / Long.SIZE * (long) Long.BYTES;
    }

    private void mark(int rank, boolean allocated) {
        long page = page(rank);
        // The bit of a rank in its word is the rank within the page modulo 64, which a shift takes by itself.
        long flipped = word(page, rank) ^ 1L << rank % PAGE_RANKS;
        slots.segment(page).set(LONG, slots.offset(page) + wordAt(rank), flipped);
        used += allocated ? 1 : -1;
    }

    /**
     * The lowest free rank below {@link #top}.
     *
     * @throws IllegalStateException if there are no {@link #holes}
     */
    public int lowestHole() {
        for (int page = pagesWithHoles.nextSetBit(0); page >= 0; page = pagesWithHoles.nextSetBit(page + 1)) {
            int end = Math.min(top, (page + 1) * PAGE_RANKS);
            for (int rank = page * PAGE_RANKS; rank < end; rank += Long.SIZE) {
                int hole = rank + Long.numberOfTrailingZeros(~word(page(rank), rank));
                if (hole < Math.min(end, rank + Long.SIZE)) {
                    return hole;
                }
            }
            pagesWithHoles.clear(page);
        }
        throw new IllegalStateException("no hole below %d, of which %d are allocated".formatted(top, used));
    }

    /** The highest allocated rank below another rank; -1 if there is none. */
    public int highestBelow(int rank) {
        int end = Math.min(rank, top);
        while (end > 0) {
            int start = (end - 1) / PAGE_RANKS * PAGE_RANKS;
            int highest = highestBelow(end, start);
            if (highest >= start) {
                return highest;
            }
            end = start;
        }
        return -1;
    }

    /** The highest allocated rank from {@code start} on, where a page starts, and below {@code end} in that page. */
    private int highestBelow(int end, int start) {
        int next = end;
        while (next > start) {
            int wordStart = next - 1 - (next - 1 - start) % Long.SIZE;
            // Drops the bits of the ranks at and above next.
            long word = word(page(next - 1), next - 1) << wordStart + Long.SIZE - next;
            if (word != 0) {
                return next - 1 - Long.numberOfLeadingZeros(word);
            }
            next = wordStart;
        }
        return start - 1;
    }

    /** Lowers the top to the last allocated rank of its page, and frees the page if the page has no such rank. */
    private void lowerTop() {
        int page = (top - 1) / PAGE_RANKS;
        int start = page * PAGE_RANKS;
        top = highestBelow(top, start) + 1;
        if (top == start) {
            freePage(page);
        }
    }

    /** Makes room for {@code ranks} ranks; false if the memory is refused. Nothing has changed then. */
    private boolean ensure(int ranks, boolean reserved) {
        int pagesBefore = pageCount;
        int wanted = (ranks + PAGE_RANKS - 1) / PAGE_RANKS;
        if (!ensureFirst(wanted > 1 ? PAGE_RANKS : ranks, reserved)) {
            return false;
        }
        while (pageCount < wanted) {
            long page = slots.allocate(PAGE_BYTES, reserved);
            if (page == 0) {
                while (pageCount > pagesBefore) {
                    freePage(pageCount - 1);
                }
                return false;
            }
            slots.segment(page).asSlice(slots.offset(page), PAGE_BYTES).fill((byte) 0);
            add(page);
        }
        return true;
    }

    private void add(long page) {
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, 2 * pageCount);
        }
        pages[pageCount++] = (int) page;
    }

    /** Makes room for ranks of the first page. */
    private boolean ensureFirst(int ranks, boolean reserved) {
        int bytes = Math.max(firstPageBytes, PAGE_BYTES_MIN);
        while (BITMAP_BYTES + ranks * Integer.BYTES > bytes) {
            bytes *= 2;
        }
        if (bytes == firstPageBytes) {
            return true;
        }
        long to = slots.allocate(bytes, reserved);
        if (to == 0) {
            return false;
        }
        MemorySegment page = slots.segment(to).asSlice(slots.offset(to), bytes).fill((byte) 0);
        if (firstPageBytes == 0) {
            add(to);
        } else {
            long from = pages[0] & REFERENCE_MASK;
            MemorySegment.copy(slots.segment(from), slots.offset(from), page, 0, firstPageBytes);
            slots.free(from);
            pages[0] = (int) to;
        }
        firstPageBytes = bytes;
        return true;
    }

    /** Frees the last page. */
    private void freePage(int page) {
        slots.free(pages[page] & REFERENCE_MASK);
        pagesWithHoles.clear(page);
        pageCount = page;
        if (page == 0) {
            firstPageBytes = 0;
        }
    }

    /** Forgets all ranks for good. {@link #maintain} frees the memory. */
    public void release() {
        released = true;
        top = 0;
        used = 0;
    }

    /**
     * Works on one page in the background: frees a page that is not needed, or moves a page out of a chunk that is
     * being evacuated.
     *
     * @return whether there was something to do
     */
    public boolean maintain() {
        if (released) {
            if (pageCount > 0) {
                freePage(pageCount - 1);
            }
            return pageCount > 0;
        }
        if (top > 0 && !isAllocated(top - 1)) {
            lowerTop();
            return true;
        }
        return relocateOne();
    }

    private boolean relocateOne() {
        if (relocationRound != slots.evacuationRound()) {
            relocationRound = slots.evacuationRound();
            relocationCursor = 0;
        }
        if (relocationCursor >= pageCount) {
            relocationCursor = Integer.MAX_VALUE;
            return false;
        }
        long from = pages[relocationCursor] & REFERENCE_MASK;
        if (slots.isEvacuating(from)) {
            pages[relocationCursor] = (int) slots.relocate(from);
        }
        relocationCursor++;
        return true;
    }
}
