package io.sdds.bench.load;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** The median of figures. */
public final class Median {
    private Median() {}

    /** The median of a figure of each. */
    public static <T> double of(Collection<T> all, ToDoubleFunction<? super T> figure) {
        return of(all.stream().mapToDouble(figure).toArray());
    }

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
