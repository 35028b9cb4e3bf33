package io.sdds.bench.paper;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.BuildResult.Size;
import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.TableOptions;
import io.sdds.core.model.SplitControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figure 8 of LH*LH: static against dynamic split control. */
final class SplitControls implements Experiment {
    /** Section 5.1: Tb'(N) and Tb(N), in seconds. */
    private static final Pair PAPER_1 = new Pair(440, 340);

    private static final Pair PAPER_4 = new Pair(230, 100);
    private static final double AT_LEAST_AS_FAST = 1;

    /** Build times under both controls. */
    private record Pair(double fixed, double dynamic) {
        double ratio() {
            return fixed / dynamic;
        }
    }

    /** Builds tables under both controls alternately. */
    private record Series(int clients, Pair paper, List<BuildResult> fixed, List<BuildResult> dynamic) {
        static double median(List<BuildResult> builds) {
            return Median.of(builds.stream().mapToDouble(BuildResult::seconds).toArray());
        }

        Pair medians() {
            return new Pair(median(fixed), median(dynamic));
        }
    }

    @Override
    public String name() {
        return "lh-8";
    }

    @Override
    public String title() {
        return "LH*LH, Figure 8: static and dynamic split control";
    }

    @Override
    public int steps(Scale scale) {
        return 4 * scale.repeats();
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        Series one = series(testbed, 1, PAPER_1);
        Series four = series(testbed, 4, PAPER_4);
        List<Comparison> comparisons = new ArrayList<>();
        for (Series series : List.of(one, four)) {
            compare(series, comparisons);
        }
        BuildResult any = one.dynamic().get(0);
        return new Findings(
                name(),
                title(),
                testbed.setting(ExampleBuilds.load(any, any.partitions()) + ", "
                        + testbed.scale().repeats() + " of each kind"),
                testbed.machine(),
                comparisons,
                List.of(
                        panel("a) Build time, 1 client", one),
                        panel("b) Build time, 4 clients", four),
                        growth("c) Partitions, 1 client", one)),
                List.of("Build times are medians; the curves are of the first build of each kind."));
    }

    private static Series series(Testbed testbed, int clients, Pair paper) throws InterruptedException {
        TableOptions dynamic = testbed.example();
        TableOptions fixed = dynamic.withSplitControl(SplitControl.STATIC);
        Series series = new Series(clients, paper, new ArrayList<>(), new ArrayList<>());
        for (int k = 0; k < testbed.scale().repeats(); k++) {
            series.dynamic().add(testbed.build(dynamic, clients, testbed.scale().comparedRecords()));
            series.fixed().add(testbed.build(fixed, clients, testbed.scale().comparedRecords()));
        }
        return series;
    }

    private static void compare(Series series, List<Comparison> into) {
        Pair ours = series.medians();
        String who = ExampleBuilds.clients(series.clients());
        into.add(Comparison.of("build time, static, " + who, "s", series.paper().fixed(), ours.fixed()));
        into.add(
                Comparison.of("build time, dynamic, " + who, "s", series.paper().dynamic(), ours.dynamic()));
        into.add(
                Comparison.of("static over dynamic, " + who, "×", series.paper().ratio(), ours.ratio())
                        .atLeast(AT_LEAST_AS_FAST));
    }

    /** Both build times, relative to the whole build time of the dynamic control. */
    private static Panel panel(String title, Series series) {
        Timeline dynamic = new Timeline(series.dynamic().get(0));
        Timeline fixed = new Timeline(series.fixed().get(0));
        double whole = dynamic.buildSeconds(dynamic.inserts());
        double last = dynamic.inserts() / 1e3;
        return new Panel(
                String.format(Locale.ROOT, "%s (1 = %.2f s)", title, whole),
                Axis.linear("inserts, thousands"),
                Axis.linear("over the dynamic control's whole"),
                List.of(
                        new Curve("SDDS, static", Source.OURS, fixed.curve(n -> fixed.buildSeconds(n) / whole)),
                        new Curve("SDDS, dynamic", Source.OURS, dynamic.curve(n -> dynamic.buildSeconds(n) / whole)),
                        new Curve(
                                "paper, static",
                                Source.PAPER,
                                List.of(new Point(last, series.paper().ratio()))),
                        new Curve("paper, dynamic", Source.PAPER, List.of(new Point(last, 1)))));
    }

    private static Panel growth(String title, Series series) {
        return new Panel(
                title,
                Axis.linear("inserts, thousands"),
                Axis.linear("partitions"),
                List.of(
                        new Curve("SDDS, static", Source.OURS, sizes(series.fixed())),
                        new Curve("SDDS, dynamic", Source.OURS, sizes(series.dynamic()))));
    }

    private static List<Point> sizes(List<BuildResult> builds) {
        List<Point> points = new ArrayList<>();
        for (Size size : builds.get(0).sizes()) {
            points.add(new Point(size.inserted() / 1e3, size.partitions()));
        }
        return points;
    }
}
