package io.sdds.bench.paper;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.BuildResult.Span;
import io.sdds.bench.load.LatencyTrace;
import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Point;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Timeline of the build of a table, with all inserts of all clients. */
final class Timeline {
    private static final int POINTS = 120;
    /** First insert of the curves, because a mean over fewer inserts mostly shows the slow first inserts. */
    private static final double FIRST_SHARE = 0.01;

    private final double[] seconds;

    Timeline(BuildResult build) {
        seconds = build.traces().stream()
                .flatMapToDouble(trace -> IntStream.range(0, trace.size()).mapToDouble(trace::seconds))
                .sorted()
                .toArray();
    }

    int inserts() {
        return seconds.length;
    }

    /** Tb(n): seconds until n inserts had ended. */
    double buildSeconds(int inserts) {
        return seconds[inserts - 1];
    }

    /** Ti(n) = Tb(n)/n, in microseconds. */
    double insertMicros(int inserts) {
        return buildSeconds(inserts) / inserts * 1e6;
    }

    /** T(n) = 1/Ti(n), in inserts a second. */
    double throughput(int inserts) {
        return inserts / buildSeconds(inserts);
    }

    /** Mean time of an insert of all clients between two shares of the build, in microseconds. */
    double marginalMicros(double from, double to) {
        int first = Math.max(1, (int) (from * inserts()));
        int last = Math.max(first + 1, (int) (to * inserts()));
        return (buildSeconds(last) - (from == 0 ? 0 : buildSeconds(first))) / (last - first) * 1e6;
    }

    /** Time of an insert in the last quarter relative to the second quarter; 1 for a constant time. */
    double lastQuarterOverSecond() {
        return marginalMicros(0.75, 1) / marginalMicros(0.25, 0.5);
    }

    /** Plots a figure over thousands of inserts. */
    List<Point> curve(IntToDoubleFunction figure) {
        List<Point> points = new ArrayList<>();
        int first = Math.max(1, (int) (FIRST_SHARE * inserts()));
        for (int k = 0; k <= POINTS; k++) {
            int n = first + (int) ((long) (inserts() - first) * k / POINTS);
            points.add(new Point(n / 1e3, figure.applyAsDouble(n)));
        }
        return points;
    }

    /** The slowest insert of a trace, in microseconds. */
    static double worstMicros(LatencyTrace trace) {
        return IntStream.range(0, trace.size()).mapToDouble(trace::micros).max().orElse(0);
    }

    /**
     * The slowest insert of a trace that was outstanding in one of the intervals, in microseconds; 0 if there was no
     * such insert.
     */
    static double worstMicros(LatencyTrace trace, List<Span> spans) {
        return IntStream.range(0, trace.size())
                .filter(k -> spans.stream()
                        .anyMatch(span -> trace.seconds(k) >= span.fromSeconds()
                                && trace.seconds(k) - trace.micros(k) / 1e6 <= span.toSeconds()))
                .mapToDouble(trace::micros)
                .max()
                .orElse(0);
    }

    /** The median time of an insert of a trace, in microseconds. */
    static double medianMicros(LatencyTrace trace) {
        return Median.of(
                IntStream.range(0, trace.size()).mapToDouble(trace::micros).toArray());
    }

    /** Mean time of an insert of a trace, in microseconds. */
    static double meanMicros(LatencyTrace trace) {
        return IntStream.range(0, trace.size())
                .mapToDouble(trace::micros)
                .average()
                .orElse(0);
    }

    /** Mean time of the inserts that ended between two moments; 0 if there is none. */
    static double meanMicros(LatencyTrace trace, double fromSeconds, double toSeconds) {
        return IntStream.range(0, trace.size())
                .filter(k -> trace.seconds(k) >= fromSeconds && trace.seconds(k) < toSeconds)
                .mapToDouble(trace::micros)
                .average()
                .orElse(0);
    }

    /**
     * The time of an operation that so many of a hundred do not exceed, of those that began and ended between two
     * moments, in microseconds; 0 if there is none.
     */
    static double percentileMicros(LatencyTrace trace, double fromSeconds, double toSeconds, double percentile) {
        double[] sorted = within(trace, fromSeconds, toSeconds)
                .mapToDouble(trace::micros)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(percentile / 100 * sorted.length) - 1];
    }

    /** Number of the operations that began and ended between two moments. */
    static long count(LatencyTrace trace, double fromSeconds, double toSeconds) {
        return within(trace, fromSeconds, toSeconds).count();
    }

    private static IntStream within(LatencyTrace trace, double fromSeconds, double toSeconds) {
        return IntStream.range(0, trace.size())
                .filter(k -> trace.seconds(k) - trace.micros(k) / 1e6 >= fromSeconds && trace.seconds(k) <= toSeconds);
    }

    /** The longest operation that was outstanding at a moment between two others, in seconds; 0 if there is none. */
    static double longestSeconds(LatencyTrace trace, double fromSeconds, double toSeconds) {
        return IntStream.range(0, trace.size())
                        .filter(k -> trace.seconds(k) >= fromSeconds
                                && trace.seconds(k) - trace.micros(k) / 1e6 <= toSeconds)
                        .mapToDouble(trace::micros)
                        .max()
                        .orElse(0)
                / 1e6;
    }

    /** The end of the first operation that ended after a moment, in seconds; infinite if there is none. */
    static double firstEndSeconds(LatencyTrace trace, double fromSeconds) {
        return IntStream.range(0, trace.size())
                .mapToDouble(trace::seconds)
                .filter(end -> end >= fromSeconds)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** Standard deviation of the time of an insert of a trace, in microseconds. */
    static double deviationMicros(LatencyTrace trace) {
        double mean = meanMicros(trace);
        return Math.sqrt(IntStream.range(0, trace.size())
                .mapToDouble(k -> (trace.micros(k) - mean) * (trace.micros(k) - mean))
                .average()
                .orElse(0));
    }

    /** Plots microseconds over seconds: the slowest insert, or the mean, in each of so many equal intervals. */
    static List<Point> inBins(LatencyTrace trace, int bins, boolean slowest) {
        double end = trace.seconds(trace.size() - 1);
        List<DoubleSummaryStatistics> each =
                Stream.generate(DoubleSummaryStatistics::new).limit(bins).toList();
        for (int k = 0; k < trace.size(); k++) {
            int bin = Math.min(bins - 1, (int) (trace.seconds(k) / end * bins));
            each.get(bin).accept(trace.micros(k));
        }
        List<Point> points = new ArrayList<>();
        for (int bin = 0; bin < bins; bin++) {
            DoubleSummaryStatistics here = each.get(bin);
            if (here.getCount() > 0) {
                points.add(new Point((bin + 0.5) / bins * end, slowest ? here.getMax() : here.getAverage()));
            }
        }
        return points;
    }

    /**
     * Plots microseconds over seconds: means over so many consecutive inserts, or over fewer if there are not enough.
     */
    static List<Point> moving(LatencyTrace trace, int window) {
        int width = Math.max(1, Math.min(window, trace.size()));
        int stride = Math.max(1, (trace.size() - width) / POINTS);
        double sum = 0;
        List<Point> points = new ArrayList<>();
        for (int k = 0; k < trace.size(); k++) {
            sum += trace.micros(k) - (k < width ? 0 : trace.micros(k - width));
            if (k >= width - 1 && (k - width + 1) % stride == 0) {
                points.add(new Point(trace.seconds(k), sum / width));
            }
        }
        return points;
    }
}
