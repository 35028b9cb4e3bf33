package io.sdds.coordinator.control.parity;

import io.sdds.core.model.Parity;

/**
 * The number of parities that a table of a size needs. After W. Litwin, J. Menon, T. Risch, "LH* Schemes with Scalable
 * Availability" (1998), and LH*RS: with a fixed k the probability that all records are available falls as the file
 * grows, so k grows with the file. The bounds are those of this implementation.
 */
public final class ParityAvailability {
    /*
     * A brick is away with the probability p, independently of the others. A group is available while at most k of its
     * m + k members are away, so with the probability Q = sum for i = 0 … k of C(m + k, i) p^i (1 - p)^(m + k - i). All
     * g groups are available with the probability Q^g. k suffices while Q^g is at least A. One group may have k = 1 in
     * any case, so that each table begins with 1.
     */
    private static final double BRICK_AWAY = 0.01;
    private static final double TABLE_AVAILABLE = 0.99;

    private ParityAvailability() {}

    /** The least k with which a table of so many partitions is available enough. */
    static int parities(int columns, int partitions) {
        int groups = new Parity(columns, 1).groups(partitions);
        int k = 1;
        while (k < Parity.PARITIES_MAX && groups > groupsMax(columns, k)) {
            k++;
        }
        return k;
    }

    /** The parity of a new table: with auto the k that it needs, as far as so many bricks suffice for it. */
    public static Parity atCreation(Parity asked, int partitions, int bricks) {
        int needed = asked.auto() ? Math.min(parities(asked.columns(), partitions), bricks - asked.columns()) : 0;
        return needed > asked.parities() ? asked.withParities(needed) : asked;
    }

    /** Largest number of groups for which k parities suffice. */
    private static long groupsMax(int columns, int k) {
        long groups = (long) (Math.log(TABLE_AVAILABLE) / Math.log(groupAvailable(columns + k, k)));
        return k == 1 ? Math.max(1, groups) : groups;
    }

    /** The probability that at most k of so many members are away. */
    private static double groupAvailable(int members, int k) {
        double exactly = Math.pow(1 - BRICK_AWAY, members);
        double sum = exactly;
        for (int away = 1; away <= k; away++) {
            exactly *= (members - away + 1) * BRICK_AWAY / (away * (1 - BRICK_AWAY));
            sum += exactly;
        }
        return sum;
    }
}
