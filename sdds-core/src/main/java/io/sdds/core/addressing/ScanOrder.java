package io.sdds.core.addressing;

/**
 * The order of hash scans (docs/design/scans.md, rule 17). Its points are the bit-reversed pseudo-keys, in unsigned
 * 64-bit order. Residue classes, partitions and LH-buckets are intervals of this order, however the file splits, merges
 * or grows. Ends are exclusive; 0 as an end means the end of the space.
 */
public final class ScanOrder {
    private ScanOrder() {}

    /** The point of a pseudo-key; its own inverse. */
    public static long point(long pseudoKey) {
        return Long.reverse(pseudoKey);
    }

    /** The first point of partition {@code a}. */
    public static long start(int a) {
        return Long.reverse(a);
    }

    /** The end (exclusive, 0 = end of the space) of partition {@code a} at level {@code j}. */
    public static long end(int a, int j) {
        return j == 0 ? 0 : start(a) + (1L << (64 - j));
    }

    /** The smaller of two ends, 0 being the largest. */
    public static long minEnd(long end, long other) {
        return Long.compareUnsigned(end - 1, other - 1) <= 0 ? end : other;
    }

    /** Whether a point lies before an end. */
    public static boolean before(long point, long end) {
        return Long.compareUnsigned(point, end - 1) <= 0;
    }
}
