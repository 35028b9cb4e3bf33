package io.sdds.core.model;

/**
 * The capacity weight of a brick: the share of the load that the brick gets, relative to the other bricks. A brick of
 * weight 2 gets twice as much as a brick of weight 1. Weights are whole numbers of hundredths on the wire, so that all
 * processes compute the same.
 */
public final class BrickWeight {
    /** Hundredths of the weight of a brick that tells none. */
    public static final int DEFAULT_HUNDREDTHS = 100;

    public static final int MIN_HUNDREDTHS = 10;
    public static final int MAX_HUNDREDTHS = 10_000;

    private BrickWeight() {}

    /** Whether a brick may tell a weight. 0 stands for none. */
    public static boolean isValid(int hundredths) {
        return hundredths == 0 || hundredths >= MIN_HUNDREDTHS && hundredths <= MAX_HUNDREDTHS;
    }

    /** The weight that counts for a brick: what it tells, else the default. */
    public static int orDefault(int hundredths) {
        return hundredths == 0 ? DEFAULT_HUNDREDTHS : hundredths;
    }

    /**
     * The hundredths of a weight.
     *
     * @throws IllegalArgumentException if the weight is not from 0.1 to 100
     */
    public static int hundredths(double weight) {
        long hundredths = Math.round(weight * 100);
        if (Double.isNaN(weight) || hundredths < MIN_HUNDREDTHS || hundredths > MAX_HUNDREDTHS) {
            throw new IllegalArgumentException("weight: '" + weight + "' is not a number from 0.1 to 100");
        }
        return (int) hundredths;
    }
}
