package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.BuildResult.Size;
import io.sdds.bench.load.LatencyTrace;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figure 11 of LH*LH: the insert time at a client falls as the table grows, in steps of a level. */
final class LevelSteps extends Experiment {
    /** Number of inserts over which the paper takes the mean. */
    private static final int WINDOW = 500;

    /** Section 5.2: milliseconds at the beginning and at the end, by clients. */
    private static final Map<Integer, Ends> PAPER = Map.of(1, new Ends(1.65, 1.2), 8, new Ends(8, 1.5));

    /** "Insert times about halving at each new step", for many clients. */
    private static final double PAPER_STEP = 2;

    private static final double BEGIN_SHARE = 0.1;

    /** Marginal insert times at both ends of a build. */
    private record Ends(double first, double last) {
        double ratio() {
            return first / last;
        }
    }

    /** The mean insert time while the table had one level. */
    private record Step(int level, double fromSeconds, double toSeconds, double micros) {}

    LevelSteps() {
        super("lh-11", "LH*LH, Figure 11: marginal insert time at one client, by level");
    }

    @Override
    int steps(Scale scale) {
        return InsertTimes.clients(scale).size();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        ExampleBuilds builds = ExampleBuilds.by(InsertTimes.clients(testbed.scale()), testbed);
        Rows comparisons = new Rows();
        List<Panel> panels = new ArrayList<>();
        builds.byClients().forEach((clients, build) -> {
            compare(clients, build, comparisons);
            panels.add(panel((char) ('a' + panels.size()) + ") " + ExampleBuilds.clients(clients), clients, build));
        });
        levels(known(builds.byClients(), 8), comparisons);
        return findings(
                testbed,
                builds.load() + ", means over " + WINDOW + " inserts",
                comparisons,
                panels,
                List.of("The paper's insert times fall because each new partition is on a processor of its own. "
                        + ScaleUp.coresNote(testbed)));
    }

    private static void compare(int clients, BuildResult build, Rows into) {
        List<Point> line = Timeline.moving(build.traces().get(0), WINDOW);
        Ends ours = new Ends(line.get(0).y() / 1e3, line.get(line.size() - 1).y() / 1e3);
        Ends paper = PAPER.get(clients);
        String who = ExampleBuilds.clients(clients);
        into.add("marginal insert, first, " + who, "ms", paper == null ? null : (Double) paper.first(), ours.first());
        into.add("marginal insert, last, " + who, "ms", paper == null ? null : (Double) paper.last(), ours.last());
        into.add("first over last, " + who, "×", paper == null ? null : (Double) paper.ratio(), ours.ratio());
    }

    private static void levels(BuildResult build, Rows into) {
        List<Step> steps = stepsOf(build);
        for (int k = 1; k < steps.size(); k++) {
            Step before = steps.get(k - 1);
            Step after = steps.get(k);
            into.add(
                    "level " + before.level() + " over level " + after.level() + ", 8 clients",
                    "×",
                    PAPER_STEP,
                    before.micros() / after.micros());
        }
    }

    /** Insert times relative to the first tenth, so that both curves fit into one diagram. */
    private static Panel panel(String title, int clients, BuildResult build) {
        LatencyTrace trace = build.traces().get(0);
        double begin = Timeline.meanMicros(trace, 0, BEGIN_SHARE * build.seconds());
        List<Point> line = Timeline.moving(trace, WINDOW).stream()
                .map(point -> new Point(point.x(), point.y() / begin))
                .toList();
        List<Point> steps = new ArrayList<>();
        for (Step step : stepsOf(build)) {
            steps.add(new Point(step.fromSeconds(), step.micros() / begin));
            steps.add(new Point(step.toSeconds(), step.micros() / begin));
        }
        List<Curve> curves = new ArrayList<>();
        curves.add(Curve.ours("mean of " + WINDOW, line));
        curves.add(Curve.reference("of a level", steps));
        Ends paper = PAPER.get(clients);
        if (paper != null) {
            curves.add(Curve.paper(
                    "paper, ends", List.of(new Point(0, 1), new Point(build.seconds(), paper.last() / paper.first()))));
        }
        return new Panel(title, linear("time, s"), linear("insert time over the first tenth's"), curves);
    }

    /** Levels in which the client ended inserts. A level begins when the split token returns to partition 0. */
    private static List<Step> stepsOf(BuildResult build) {
        LatencyTrace trace = build.traces().get(0);
        List<Step> steps = new ArrayList<>();
        List<Size> sizes = build.sizes();
        for (int level = 0; 1 << level <= build.partitions(); level++) {
            double from = secondsOf(sizes, 1 << level, build.seconds());
            double to = secondsOf(sizes, 2 << level, build.seconds());
            double micros = Timeline.meanMicros(trace, from, to);
            if (micros > 0) {
                steps.add(new Step(level, from, to, micros));
            }
        }
        return steps;
    }

    /** Time at which the table had so many partitions. */
    private static double secondsOf(List<Size> sizes, int partitions, double end) {
        return sizes.stream()
                .filter(size -> size.partitions() >= partitions)
                .mapToDouble(Size::seconds)
                .findFirst()
                .orElse(end);
    }
}
