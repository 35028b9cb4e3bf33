package io.sdds.brick.memory;

/**
 * The runs of a chunk. A chunk has 64 pages of equal size. Each page is free or belongs to one run of adjacent pages,
 * and a run is cut into slots of one size class. The arrays hold the data of a run at the index of its first page.
 */
final class Chunk {

    static final int PAGES_LOG = 6;
    static final int PAGES = 1 << PAGES_LOG;
    static final long ALL_PAGES = -1L;

    final int index;

    /** Bytes of the slots in use. */
    int liveBytes;

    /** Whether the chunk is being evacuated, so that no new slot is taken from it. */
    boolean evacuating;

    /** A bit for each free page. */
    long freePages = ALL_PAGES;

    /** For each page the first page of its run. */
    final byte[] runStart = new byte[PAGES];

    final byte[] runPages = new byte[PAGES];
    final short[] sizeClass = new short[PAGES];

    /** For each run the number of slots in use. */
    final int[] used = new int[PAGES];

    /** Unit of each run's next free slot, plus one; 0 if there is none. Each free slot names the free slot after it. */
    final int[] freeSlot = new int[PAGES];

    /** For each run the number of slots, from its start on, that have ever been used. */
    final int[] touched = new int[PAGES];

    /** The next run in the list that a run is in, and in {@code previous} the run before; 0 if there is none. */
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
