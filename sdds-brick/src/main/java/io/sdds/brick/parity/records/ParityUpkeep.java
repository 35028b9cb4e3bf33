package io.sdds.brick.parity.records;

import io.sdds.brick.memory.SlotSpace;

/**
 * The background work of parity records: moves slots out of the chunks of memory that are being evacuated, and frees
 * all slots after a release. A step works on 16 ranks. A round looks at each rank once.
 */
final class ParityUpkeep {

    private static final int STEP_RANKS = 16;

    private final SlotSpace slots;
    private final RankPages pages;
    private boolean released;
    private int round;

    /** Page of the next step; no round is under way when there is no such page. */
    private int page = Integer.MAX_VALUE;

    /** The next rank in the page. */
    private int rank;

    ParityUpkeep(SlotSpace slots, RankPages pages) {
        this.slots = slots;
        this.pages = pages;
        this.round = slots.evacuationRound();
    }

    /** Frees everything from now on. */
    void release() {
        released = true;
        page = 0;
        rank = 0;
    }

    /** Does a step. Returns whether there was something to do. */
    boolean step() {
        if (page >= pages.pages() && !begin()) {
            return !released && slots.planEvacuation();
        }
        if (!pages.hasPage(page)) {
            nextPage();
            return true;
        }
        if (rank == 0 && !released) {
            pages.relocate(page);
        }
        int end = Math.min(rank + STEP_RANKS, pages.ranks(page));
        for (; rank < end; rank++) {
            visit((page << RankPages.PAGE_RANKS_LOG) + rank);
        }
        if (rank >= pages.ranks(page)) {
            finishPage();
        }
        return true;
    }

    private boolean begin() {
        if (released || round == slots.evacuationRound()) {
            return false;
        }
        round = slots.evacuationRound();
        page = 0;
        rank = 0;
        return true;
    }

    private void visit(int at) {
        long ref = pages.reference(at);
        if (ref != 0 && released) {
            slots.free(ref);
            pages.reference(at, 0);
        } else if (ref != 0 && slots.isEvacuating(ref)) {
            pages.reference(at, slots.relocate(ref));
        }
    }

    private void finishPage() {
        if (released) {
            pages.freePage(page);
        }
        nextPage();
    }

    private void nextPage() {
        page++;
        rank = 0;
    }
}
