package io.sdds.brick.memory;

/**
 * The slot sizes of a {@link SlotSpace}: every multiple of 8 bytes up to 1 KiB, then sixteen sizes for each doubling.
 * Pure arithmetic.
 */
final class SizeClasses {

    /* What it costs: a small slot wastes 3.5 bytes on average and never more than 7; a larger one wastes 3 % on average
     * and never more than 1/16. Powers of two from 16 bytes on are sizes of their own, so a slot of 64 · 2^k bytes is
     * a whole number of cache lines.
     *
     * Slots lie side by side in a *run* of pages. A run has the fewest pages that leave at most 1/16 of it unused, up
     * to eight pages. */

    static final int SLOT_BYTES_MIN = 16;

    private static final int UNIT_BYTES = 8;
    private static final int FINE_BYTES_MAX = 1024;
    private static final int FINE_LOG = 10;
    private static final int FINE_CLASSES = (FINE_BYTES_MAX - SLOT_BYTES_MIN) / UNIT_BYTES + 1;
    private static final int STEPS_LOG = 4;
    private static final int RUN_PAGES_MAX = 8;

    private SizeClasses() {}

    /** The smallest class whose slots hold {@code bytes}. */
    static int classOf(int bytes) {
        if (bytes <= FINE_BYTES_MAX) {
            return Math.max(0, (bytes - SLOT_BYTES_MIN + UNIT_BYTES - 1) / UNIT_BYTES);
        }
        int log = 31 - Integer.numberOfLeadingZeros(bytes - 1);
        int step = (bytes - 1 - (1 << log)) >>> (log - STEPS_LOG);
        return FINE_CLASSES + ((log - FINE_LOG) << STEPS_LOG) + step;
    }

    /** Bytes of a slot of the class. */
    static int slotBytes(int sizeClass) {
        if (sizeClass < FINE_CLASSES) {
            return SLOT_BYTES_MIN + sizeClass * UNIT_BYTES;
        }
        int log = FINE_LOG + ((sizeClass - FINE_CLASSES) >>> STEPS_LOG);
        int step = (sizeClass - FINE_CLASSES) & ((1 << STEPS_LOG) - 1);
        return (1 << log) + ((step + 1) << (log - STEPS_LOG));
    }

    /** Pages of {@code pageBytes} in a run of slots of {@code slotBytes}. */
    static int runPages(int slotBytes, int pageBytes) {
        int fewest = (slotBytes + pageBytes - 1) / pageBytes;
        int best = fewest;
        for (int pages = fewest; pages <= RUN_PAGES_MAX; pages++) {
            if (unusedBytes(pages, slotBytes, pageBytes) * 16 <= (long) pages * pageBytes) {
                return pages;
            }
            if (unusedBytes(pages, slotBytes, pageBytes) * best < unusedBytes(best, slotBytes, pageBytes) * pages) {
                best = pages;
            }
        }
        return best;
    }

    private static long unusedBytes(int pages, int slotBytes, int pageBytes) {
        return (long) pages * pageBytes % slotBytes;
    }
}
