package io.sdds.bench.joins;

import io.sdds.bench.load.LoadException;

/**
 * The result of a join: the number of couples, and a sum over them that shows whether two results are equal.
 *
 * @param sum for joins that deliver couples, the sum of {@link #mixed} of all couples; for joins that count, the sum of
 *     the keys of one side
 */
public record Couples(long count, long sum) {
    private static final long FACTOR = 1_000_003;

    /** A number that tells a couple from most others. */
    static long mixed(long one, long other) {
        return one * FACTOR ^ other;
    }

    /**
     * Returns this result if it equals another.
     *
     * @throws LoadException if it does not
     */
    public Couples same(Couples other, String what) {
        if (!equals(other)) {
            throw new LoadException(what + " returned " + other.count + " couples, sum " + other.sum + ", instead of "
                    + count + ", sum " + sum);
        }
        return this;
    }
}
