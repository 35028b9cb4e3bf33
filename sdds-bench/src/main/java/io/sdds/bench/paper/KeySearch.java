package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Figure 4 of LH*RS: key search one by one, and in a flow, by the number of searches. */
final class KeySearch extends Experiment {
    private static final int PARITIES_MAX = 2;
    private static final int BRICKS = ParityFile.COLUMNS + PARITIES_MAX;
    private static final int PARTS = 5;

    /** Section 5: one by one 30 times as fast as a local disk, in a flow 100 times. */
    private static final double PAPER_ONE_OVER_FLOW = 100.0 / 30;

    /** Microseconds of a search in each part of the run, by k. */
    private record Times(Map<Integer, double[]> one, Map<Integer, double[]> flow) {}

    KeySearch() {
        super("rs-4", "LH*RS, Figure 4: key search, one by one and in a flow");
    }

    @Override
    int steps(Scale scale) {
        return (PARITIES_MAX + 1) * (1 + 2 * scale.repeats());
    }

    /** The paper had 125,000 records; this file has 100,000. */
    private static int records(Scale scale) {
        return scale.keys();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Scale scale = testbed.scale();
        Times times = new Times(new TreeMap<>(), new TreeMap<>());
        for (int k = 0; k <= PARITIES_MAX; k++) {
            measure(testbed, k, times);
        }
        return findings(
                testbed,
                format(
                        "%,d searches in as many records of %d bytes on %d partitions, by one client; medians of %d",
                        records(scale), Testbed.VALUE_BYTES, ParityFile.COLUMNS, scale.repeats()),
                comparisons(times),
                List.of(
                        panel("a) One by one", times.one(), records(scale)),
                        panel("b) In a flow", times.flow(), records(scale))),
                List.of(
                        "The paper tells times of its figure as speeds over a local disk, and has no k in it: parities"
                                + " take no part in a search, here neither.",
                        "In a flow the client has up to "
                                + ParityFile.WINDOW
                                + " searches outstanding, and many share a message. The paper's client sent each in a"
                                + " message of its own, so that its flow gained less.",
                        RsNotes.HARDWARE));
    }

    private static void measure(Testbed testbed, int k, Times into) throws InterruptedException {
        int records = records(testbed.scale());
        try (ParityFile file = ParityFile.of(testbed, BRICKS, k, records, Testbed.VALUE_BYTES)) {
            file.fill();
            search(file, records, true); // warms the code up
            testbed.stepDone();
            Map<Boolean, List<double[]>> micros = testbed.inTurn(List.of(false, true), flow -> {
                double[] each = search(file, records, flow);
                testbed.stepDone();
                return each;
            });
            into.one().put(k, medians(known(micros, false)));
            into.flow().put(k, medians(known(micros, true)));
        }
    }

    private static double[] search(ParityFile file, int records, boolean flow) throws InterruptedException {
        double[] micros = new double[PARTS];
        for (int part = 0; part < PARTS; part++) {
            int from = records / PARTS * part;
            int end = records / PARTS * (part + 1);
            double seconds = flow
                    ? file.series().search(file.table(), from, end)
                    : file.series().searchEach(file.table(), from, end);
            micros[part] = seconds / (end - from) * 1e6;
        }
        return micros;
    }

    private static double[] medians(List<double[]> repeats) {
        return IntStream.range(0, PARTS)
                .mapToDouble(part -> Median.of(repeats, each -> each[part]))
                .toArray();
    }

    // ---- the numbers

    private static List<Comparison> comparisons(Times times) {
        Rows rows = new Rows();
        searches(rows, "one by one", times.one());
        searches(rows, "in a flow", times.flow());
        times.one()
                .forEach((k, micros) -> rows.add(
                        "one by one over a flow, k=" + k,
                        "×",
                        PAPER_ONE_OVER_FLOW,
                        Median.of(micros) / Median.of(known(times.flow(), k))));
        overNone(rows, "one by one", times.one());
        overNone(rows, "in a flow", times.flow());
        lastOverFirst(rows, "one by one", times.one());
        lastOverFirst(rows, "in a flow", times.flow());
        return rows;
    }

    private static void searches(Rows into, String how, Map<Integer, double[]> times) {
        times.forEach((k, micros) -> into.add("search, " + how + ", k=" + k, "µs", Median.of(micros)));
    }

    private static void lastOverFirst(Rows into, String how, Map<Integer, double[]> times) {
        times.forEach((k, micros) ->
                into.add("last fifth over first, " + how + ", k=" + k, "×", 1.0, micros[PARTS - 1] / micros[0]));
    }

    private static void overNone(Rows into, String how, Map<Integer, double[]> times) {
        for (int k = 1; k <= PARITIES_MAX; k++) {
            double ratio = Median.of(known(times, k)) / Median.of(known(times, 0));
            into.add("search over k=0, " + how + ", k=" + k, "×", ratio);
        }
    }

    // ---- the picture

    /** Time of so many searches, as the paper draws it. */
    private static Panel panel(String title, Map<Integer, double[]> times, int records) {
        List<Curve> curves = new ArrayList<>();
        times.forEach((k, micros) -> {
            List<Point> points = new ArrayList<>(List.of(new Point(0, 0)));
            double seconds = 0;
            for (int part = 0; part < PARTS; part++) {
                seconds += micros[part] * (records / PARTS) / 1e6;
                points.add(new Point((double) records / PARTS * (part + 1) / 1e3, seconds));
            }
            curves.add(Curve.ours("k = " + k, points));
        });
        return new Panel(title, linear("searches, thousands"), linear("time, s"), curves);
    }
}
