package io.sdds.brick.memory;

/**
 * The runs of a chunk: 64 pages of equal size, of which each is free or belongs to one run of adjacent pages that is
 * cut into slots of one size class. What is known of a run stands at the index of its first page.
 */
final class Chunk {

    static final int PAGES_LOG = 6;
    static final int PAGES = 1 << PAGES_LOG;
    static final long ALL_PAGES = -1L;

    final int index;

    /** Bytes of the slots in use. */
    int liveBytes;

    /** Whether the chunk is to become empty: nothing new is put into it. */
    boolean evacuating;

    /** A bit for each free page. */
    long freePages = ALL_PAGES;

    /** For each page the first page of its run. */
    final byte[] runStart = new byte[PAGES];

    final byte[] runPages = new byte[PAGES];
    final short[] sizeClass = new short[PAGES];

    /** Slots in use. */
    final int[] used = new int[PAGES];

    /** Unit in the chunk of the free slot to use next, plus one; each free slot names the one after it. 0: none. */
    final int[] freeSlot = new int[PAGES];

    /** Slots from the run's start that have ever been used. */
    final int[] touched = new int[PAGES];

    /** Neighbours in the list of runs that this run is in; 0: none. */
    final int[] next = new int[PAGES];

    final int[] previous = new int[PAGES];

    Chunk(int index) {
        this.index = index;
    }

    /** Makes {@code pages} pages from {@code first} a run without slots in use. */
    void startRun(int first, int pages, int runClass) {
        for (int page = first; page < first + pages; page++) {
            runStart[page] = (byte) first;
        }
        runPages[first] = (byte) pages;
        sizeClass[first] = (short) runClass;
        used[first] = 0;
        freeSlot[first] = 0;
        touched[first] = 0;
    }

    /** Whether a run starts at the page. */
    boolean hasRunAt(int page) {
        return (freePages >>> page & 1) == 0 && runStart[page] == page;
    }
}
