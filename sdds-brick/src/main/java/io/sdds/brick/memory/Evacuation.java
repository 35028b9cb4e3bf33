package io.sdds.brick.memory;

import java.util.Arrays;

/**
 * Chooses chunks to evacuate when a stage's memory is fragmented, so that whole chunks go back to the source. The
 * owners of the slots in these chunks move the slots.
 */
final class Evacuation {

    /* Records of one size that are freed at random leave holes that only records of this size can use, and hardly
     * ever an empty chunk. When a quarter of the memory is holes, a round begins. The round chooses chunks of which
     * a quarter is holes, as long as their slots have room in the other chunks. Only three quarters of the holes
     * there count as room, because the sizes may not fit. No new slot is taken from a chosen chunk. The next round
     * begins only when an eighth of the memory has been freed again. So moving costs no more than a few bytes for
     * each byte freed.
     *
     * New slots may take the room of a round before the slots of its chosen chunks are moved, so that slots stay in
     * these chunks. The next round decides anew about these chunks, since otherwise their holes would be lost as room.
     *
     * When memory is short, chosen chunks are used again. */

    private static final int CHUNKS_MIN = 4;

    private final PagePool pages;
    private final RunLists runs;
    private final int chunkBytes;

    /** Numbers of the chosen chunks. Some of these chunks may have been freed since. */
    private int[] chosen = new int[8];

    private int chosenCount;
    private int round;

    /** The chunk below this number is considered next; 0 if no round is being planned. */
    private int cursor;

    private boolean choseAny;
    private long holeBytes;
    private long movedBytes;
    private long freedBytesAtNextRound;

    Evacuation(PagePool pages, RunLists runs, int chunkBytes) {
        this.pages = pages;
        this.runs = runs;
        this.chunkBytes = chunkBytes;
    }

    /** The number of the last round that was planned; 0 before the first. */
    int round() {
        return round;
    }

    /**
     * Considers one more chunk, if a round is being planned or should be.
     *
     * @param liveBytes bytes of the slots in chunks that are cut into pages
     * @param freedBytes bytes of all slots that were ever freed
     * @return false if no round is due
     */
    boolean plan(long liveBytes, long freedBytes) {
        if (cursor == 0 && !begin(liveBytes, freedBytes)) {
            return false;
        }
        cursor--;
        Chunk chunk = pages.find(cursor);
        if (chunk != null) {
            decide(chunk);
        }
        if (cursor == 0 && choseAny) {
            round++;
        }
        return true;
    }

    private boolean begin(long liveBytes, long freedBytes) {
        holeBytes = pages.bytes() - liveBytes;
        boolean due = holeBytes > Math.max((long) CHUNKS_MIN * chunkBytes, pages.bytes() / 4);
        if (!due || freedBytes < freedBytesAtNextRound) {
            return false;
        }
        freedBytesAtNextRound = freedBytes + pages.bytes() / 8;
        movedBytes = 0;
        choseAny = false;
        cursor = pages.chunksEnd();
        forgetEmptied();
        return true;
    }

    private void forgetEmptied() {
        int kept = 0;
        for (int i = 0; i < chosenCount; i++) {
            Chunk chunk = pages.find(chosen[i]);
            if (chunk != null && chunk.evacuating) {
                chosen[kept++] = chosen[i];
            }
        }
        chosenCount = kept;
    }

    private boolean isWorthIt(Chunk chunk) {
        long holesElsewhere = holeBytes - (chunkBytes - chunk.liveBytes);
        boolean holey = chunk.liveBytes > 0 && chunk.liveBytes <= chunkBytes / 4 * 3;
        return holey && movedBytes + chunk.liveBytes <= holesElsewhere * 3 / 4;
    }

    private void decide(Chunk chunk) {
        if (isWorthIt(chunk)) {
            choseAny = true;
            holeBytes -= chunkBytes - chunk.liveBytes;
            movedBytes += chunk.liveBytes;
            if (!chunk.evacuating) {
                withhold(chunk);
            }
        } else if (chunk.evacuating) {
            offer(chunk);
        }
    }

    private void withhold(Chunk chunk) {
        pages.withhold(chunk);
        runs.withhold(chunk);
        chunk.evacuating = true;
        if (chosenCount == chosen.length) {
            chosen = Arrays.copyOf(chosen, 2 * chosenCount);
        }
        chosen[chosenCount++] = chunk.index;
    }

    /**
     * Uses a chosen chunk again.
     *
     * @return false if no chunk is chosen
     */
    boolean cancelOne() {
        while (chosenCount > 0) {
            Chunk chunk = pages.find(chosen[--chosenCount]);
            if (chunk != null && chunk.evacuating) {
                offer(chunk);
                return true;
            }
        }
        return false;
    }

    private void offer(Chunk chunk) {
        chunk.evacuating = false;
        pages.offer(chunk);
        runs.offer(chunk);
    }
}
