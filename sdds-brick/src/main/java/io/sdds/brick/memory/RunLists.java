package io.sdds.brick.memory;

/** Keeps, for each size class, its sizes and the list of the runs that have free slots. */
final class RunLists {

    private final PagePool pages;
    private final int[] slotBytes;
    private final int[] runPages;
    private final int[] runSlots;

    /** The first run of each class's list; 0 if the list is empty. */
    private final int[] heads;

    RunLists(PagePool pages, int classes, int pageBytes) {
        this.pages = pages;
        this.slotBytes = new int[classes];
        this.runPages = new int[classes];
        this.runSlots = new int[classes];
        this.heads = new int[classes];
        for (int i = 0; i < classes; i++) {
            slotBytes[i] = SizeClasses.slotBytes(i);
            runPages[i] = SizeClasses.runPages(slotBytes[i], pageBytes);
            runSlots[i] = runPages[i] * pageBytes / slotBytes[i];
        }
    }

    int slotBytes(int sizeClass) {
        return slotBytes[sizeClass];
    }

    int runPages(int sizeClass) {
        return runPages[sizeClass];
    }

    /** The run whose free slots are used next; 0 if no run of the class has free slots. */
    int withRoom(int sizeClass) {
        return heads[sizeClass];
    }

    /** Notes that one more slot of the run is in use. */
    void taken(Chunk chunk, int first) {
        int sizeClass = chunk.sizeClass[first];
        chunk.liveBytes += slotBytes[sizeClass];
        int used = ++chunk.used[first];
        if (used == 1 && runSlots[sizeClass] > 1) {
            link(chunk, first);
        } else if (used > 1 && used == runSlots[sizeClass]) {
            unlink(chunk, first);
        }
    }

    /** Notes that one slot less of the run is in use. */
    void freed(Chunk chunk, int first) {
        int sizeClass = chunk.sizeClass[first];
        int used = --chunk.used[first];
        if (used < 0) {
            throw new IllegalStateException(
                    "slot freed in a run without slots: chunk " + chunk.index + " page " + first);
        }
        chunk.liveBytes -= slotBytes[sizeClass];
        if (chunk.evacuating) {
            return;
        }
        if (used > 0 && used == runSlots[sizeClass] - 1) {
            link(chunk, first);
        } else if (used == 0 && runSlots[sizeClass] > 1) {
            unlink(chunk, first);
        }
    }

    /** Uses no free slot of the chunk any more. */
    void withhold(Chunk chunk) {
        for (int page = 0; page < Chunk.PAGES; page++) {
            if (hasRoom(chunk, page)) {
                unlink(chunk, page);
            }
        }
    }

    /** Uses the free slots of the chunk again. */
    void offer(Chunk chunk) {
        for (int page = 0; page < Chunk.PAGES; page++) {
            if (hasRoom(chunk, page)) {
                link(chunk, page);
            }
        }
    }

    private boolean hasRoom(Chunk chunk, int page) {
        return chunk.hasRunAt(page) && chunk.used[page] < runSlots[chunk.sizeClass[page]];
    }

    private void link(Chunk chunk, int first) {
        int run = run(chunk, first);
        int sizeClass = chunk.sizeClass[first];
        int next = heads[sizeClass];
        chunk.previous[first] = 0;
        chunk.next[first] = next;
        if (next != 0) {
            chunkOf(next).previous[pageOf(next)] = run;
        }
        heads[sizeClass] = run;
    }

    private void unlink(Chunk chunk, int first) {
        int next = chunk.next[first];
        int previous = chunk.previous[first];
        if (next != 0) {
            chunkOf(next).previous[pageOf(next)] = previous;
        }
        if (previous != 0) {
            chunkOf(previous).next[pageOf(previous)] = next;
        } else {
            heads[chunk.sizeClass[first]] = next;
        }
    }

    private static int run(Chunk chunk, int first) {
        return chunk.index << Chunk.PAGES_LOG | first;
    }

    private Chunk chunkOf(int run) {
        return pages.chunk(run >>> Chunk.PAGES_LOG);
    }

    private static int pageOf(int run) {
        return run & (Chunk.PAGES - 1);
    }
}
