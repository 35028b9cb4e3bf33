package io.sdds.brick.parity.records;

import static io.sdds.brick.memory.SegmentBytes.INT;

import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What a parity partition keeps for each rank beside the field: the field's slot, and a fingerprint for each column.
 */
final class RankPages {

    /* Ranks stand in pages of 256. A page is a slot with 1 + m arrays of 32-bit numbers, one number for each rank:
     * first the references of the fields, then the fingerprints of column 0, of column 1, and so on. So a search for a
     * fingerprint reads the numbers of one column one after the other. The first page begins with 4 ranks and doubles,
     * so that a small partition takes little memory.
     *
     * Page 0 of p ranks and any other page have one layout, with p or 256 as length of the arrays.
     *
     * A pin keeps the page of a rank. Each reservation has a pin. A page is freed when its last pin is gone and no
     * column has a record at any of its ranks. */

    static final int PAGE_RANKS_LOG = 8;
    static final int PAGE_RANKS = 1 << PAGE_RANKS_LOG;

    private static final int FIRST_RANKS_LOG_MIN = 2;
    private static final int NONE = -1;

    private final SlotSpace slots;
    private final int columns;

    /** References of the pages; 0 for a page that is not held. */
    private int[] pages = new int[1];

    /** For each page, number of ranks at which a column has a record. */
    private int[] used = new int[1];

    /** For each page, number of pins. */
    private int[] pins = new int[1];

    /** Length of the arrays of page 0, as a power of two. Undefined while page 0 is not held. */
    private int firstRanksLog;

    /** For each column, number of ranks at which it has a record. */
    private final int[] counts;

    private int top;
    private long records;
    private long bytes;

    RankPages(SlotSpace slots, int columns) {
        this.slots = slots;
        this.columns = columns;
        this.counts = new int[columns];
    }

    /** Number of ranks at which a column has a record. */
    long records() {
        return records;
    }

    /** Bytes of the pages. */
    long bytes() {
        return bytes;
    }

    /** A rank above all ranks at which a column has a record. */
    int top() {
        return top;
    }

    /** Number of pages, with those that are not held. */
    int pages() {
        return pages.length;
    }

    /** Reference of the field at a rank; 0 if there is none. */
    long reference(int rank) {
        return holds(rank) ? Integer.toUnsignedLong(number(0, rank)) : 0;
    }

    /** Sets the reference of the field at a rank, whose page must be held. */
    void reference(int rank, long reference) {
        number(0, rank, (int) reference);
    }

    /** Fingerprint of a column's record at a rank; 0 if there is none. */
    int fingerprint(int column, int rank) {
        return holds(rank) ? number(1 + column, rank) : 0;
    }

    /** Sets a fingerprint; 0 means that the column has no record at the rank. The rank's page must be held. */
    void fingerprint(int column, int rank, int fingerprint) {
        int before = number(1 + column, rank);
        if (before == fingerprint) {
            return;
        }
        number(1 + column, rank, fingerprint);
        if (before == 0 || fingerprint == 0) {
            counts[column] += before == 0 ? 1 : -1;
            int others = columns(rank) & ~(1 << column);
            if (others == 0) {
                int change = before == 0 ? 1 : -1;
                used[rank >>> PAGE_RANKS_LOG] += change;
                records += change;
            }
            top = Math.max(top, rank + 1);
        }
    }

    /** The columns that have a record at a rank: bit c for column c. */
    int columns(int rank) {
        int present = 0;
        for (int c = 0; c < columns; c++) {
            present |= fingerprint(c, rank) == 0 ? 0 : 1 << c;
        }
        return present;
    }

    private boolean holds(int rank) {
        int page = rank >>> PAGE_RANKS_LOG;
        return page < pages.length && pages[page] != 0 && (page > 0 || rank >>> firstRanksLog == 0);
    }

    private int number(int array, int rank) {
        long page = pageReference(rank >>> PAGE_RANKS_LOG);
        return slots.segment(page).get(INT, slots.offset(page) + offset(array, rank));
    }

    private void number(int array, int rank, int number) {
        long page = pageReference(rank >>> PAGE_RANKS_LOG);
        slots.segment(page).set(INT, slots.offset(page) + offset(array, rank), number);
    }

    private long pageReference(int page) {
        return Integer.toUnsignedLong(pages[page]);
    }

    private long offset(int array, int rank) {
        return (long) ((array << ranksLog(rank >>> PAGE_RANKS_LOG)) + (rank & PAGE_RANKS - 1)) * Integer.BYTES;
    }

    private int ranksLog(int page) {
        return page == 0 ? firstRanksLog : PAGE_RANKS_LOG;
    }

    private long pageBytes(int ranksLog) {
        return (long) (1 + columns << ranksLog) * Integer.BYTES;
    }

    /**
     * First rank from {@code from} on and below {@code to} at which a column has this fingerprint, or has any
     * fingerprint if {@code fingerprint} is 0; -1 if there is none.
     */
    int find(int column, int fingerprint, int from, int to) {
        int end = Math.min(to, top);
        int rank = from;
        while (rank < end) {
            int pageEnd = (int) Math.min(end, (rank | PAGE_RANKS - 1) + 1L);
            int found = holds(rank) ? findInPage(column, fingerprint, rank, pageEnd) : NONE;
            if (found >= 0) {
                return found;
            }
            rank = pageEnd;
        }
        return NONE;
    }

    private int findInPage(int column, int fingerprint, int from, int to) {
        int page = from >>> PAGE_RANKS_LOG;
        int first = page << PAGE_RANKS_LOG;
        int end = Math.min(to, first + (1 << ranksLog(page)));
        MemorySegment segment = slots.segment(pageReference(page));
        long at = slots.offset(pageReference(page)) + offset(1 + column, first);
        for (int rank = from; rank < end; rank++) {
            int here = segment.get(INT, at + (long) (rank - first) * Integer.BYTES);
            if (here != 0 && (here == fingerprint || fingerprint == 0)) {
                return rank;
            }
        }
        return NONE;
    }

    /** Number of ranks at which a column has a fingerprint. */
    int count(int column) {
        return counts[column];
    }

    /** Number of ranks from {@code from} on and below {@code to} at which a column has a fingerprint. */
    int count(int column, int from, int to) {
        int[] count = new int[1];
        forEach(column, from, to, (rank, fingerprint) -> count[0]++);
        return count[0];
    }

    /** Takes the fingerprint of a rank. */
    interface Visitor {
        void visit(int rank, int fingerprint);
    }

    /** Visits the ranks from {@code from} on and below {@code to} at which a column has a fingerprint, in order. */
    void forEach(int column, int from, int to, Visitor visitor) {
        int end = Math.min(to, top);
        int rank = from;
        while (rank < end) {
            int pageEnd = (int) Math.min(end, (rank | PAGE_RANKS - 1) + 1L);
            if (holds(rank)) {
                forEachInPage(column, rank, pageEnd, visitor);
            }
            rank = pageEnd;
        }
    }

    private void forEachInPage(int column, int from, int to, Visitor visitor) {
        int page = from >>> PAGE_RANKS_LOG;
        int first = page << PAGE_RANKS_LOG;
        int end = Math.min(to, first + (1 << ranksLog(page)));
        MemorySegment segment = slots.segment(pageReference(page));
        long at = slots.offset(pageReference(page)) + offset(1 + column, first);
        for (int rank = from; rank < end; rank++) {
            int here = segment.get(INT, at + (long) (rank - first) * Integer.BYTES);
            if (here != 0) {
                visitor.visit(rank, here);
            }
        }
    }

    /**
     * Makes room for a rank, until {@link #unpin}.
     *
     * @param reserved whether the last 5 % of the memory may be used
     * @return false if the memory is refused; nothing has changed then
     */
    boolean pin(int rank, boolean reserved) {
        int page = rank >>> PAGE_RANKS_LOG;
        if (page >= pages.length) {
            int wanted = Math.max(page + 1, 2 * pages.length);
            pages = Arrays.copyOf(pages, wanted);
            used = Arrays.copyOf(used, wanted);
            pins = Arrays.copyOf(pins, wanted);
        }
        if (!holds(rank) && !makePage(page, rank, reserved)) {
            return false;
        }
        pins[page]++;
        return true;
    }

    private boolean makePage(int page, int rank, boolean reserved) {
        int ranksLog = page == 0
                ? Math.max(FIRST_RANKS_LOG_MIN, Integer.SIZE - Integer.numberOfLeadingZeros(rank))
                : PAGE_RANKS_LOG;
        long to = slots.allocate(pageBytes(ranksLog), reserved);
        if (to == 0) {
            return false;
        }
        slots.segment(to).asSlice(slots.offset(to), pageBytes(ranksLog)).fill((byte) 0);
        if (pages[page] != 0) {
            copyFirstPage(to, ranksLog);
            freePage(page);
        }
        firstRanksLog = page == 0 ? ranksLog : firstRanksLog;
        pages[page] = (int) to;
        bytes += pageBytes(ranksLog);
        return true;
    }

    private void copyFirstPage(long to, int ranksLog) {
        long from = pageReference(0);
        long arrayBytes = (long) Integer.BYTES << firstRanksLog;
        for (int array = 0; array <= columns; array++) {
            long fromAt = slots.offset(from) + array * arrayBytes;
            long toAt = slots.offset(to) + ((long) array * Integer.BYTES << ranksLog);
            MemorySegment.copy(slots.segment(from), fromAt, slots.segment(to), toAt, arrayBytes);
        }
    }

    /** Takes back a {@link #pin} of the rank. */
    void unpin(int rank) {
        int page = rank >>> PAGE_RANKS_LOG;
        pins[page]--;
        if (pins[page] == 0 && used[page] == 0 && pages[page] != 0) {
            freePage(page);
            lowerTop();
        }
    }

    private void lowerTop() {
        int last = Math.min(pages.length, (top + PAGE_RANKS - 1) >>> PAGE_RANKS_LOG);
        while (last > 0 && pages[last - 1] == 0) {
            last--;
            top = last << PAGE_RANKS_LOG;
        }
    }

    /** Whether a page is held. */
    boolean hasPage(int page) {
        return pages[page] != 0;
    }

    /** Number of ranks that a page has room for. The page must be held. */
    int ranks(int page) {
        return 1 << ranksLog(page);
    }

    /** Frees a page that is held. */
    void freePage(int page) {
        bytes -= pageBytes(ranksLog(page));
        slots.free(pageReference(page));
        pages[page] = 0;
    }

    /** Counts no record any more. The pages stay, to be freed one by one. */
    void forgetRecords() {
        top = 0;
        records = 0;
        Arrays.fill(counts, 0);
    }

    /** Moves a page out of a chunk that is being evacuated. */
    void relocate(int page) {
        long from = pageReference(page);
        if (from != 0 && slots.isEvacuating(from)) {
            pages[page] = (int) slots.relocate(from);
        }
    }
}
