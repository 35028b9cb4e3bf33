package io.sdds.brick.parity.records;

import static io.sdds.brick.memory.SegmentBytes.INT;

import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Finds the ranks of a column by the fingerprints of its records, off-heap. It is for a column whose fingerprints do
 * not change any more, because the column's log takes no entries. It takes about 8 bytes for each record, but for that
 * it needs no memory: ranks for which memory is refused are searched one by one.
 *
 * <p>The owner releases the index before the fingerprints of the column change again.
 */
public final class FingerprintIndex {

    /* Each 65,536 ranks have a part of their own, a slot with a hash table with linear probing. A search builds the
     * next part before it looks, so each of the first searches takes about a millisecond longer, whatever the number of
     * ranks is, and nothing has to run in the background. A search costs a miss of the caches for each part, about a
     * microsecond for a million ranks in tables, and a nanosecond for each rank that is in no table yet.
     *
     * An entry of a table has a bit that is set, 15 bits of the fingerprint, and 16 bits of the rank. Entries are added
     * in the order of the ranks and never removed, so a probe meets equal fingerprints in the order of their ranks, and
     * ends at the first free entry. */

    private static final int PART_RANKS_LOG = 16;
    private static final int PART_RANKS = 1 << PART_RANKS_LOG;
    private static final int RANK_MASK = PART_RANKS - 1;
    private static final int USED = 1 << Integer.SIZE - 1;
    private static final int PLACES_LOG_MIN = 4;
    private static final int GOLDEN_RATIO = 0x9E37_79B9;

    private final SlotSpace slots;
    private final RankPages pages;
    private final int column;

    /** References of the tables of the parts; 0 for a part without records. */
    private int[] parts = new int[1];

    /** For each part, by how many bits a hash is shifted to be a place in the table. */
    private int[] shifts = new int[1];

    /** Number of parts that are built: the first ones. */
    private int built;

    /** Whether memory was refused since the last {@link #maintain}. */
    private boolean refused;

    FingerprintIndex(SlotSpace slots, RankPages pages, int column) {
        this.slots = slots;
        this.pages = pages;
        this.column = column;
    }

    /** Number of the first ranks that are searched by tables. All higher ranks are searched one by one. */
    public int builtRanks() {
        return built << PART_RANKS_LOG;
    }

    /** Visits the ranks at which the column has a record with this fingerprint, in ascending order. */
    public void forEach(int fingerprint, IntConsumer action) {
        build();
        for (int part = 0; part < built; part++) {
            if (parts[part] != 0) {
                probe(part, fingerprint, action);
            }
        }
        int top = pages.top();
        int rank = pages.find(column, fingerprint, builtRanks(), top);
        while (rank >= 0) {
            action.accept(rank);
            rank = pages.find(column, fingerprint, rank + 1, top);
        }
    }

    private void probe(int part, int fingerprint, IntConsumer action) {
        long ref = Integer.toUnsignedLong(parts[part]);
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref);
        int mask = (1 << Integer.SIZE - shifts[part]) - 1;
        int place = fingerprint * GOLDEN_RATIO >>> shifts[part];
        int entry = segment.get(INT, at + (long) place * Integer.BYTES);
        while (entry != 0) {
            int rank = (part << PART_RANKS_LOG) + (entry & RANK_MASK);
            if (entry >>> PART_RANKS_LOG == tag(fingerprint) && pages.fingerprint(column, rank) == fingerprint) {
                action.accept(rank);
            }
            place = place + 1 & mask;
            entry = segment.get(INT, at + (long) place * Integer.BYTES);
        }
    }

    /** The upper half of an entry. */
    private static int tag(int fingerprint) {
        return (fingerprint | USED) >>> PART_RANKS_LOG;
    }

    // ---- the tables

    /** Builds the next part, if there is one and memory for it. */
    private void build() {
        int first = builtRanks();
        int end = (int) Math.min(pages.top(), (long) first + PART_RANKS);
        if (first >= end || refused) {
            return;
        }
        if (built == parts.length) {
            parts = Arrays.copyOf(parts, 2 * built);
            shifts = Arrays.copyOf(shifts, 2 * built);
        }
        int count = pages.count(column, first, end);
        if (count == 0 || makeTable(count, first, end)) {
            built++;
        } else {
            refused = true;
        }
    }

    /** Makes the table of the next part, if there is memory: with at least two entries for each record. */
    private boolean makeTable(int count, int first, int end) {
        int placesLog = Math.max(PLACES_LOG_MIN, Integer.SIZE - Integer.numberOfLeadingZeros(2 * count - 1));
        long ref = slots.allocate((long) Integer.BYTES << placesLog, false);
        if (ref == 0) {
            return false;
        }
        parts[built] = (int) ref;
        shifts[built] = Integer.SIZE - placesLog;
        int shift = shifts[built];
        int[] table = new int[1 << placesLog]; // an array is filled faster than a slot
        pages.forEach(column, first, end, (rank, fingerprint) -> insert(table, shift, rank, fingerprint));
        MemorySegment.copy(table, 0, slots.segment(ref), INT, slots.offset(ref), table.length);
        return true;
    }

    private static void insert(int[] table, int shift, int rank, int fingerprint) {
        int place = fingerprint * GOLDEN_RATIO >>> shift;
        while (table[place] != 0) {
            place = place + 1 & table.length - 1;
        }
        table[place] = tag(fingerprint) << PART_RANKS_LOG | rank & RANK_MASK;
    }

    /** Each 100 ms: moves tables out of memory that is nearly empty, and lets searches ask for memory again. */
    public void maintain() {
        refused = false;
        for (int part = 0; part < built; part++) {
            long ref = Integer.toUnsignedLong(parts[part]);
            if (ref != 0 && slots.isEvacuating(ref)) {
                parts[part] = (int) slots.relocate(ref);
            }
        }
    }

    /** Frees all tables. The index may be used again, and begins anew. */
    public void release() {
        for (int part = 0; part < built; part++) {
            if (parts[part] != 0) {
                slots.free(Integer.toUnsignedLong(parts[part]));
                parts[part] = 0;
            }
        }
        built = 0;
    }
}
