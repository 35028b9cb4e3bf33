package io.sdds.bench.load;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Latency that the growth of a table adds to operations.
 *
 * @param ratePerSecond operations started a second in each run
 * @param addedP9999Micros the result: median over all pairs of the p99.99 while growing minus the p99.99 at rest
 */
public record GrowthResult(
        GrowthSettings settings,
        Machine machine,
        long ratePerSecond,
        List<Pair> pairs,
        double quietP9999Micros,
        double growingP9999Micros,
        double addedP9999Micros)
        implements BenchResult {

    public GrowthResult {
        pairs = List.copyOf(pairs);
    }

    /**
     * Two runs on one table with the same rate, first at rest, then growing.
     *
     * @param splits number of splits that ended in the second run
     * @param inserted number of records that the second run inserted
     */
    public record Pair(LoadResult quiet, LoadResult growing, int splits, int inserted) {
        /** Increase of the p99.99 latency by the growth. */
        double addedP9999Micros() {
            return growing.latency().p9999Micros() - quiet.latency().p9999Micros();
        }
    }

    /** Whether all runs were sound. */
    @Override
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
        return Median.of(pairs, figure);
    }

    @Override
    public String text(String command) {
        return LoadReports.text(command, this);
    }
}
