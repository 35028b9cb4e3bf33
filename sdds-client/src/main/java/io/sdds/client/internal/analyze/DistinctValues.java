package io.sdds.client.internal.analyze;

/**
 * Estimates how many different values a column has, from the hashes of the values of a sample of its rows.
 *
 * <p>Used by one thread at a time.
 */
final class DistinctValues {
    /*
     * The number of rows with each value is kept by the hash of the value. When more than `capacity` values are kept,
     * only the values stay whose hashes begin with one more zero bit: half of them (P. Gibbons, Distinct Sampling for
     * Highly-Accurate Answers to Distinct Values Queries, VLDB 2001). So the memory is bounded, and an estimate for the
     * values that are kept is one for all values, times two for each of these bits.
     *
     * The estimate from a sample is the one of A. Chao and C.-W. Lin for sampling without replacement (Nonparametric
     * Lower Bounds for Species Richness and Shared Species Richness under Sampling without Replacement, Biometrics
     * 2012): d + f1^2 / (2 f2 + f1 q / (1 - q)), for d values in the sample, of which f1 have one row and f2 two, and
     * the fraction q of the rows. Its expectation is at most the number of values. A column of unique values gives all
     * its rows, and a column whose values all have several rows in the sample gives these values.
     */

    private static final int SLOTS_FIRST = 16;

    private final int capacity;

    /** Zero bits that the hashes of the values kept begin with. */
    private int zeros;

    private int kept;
    private long[] hashes = new long[SLOTS_FIRST];

    /** Rows of the value of each hash; 0: the slot is free. */
    private int[] rows = new int[SLOTS_FIRST];

    /** @param capacity most values that are kept; up to so many the number of values of the sample is exact */
    DistinctValues(int capacity) {
        this.capacity = capacity;
    }

    /** Takes the value of a row by its 64-bit hash. */
    void add(long hash) {
        if (Long.numberOfLeadingZeros(hash) < zeros || !count(hash, 1)) {
            return;
        }
        if (++kept > capacity) {
            zeros++;
            rehash(hashes.length);
        } else if (kept * 2 > hashes.length) {
            rehash(hashes.length * 2);
        }
    }

    /** Adds rows of a value. Returns whether the value is new. */
    private boolean count(long hash, int more) {
        int mask = hashes.length - 1;
        int slot = (int) hash & mask;
        while (rows[slot] != 0 && hashes[slot] != hash) {
            slot = slot + 1 & mask;
        }
        boolean isNew = rows[slot] == 0;
        hashes[slot] = hash;
        rows[slot] += more;
        return isNew;
    }

    private void rehash(int slots) {
        long[] oldHashes = hashes;
        int[] oldRows = rows;
        hashes = new long[slots];
        rows = new int[slots];
        kept = 0;
        for (int k = 0; k < oldRows.length; k++) {
            if (oldRows[k] != 0
                    && Long.numberOfLeadingZeros(oldHashes[k]) >= zeros
                    && count(oldHashes[k], oldRows[k])) {
                kept++;
            }
        }
    }

    /**
     * The different values of the whole column.
     *
     * @param fraction of the rows of the column that were taken, above 0; 1: all of them
     */
    long estimate(double fraction) {
        long values = 0;
        long once = 0;
        long twice = 0;
        for (int count : rows) {
            values += count > 0 ? 1 : 0;
            once += count == 1 ? 1 : 0;
            twice += count == 2 ? 1 : 0;
        }
        double unseen =
                once == 0 || fraction >= 1 ? 0 : (double) once * once / (2 * twice + once * fraction / (1 - fraction));
        return Math.round((values + unseen) * Math.pow(2, zeros));
    }
}
