package io.sdds.bench.paper;

import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figure 6 of LH*LH: one to eight clients build a table. */
final class BuildTime implements Experiment {
    /** Tb(N) in seconds, by clients: section 5.1. */
    static final Map<Integer, Double> PAPER_SECONDS = new TreeMap<>(Map.of(1, 330.0, 2, 170.0, 8, 80.0));

    private static final double PAPER_MILLIS_MOST = 1.6;
    private static final double PAPER_RECORDS = 235_000;
    private static final double FLAT_MOST = 1.1;

    @Override
    public String name() {
        return "lh-6";
    }

    @Override
    public String title() {
        return "LH*LH, Figure 6: build time and insert time by number of clients";
    }

    @Override
    public int steps(Scale scale) {
        return scale.clients().size();
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        ExampleBuilds builds = ExampleBuilds.by(testbed.scale().clients(), testbed);
        Map<Integer, Timeline> byClients = builds.timelines();
        return new Findings(
                name(),
                title(),
                testbed.setting(builds.load()),
                testbed.machine(),
                comparisons(byClients),
                List.of(
                        panel("a) Build time", "build time, s", byClients, Timeline::buildSeconds),
                        panel("b) Time of an insert: build time over inserts", "µs", byClients, Timeline::insertMicros),
                        ScaleUp.speedUp("c) Times as fast as one client", byClients)),
                List.of(ScaleUp.coresNote(testbed)));
    }

    private static List<Comparison> comparisons(Map<Integer, Timeline> byClients) {
        List<Comparison> all = new ArrayList<>();
        double alone = seconds(ExampleBuilds.known(byClients, 1));
        byClients.forEach((clients, line) -> all.add(Comparison.of(
                "build time, " + ExampleBuilds.clients(clients), "s", PAPER_SECONDS.get(clients), seconds(line))));
        PAPER_SECONDS.forEach((clients, paper) -> {
            if (clients > 1 && byClients.containsKey(clients)) {
                double ratio = alone / seconds(ExampleBuilds.known(byClients, clients));
                all.add(Comparison.of(
                        "times as fast as one client, " + ExampleBuilds.clients(clients),
                        "×",
                        ExampleBuilds.known(PAPER_SECONDS, 1) / paper,
                        ratio));
            }
        });
        Timeline one = ExampleBuilds.known(byClients, 1);
        Timeline most = ExampleBuilds.known(byClients, 8);
        all.add(Comparison.of(
                "time of an insert, 1 client", "ms", PAPER_MILLIS_MOST, one.insertMicros(one.inserts()) / 1e3));
        all.add(Comparison.of(
                "time of an insert, 8 clients",
                "ms",
                ExampleBuilds.known(PAPER_SECONDS, 8) / PAPER_RECORDS * 1e3,
                most.insertMicros(most.inserts()) / 1e3));
        double flat = Median.of(byClients.values().stream()
                .mapToDouble(Timeline::lastQuarterOverSecond)
                .toArray());
        all.add(Comparison.of(
                        "insert in the last quarter over the second, 1 client", "×", null, one.lastQuarterOverSecond())
                .atMost(FLAT_MOST));
        all.add(Comparison.of("the same, median of all builds", "×", null, flat).atMost(FLAT_MOST));
        return all;
    }

    private static double seconds(Timeline line) {
        return line.buildSeconds(line.inserts());
    }

    /** A figure of a build after each insert. */
    interface OfBuild {
        double at(Timeline line, int inserts);
    }

    /** A figure against the inserts, a curve for each number of clients. */
    static Panel panel(String title, String unit, Map<Integer, Timeline> byClients, OfBuild figure) {
        List<Curve> curves = new ArrayList<>();
        byClients.forEach((clients, line) -> {
            List<Point> points = line.curve(n -> figure.at(line, n));
            curves.add(new Curve(ExampleBuilds.clients(clients), Source.OURS, points));
        });
        return new Panel(title, Axis.linear("inserts, thousands"), Axis.linear(unit), curves);
    }
}
