package io.sdds.bench.paper;

import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Figure 4 of LH*RS: key search one by one, and in a flow, by the number of searches. */
final class KeySearch implements Experiment {
    private static final int PARITIES_MAX = 2;
    private static final int BRICKS = ParityFile.COLUMNS + PARITIES_MAX;
    private static final int PARTS = 5;

    /** Section 5: one by one 30 times as fast as a local disk, in a flow 100 times. */
    private static final double PAPER_ONE_OVER_FLOW = 100.0 / 30;

    /** Microseconds of a search in each part of the run, by k. */
    private record Times(Map<Integer, double[]> one, Map<Integer, double[]> flow) {}

    @Override
    public String name() {
        return "rs-4";
    }

    @Override
    public String title() {
        return "LH*RS, Figure 4: key search, one by one and in a flow";
    }

    @Override
    public int steps(Scale scale) {
        return (PARITIES_MAX + 1) * (1 + 2 * scale.repeats());
    }

    /** The paper had 125,000 records; this file has 100,000. */
    private static int records(Scale scale) {
        return scale.keys();
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        Scale scale = testbed.scale();
        Times times = new Times(new TreeMap<>(), new TreeMap<>());
        for (int k = 0; k <= PARITIES_MAX; k++) {
            measure(testbed, k, times);
        }
        return new Findings(
                name(),
                title(),
                testbed.setting(String.format(
                        Locale.ROOT,
                        "%,d searches in as many records of %d bytes on %d partitions, by one client; medians of %d",
                        records(scale),
                        Testbed.VALUE_BYTES,
                        ParityFile.COLUMNS,
                        scale.repeats())),
                testbed.machine(),
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
        int repeats = testbed.scale().repeats();
        try (ParityFile file = new ParityFile(
                testbed,
                BRICKS,
                ParityFile.options(ParityFile.COLUMNS, ParityFile.COLUMNS, k),
                records,
                Testbed.VALUE_BYTES)) {
            file.fill();
            search(file, records, true); // warms the code up
            testbed.stepDone();
            double[][] one = new double[repeats][];
            double[][] flow = new double[repeats][];
            for (int r = 0; r < repeats; r++) {
                one[r] = search(file, records, false);
                testbed.stepDone();
                flow[r] = search(file, records, true);
                testbed.stepDone();
            }
            into.one().put(k, medians(one));
            into.flow().put(k, medians(flow));
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

    private static double[] medians(double[][] repeats) {
        double[] medians = new double[PARTS];
        for (int part = 0; part < PARTS; part++) {
            double[] each = new double[repeats.length];
            for (int r = 0; r < repeats.length; r++) {
                each[r] = repeats[r][part];
            }
            medians[part] = Median.of(each);
        }
        return medians;
    }

    // ---- the numbers

    private static List<Comparison> comparisons(Times times) {
        List<Comparison> rows = new ArrayList<>();
        times.one().forEach((k, micros) -> rows.add(row("search, one by one, k=" + k, "µs", null, middle(micros))));
        times.flow().forEach((k, micros) -> rows.add(row("search, in a flow, k=" + k, "µs", null, middle(micros))));
        times.one()
                .forEach((k, micros) -> rows.add(row(
                        "one by one over a flow, k=" + k,
                        "×",
                        PAPER_ONE_OVER_FLOW,
                        middle(micros) / middle(ExampleBuilds.known(times.flow(), k)))));
        overNone(rows, "one by one", times.one());
        overNone(rows, "in a flow", times.flow());
        times.one()
                .forEach((k, micros) -> rows.add(
                        row("last fifth over first, one by one, k=" + k, "×", 1.0, micros[PARTS - 1] / micros[0])));
        times.flow()
                .forEach((k, micros) -> rows.add(
                        row("last fifth over first, in a flow, k=" + k, "×", 1.0, micros[PARTS - 1] / micros[0])));
        return rows;
    }

    private static void overNone(List<Comparison> into, String how, Map<Integer, double[]> times) {
        for (int k = 1; k <= PARITIES_MAX; k++) {
            double ratio = middle(ExampleBuilds.known(times, k)) / middle(ExampleBuilds.known(times, 0));
            into.add(row("search over k=0, " + how + ", k=" + k, "×", null, ratio));
        }
    }

    private static Comparison row(String what, String unit, @Nullable Double paper, double ours) {
        return Comparison.of(what, unit, paper, ours);
    }

    private static double middle(double[] micros) {
        return Median.of(micros);
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
            curves.add(new Curve("k = " + k, Source.OURS, points));
        });
        return new Panel(title, Axis.linear("searches, thousands"), Axis.linear("time, s"), curves);
    }
}
