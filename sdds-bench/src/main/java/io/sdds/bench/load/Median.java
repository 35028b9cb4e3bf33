package io.sdds.bench.load;

import java.util.Arrays;

/** The median of figures. */
public final class Median {
    private Median() {}

    /** The middle one of the figures in their order, or the mean of the two in the middle; 0 if there are none. */
    public static double of(double... figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return 0;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
