package io.sdds.bench.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What growing cost those who used a table meanwhile.
 *
 * @param ratePerSecond operations begun in each run
 * @param addedP9999Micros median over the pairs of p99.99 while growing less p99.99 while quiet: the figure
 */
public record GrowthResult(
        GrowthSettings settings,
        Machine machine,
        long ratePerSecond,
        List<Pair> pairs,
        double quietP9999Micros,
        double growingP9999Micros,
        double addedP9999Micros) {

    public GrowthResult {
        pairs = List.copyOf(pairs);
    }

    /**
     * One table, first at rest, then growing, under the same rate.
     *
     * @param splits that ended in the second run
     * @param inserted records it added
     */
    public record Pair(LoadResult quiet, LoadResult growing, int splits, int inserted) {
        /** What growing added to the slowest operation in ten thousand. */
        double addedP9999Micros() {
            return growing.latency().p9999Micros() - quiet.latency().p9999Micros();
        }
    }

    /** Whether nothing went wrong in any run. */
    public boolean isSound() {
        return pairs.stream()
                .allMatch(pair -> pair.quiet().isSound() && pair.growing().isSound());
    }

    static GrowthResult of(GrowthSettings settings, Machine machine, long ratePerSecond, List<Pair> pairs) {
        return new GrowthResult(
                settings,
                machine,
                ratePerSecond,
                pairs,
                median(pairs, pair -> pair.quiet().latency().p9999Micros()),
                median(pairs, pair -> pair.growing().latency().p9999Micros()),
                median(pairs, Pair::addedP9999Micros));
    }

    private static double median(List<Pair> pairs, ToDoubleFunction<Pair> figure) {
        double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).average().orElse(0);
    }
}
