package io.sdds.brick.memory;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hands out runs of adjacent pages of a stage's chunks. Takes chunks from the source, and gives them back, as needed.
 */
final class PagePool {

    private final ChunkTable table;
    private final int chunkBytes;

    private @Nullable Chunk[] chunks = new @Nullable Chunk[8];

    /**
     * For each chunk a bit for each page that may be handed out; 0 for a missing chunk and one that is being evacuated.
     */
    private long[] pagesOnOffer = new long[8];

    /** No chunk below this one has a page on offer. */
    private int firstWithRoom = 1;

    private int chunksEnd = 1;
    private int chunkCount;

    /**
     * An empty chunk that is kept, so that a load at a chunk's edge doesn't free and take chunks in turn; 0 if none.
     */
    private int spareChunk;

    PagePool(ChunkTable table, int chunkBytes) {
        this.table = table;
        this.chunkBytes = chunkBytes;
    }

    /** The chunk of a number; null if there is no such chunk, or the chunk is not cut into pages. */
    @Nullable
    Chunk find(int index) {
        return index < chunks.length ? chunks[index] : null;
    }

    /** The chunk of a number, which must exist. */
    Chunk chunk(int index) {
        return Objects.requireNonNull(chunks[index]);
    }

    /** A number above the numbers of all chunks. */
    int chunksEnd() {
        return chunksEnd;
    }

    /** Bytes of the chunks that are cut into pages. */
    long bytes() {
        return (long) chunkCount * chunkBytes;
    }

    /**
     * Takes {@code pages} adjacent pages.
     *
     * @param reserved whether the last 5 % of the budget may be used
     * @return chunk number times 64 plus first page, or 0 when there is no room
     */
    int take(int pages, boolean reserved) {
        for (int index = firstWithRoom; index < chunksEnd; index++) {
            int first = firstRun(pagesOnOffer[index], pages);
            if (first >= 0) {
                return take(index, first, pages);
            }
            if (pagesOnOffer[index] == 0 && index == firstWithRoom) {
                firstWithRoom++;
            }
        }
        int index = addChunk(reserved);
        return index == 0 ? 0 : take(index, 0, pages);
    }

    private int take(int index, int first, int pages) {
        if (index == spareChunk) {
            spareChunk = 0;
        }
        Chunk chunk = chunk(index);
        chunk.freePages &= ~mask(first, pages);
        pagesOnOffer[index] = chunk.freePages;
        return index << Chunk.PAGES_LOG | first;
    }

    /** Takes back pages. A chunk without pages in use goes back to the source, except one that is kept. */
    void give(Chunk chunk, int first, int pages) {
        chunk.freePages |= mask(first, pages);
        if (!chunk.evacuating) {
            offer(chunk);
        }
        if (chunk.freePages == Chunk.ALL_PAGES) {
            if (spareChunk == 0 && !chunk.evacuating) {
                spareChunk = chunk.index;
            } else {
                removeChunk(chunk.index);
            }
        }
    }

    /** Hands out no more pages of the chunk until it is offered again. */
    void withhold(Chunk chunk) {
        pagesOnOffer[chunk.index] = 0;
    }

    /** Hands out pages of the chunk. */
    void offer(Chunk chunk) {
        pagesOnOffer[chunk.index] = chunk.freePages;
        firstWithRoom = Math.min(firstWithRoom, chunk.index);
    }

    /** Gives the spare chunk back to the source. */
    void giveSpare() {
        if (spareChunk != 0) {
            removeChunk(spareChunk);
            spareChunk = 0;
        }
    }

    private int addChunk(boolean reserved) {
        int index = table.add(chunkBytes, reserved);
        if (index == 0) {
            return 0;
        }
        if (index >= chunks.length) {
            int length = Math.max(2 * chunks.length, index + 1);
            chunks = Arrays.copyOf(chunks, length);
            pagesOnOffer = Arrays.copyOf(pagesOnOffer, length);
        }
        Chunk chunk = new Chunk(index);
        chunks[index] = chunk;
        chunkCount++;
        chunksEnd = Math.max(chunksEnd, index + 1);
        offer(chunk);
        return index;
    }

    private void removeChunk(int index) {
        chunks[index] = null;
        chunkCount--;
        pagesOnOffer[index] = 0;
        table.remove(index);
    }

    private static long mask(int first, int pages) {
        return Chunk.ALL_PAGES >>> (Chunk.PAGES - pages) << first;
    }

    /** Index of the lowest {@code pages} adjacent one-bits; -1 if there are none. */
    static int firstRun(long free, int pages) {
        long starts = free;
        for (int length = 1; length < pages && starts != 0; ) {
            int step = Math.min(length, pages - length);
            starts &= starts >>> step;
            length += step;
        }
        return starts == 0 ? -1 : Long.numberOfTrailingZeros(starts);
    }
}
