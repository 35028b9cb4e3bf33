package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.LatencyTrace;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Figures 9 and 10a of LH*LH: insert times of a client while a partition splits atomically or concurrently, with
 * individual or bulk shipping, in slices of several sizes.
 */
final class Splittings extends Experiment {
    private static final double PAPER_MEAN_MILLIS = 1.3;
    private static final double TIMES_LESS = 100;
    private static final int BINS = 200;

    /**
     * Sizes of slices besides the default: one or two records, about a dozen records as in the paper, and the maximum.
     */
    private static final List<Integer> SLICES = List.of(256, 2048, SplitPolicy.SLICE_BYTES_MAX);

    /** How partitions split. */
    private enum Variant {
        ATOMIC_INDIVIDUAL("atomic, individual", Splitting.ATOMIC, Shipping.INDIVIDUAL, new Paper(7.3, 450)),
        ATOMIC_BULK("atomic, bulk", Splitting.ATOMIC, Shipping.BULK, new Paper(0.52, 320)),
        CONCURRENT_BULK("concurrent, bulk", Splitting.CONCURRENT, Shipping.BULK, new Paper(0.007, 330)),
        /** A variant without figures in the paper. */
        CONCURRENT_INDIVIDUAL("concurrent, individual", Splitting.CONCURRENT, Shipping.INDIVIDUAL, null),
        /** The delays of the machine without splits. */
        NONE("no splits at all", Splitting.CONCURRENT, Shipping.BULK, null) {
            @Override
            TableOptions of(Scale scale) {
                return TableOptions.capacity(2L * scale.comparedRecords());
            }
        };

        private final String text;
        private final Splitting splitting;
        private final Shipping shipping;
        private final @Nullable Paper paper;

        Variant(String text, Splitting splitting, Shipping shipping, @Nullable Paper paper) {
            this.text = text;
            this.splitting = splitting;
            this.shipping = shipping;
            this.paper = paper;
        }

        TableOptions of(Scale scale) {
            return TableOptions.capacity(scale.largeCapacity())
                    .withSplitting(splitting)
                    .withShipping(shipping);
        }
    }

    /** Section 5: the worst insert and the whole build, in seconds. */
    private record Paper(double worst, double build) {}

    Splittings() {
        super("lh-9", "LH*LH, Figure 9: insert time during atomic and concurrent splits");
    }

    @Override
    int steps(Scale scale) {
        return (Variant.values().length + SLICES.size()) * scale.repeats();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Scale scale = testbed.scale();
        Map<Variant, BuildResult> builds =
                new EnumMap<>(builds(testbed, List.of(Variant.values()), kind -> kind.of(scale)));
        BuildResult any = known(builds, Variant.CONCURRENT_BULK);
        Map<Integer, BuildResult> slices = new TreeMap<>(builds(
                testbed,
                SLICES,
                bytes -> TableOptions.capacity(scale.largeCapacity()).withSliceBytes(bytes)));
        slices.put(SplitPolicy.SLICE_BYTES_DEFAULT, any);
        List<Comparison> comparisons = comparisons(builds);
        comparisons.addAll(ofSlices(slices));
        List<Panel> panels = new ArrayList<>();
        builds.forEach((variant, build) -> panels.add(panel(letter(panels) + variant.text, variant, build)));
        panels.add(panel(letter(panels) + "concurrent, bulk, by slice", slices));
        return findings(
                testbed,
                ExampleBuilds.load(any, any.partitions()) + ", " + scale.repeats() + " of each kind",
                comparisons,
                panels,
                List.of(
                        "Each kind is told by the build whose worst insert is the middle one. Without splits it is the"
                                + " worst of all: what the machine does to a client anyway.",
                        "The paper's concurrent build is that of its Figures 6 and 10a; it has none that is concurrent"
                                + " and individual.",
                        "Splits are seen by looks 10 ms apart, and are so much longer. Slices are of "
                                + SplitPolicy.SLICE_BYTES_DEFAULT
                                + " bytes where nothing else is said; the paper's had about a dozen records."));
    }

    /** The median builds of several kinds. Builds of different kinds alternate. */
    private static <K> Map<K, BuildResult> builds(Testbed testbed, List<K> kinds, Function<K, TableOptions> options)
            throws InterruptedException {
        Map<K, List<BuildResult>> all = testbed.inTurn(
                kinds,
                kind -> testbed.build(options.apply(kind), 1, testbed.scale().comparedRecords()));
        Map<K, BuildResult> middle = new LinkedHashMap<>();
        all.forEach((kind, each) -> middle.put(kind, middle(each)));
        return middle;
    }

    private static String letter(List<Panel> before) {
        return (char) ('a' + before.size()) + ") ";
    }

    private static BuildResult middle(List<BuildResult> builds) {
        return builds.stream()
                .sorted(Comparator.comparingDouble(Splittings::worst))
                .toList()
                .get(builds.size() / 2);
    }

    /** The slowest insert during splits in seconds; without splits, the slowest of all inserts. */
    private static double worst(BuildResult build) {
        LatencyTrace trace = build.traces().get(0);
        boolean splits = !build.splits().isEmpty();
        return (splits ? Timeline.worstMicros(trace, build.splits()) : Timeline.worstMicros(trace)) / 1e6;
    }

    private static double worstOfAll(BuildResult build) {
        return Timeline.worstMicros(build.traces().get(0)) / 1e6;
    }

    /** Total duration of splits. */
    private static double splitting(BuildResult build) {
        return build.splits().stream()
                .mapToDouble(span -> span.toSeconds() - span.fromSeconds())
                .sum();
    }

    private static List<Comparison> comparisons(Map<Variant, BuildResult> builds) {
        Rows all = new Rows();
        Map<Variant, BuildResult> splitting = new EnumMap<>(builds);
        splitting.remove(Variant.NONE);
        compare(all, splitting, "worst insert during splits, ", Paper::worst, Splittings::worst);
        all.add(ratio(builds, Variant.ATOMIC_INDIVIDUAL, Variant.ATOMIC_BULK));
        all.add(ratio(builds, Variant.ATOMIC_BULK, Variant.CONCURRENT_BULK));
        all.add(ratio(builds, Variant.ATOMIC_INDIVIDUAL, Variant.CONCURRENT_BULK)
                .atLeast(TIMES_LESS));
        splitting.forEach((variant, build) -> all.add("time of the split, " + variant.text, "s", splitting(build)));
        builds.forEach(
                (variant, build) -> all.add("worst insert at any time, " + variant.text, "s", worstOfAll(build)));
        compare(all, builds, "build time, ", Paper::build, BuildResult::seconds);
        return all;
    }

    private static List<Comparison> ofSlices(Map<Integer, BuildResult> slices) {
        Rows all = new Rows();
        slices.forEach((bytes, build) -> all.add("worst insert during splits, slices of " + bytes, "s", worst(build)));
        slices.forEach((bytes, build) -> all.add("time of the split, slices of " + bytes, "s", splitting(build)));
        return all;
    }

    private static void compare(
            Rows into,
            Map<Variant, BuildResult> builds,
            String what,
            ToDoubleFunction<Paper> papers,
            ToDoubleFunction<BuildResult> ours) {
        builds.forEach((variant, build) -> {
            Paper paper = variant.paper;
            Double theirs = paper == null ? null : (Double) papers.applyAsDouble(paper);
            into.add(what + variant.text, "s", theirs, ours.applyAsDouble(build));
        });
    }

    private static Comparison ratio(Map<Variant, BuildResult> builds, Variant one, Variant other) {
        double theirs = Objects.requireNonNull(one.paper).worst()
                / Objects.requireNonNull(other.paper).worst();
        return Comparison.of(
                "worst insert during splits, " + one.text + " over " + other.text,
                "×",
                theirs,
                worst(known(builds, one)) / worst(known(builds, other)));
    }

    /** Insert times relative to their mean, so that the peak of the paper fits into the same diagram. */
    private static Panel panel(String title, Variant variant, BuildResult build) {
        LatencyTrace trace = build.traces().get(0);
        double mean = Timeline.medianMicros(trace);
        List<Curve> curves = new ArrayList<>();
        curves.add(Curve.ours("SDDS, slowest", over(mean, Timeline.inBins(trace, BINS, true))));
        Paper paper = variant.paper;
        if (paper != null) {
            double peak = paper.worst() * 1e3 / PAPER_MEAN_MILLIS;
            curves.add(Curve.paperLevel("paper, highest peak", 0, build.seconds(), peak));
        }
        return new Panel(title, linear("time, s"), logarithmic("insert time over its usual value"), curves);
    }

    private static Panel panel(String title, Map<Integer, BuildResult> slices) {
        return Panel.of(
                title,
                logarithmic("bytes in a slice"),
                logarithmic("s"),
                Curve.ours("worst insert during splits", Panel.points(slices, Splittings::worst)),
                Curve.ours("time of the split", Panel.points(slices, Splittings::splitting)));
    }

    private static List<Point> over(double unit, List<Point> points) {
        return points.stream()
                .map(point -> new Point(point.x(), point.y() / unit))
                .toList();
    }
}
