package io.sdds.brick.memory;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The pages of a stage's ordinary chunks: hands out runs of adjacent pages, takes and gives back chunks as needed. */
final class PagePool {

    private final ChunkTable table;
    private final int chunkBytes;

    private @Nullable Chunk[] chunks = new @Nullable Chunk[8];

    /** For each chunk a bit for each page that may be handed out; 0 where there is no chunk, or one being emptied. */
    private long[] pagesOnOffer = new long[8];

    /** No chunk below this one has a page on offer. */
    private int firstWithRoom = 1;

    private int chunksEnd = 1;
    private int chunkCount;

    /** The one chunk that is kept though it is empty, so that a workload at its edge doesn't come and go; 0: none. */
    private int spareChunk;

    PagePool(ChunkTable table, int chunkBytes) {
        this.table = table;
        this.chunkBytes = chunkBytes;
    }

    /** The chunk of this number, or null if there is none, or it isn't cut into pages. */
    @Nullable
    Chunk find(int index) {
        return index < chunks.length ? chunks[index] : null;
    }

    /** The chunk of this number, which is there. */
    Chunk chunk(int index) {
        return Objects.requireNonNull(chunks[index]);
    }

    /** Numbers of chunks are below this one. */
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

    /** Takes back pages; a chunk of free pages is given back, but for one. */
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

    /** Gives the spare chunk back as well. */
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

    /** Where the lowest {@code pages} adjacent one-bits start, or -1. */
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
