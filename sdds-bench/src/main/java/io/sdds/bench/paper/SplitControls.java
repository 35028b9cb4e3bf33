package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.BuildResult.Size;
import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.client.TableOptions;
import io.sdds.core.model.SplitControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figure 8 of LH*LH: static against dynamic split control. */
final class SplitControls extends Experiment {
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
        Pair medians() {
            return new Pair(Median.of(fixed, BuildResult::seconds), Median.of(dynamic, BuildResult::seconds));
        }
    }

    SplitControls() {
        super("lh-8", "LH*LH, Figure 8: static and dynamic split control");
    }

    @Override
    int steps(Scale scale) {
        return 4 * scale.repeats();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Series one = series(testbed, 1, PAPER_1);
        Series four = series(testbed, 4, PAPER_4);
        Rows comparisons = new Rows();
        for (Series series : List.of(one, four)) {
            compare(series, comparisons);
        }
        BuildResult any = one.dynamic().get(0);
        return findings(
                testbed,
                ExampleBuilds.load(any, any.partitions()) + ", "
                        + testbed.scale().repeats() + " of each kind",
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
        Map<TableOptions, List<BuildResult>> builds = testbed.inTurn(
                List.of(dynamic, fixed),
                options -> testbed.build(options, clients, testbed.scale().comparedRecords()));
        return new Series(clients, paper, known(builds, fixed), known(builds, dynamic));
    }

    private static void compare(Series series, Rows into) {
        Pair ours = series.medians();
        String who = ExampleBuilds.clients(series.clients());
        into.add("build time, static, " + who, "s", series.paper().fixed(), ours.fixed());
        into.add("build time, dynamic, " + who, "s", series.paper().dynamic(), ours.dynamic());
        into.add("static over dynamic, " + who, "×", series.paper().ratio(), ours.ratio())
                .atLeast(AT_LEAST_AS_FAST);
    }

    /** Both build times, relative to the whole build time of the dynamic control. */
    private static Panel panel(String title, Series series) {
        Timeline dynamic = new Timeline(series.dynamic().get(0));
        Timeline fixed = new Timeline(series.fixed().get(0));
        double whole = dynamic.buildSeconds(dynamic.inserts());
        double last = dynamic.inserts() / 1e3;
        return Panel.of(
                format("%s (1 = %.2f s)", title, whole),
                linear("inserts, thousands"),
                linear("over the dynamic control's whole"),
                Curve.ours("SDDS, static", fixed.curve(n -> fixed.buildSeconds(n) / whole)),
                Curve.ours("SDDS, dynamic", dynamic.curve(n -> dynamic.buildSeconds(n) / whole)),
                Curve.paper(
                        "paper, static", List.of(new Point(last, series.paper().ratio()))),
                Curve.paper("paper, dynamic", List.of(new Point(last, 1))));
    }

    private static Panel growth(String title, Series series) {
        return Panel.of(
                title,
                linear("inserts, thousands"),
                linear("partitions"),
                Curve.ours("SDDS, static", sizes(series.fixed())),
                Curve.ours("SDDS, dynamic", sizes(series.dynamic())));
    }

    private static List<Point> sizes(List<BuildResult> builds) {
        List<Point> points = new ArrayList<>();
        for (Size size : builds.get(0).sizes()) {
            points.add(new Point(size.inserted() / 1e3, size.partitions()));
        }
        return points;
    }
}
