package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figure 6 of LH*LH: one to eight clients build a table. */
final class BuildTime extends Experiment {
    /** Tb(N) in seconds, by clients: section 5.1. */
    static final Map<Integer, Double> PAPER_SECONDS = new TreeMap<>(Map.of(1, 330.0, 2, 170.0, 8, 80.0));

    private static final double PAPER_MILLIS_MOST = 1.6;
    private static final double PAPER_RECORDS = 235_000;
    private static final double FLAT_MOST = 1.1;

    BuildTime() {
        super("lh-6", "LH*LH, Figure 6: build time and insert time by number of clients");
    }

    @Override
    int steps(Scale scale) {
        return scale.clients().size();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        ExampleBuilds builds = ExampleBuilds.by(testbed.scale().clients(), testbed);
        Map<Integer, Timeline> byClients = builds.timelines();
        return findings(
                testbed,
                builds.load(),
                comparisons(byClients),
                List.of(
                        panel("a) Build time", "build time, s", byClients, Timeline::buildSeconds),
                        panel("b) Time of an insert: build time over inserts", "µs", byClients, Timeline::insertMicros),
                        ScaleUp.speedUp("c) Times as fast as one client", byClients)),
                List.of(ScaleUp.coresNote(testbed)));
    }

    private static List<Comparison> comparisons(Map<Integer, Timeline> byClients) {
        Rows all = new Rows();
        double alone = seconds(known(byClients, 1));
        byClients.forEach((clients, line) -> all.add(
                "build time, " + ExampleBuilds.clients(clients), "s", PAPER_SECONDS.get(clients), seconds(line)));
        PAPER_SECONDS.forEach((clients, paper) -> {
            if (clients > 1 && byClients.containsKey(clients)) {
                double ratio = alone / seconds(known(byClients, clients));
                all.add(
                        "times as fast as one client, " + ExampleBuilds.clients(clients),
                        "×",
                        known(PAPER_SECONDS, 1) / paper,
                        ratio);
            }
        });
        Timeline one = known(byClients, 1);
        Timeline most = known(byClients, 8);
        all.add("time of an insert, 1 client", "ms", PAPER_MILLIS_MOST, one.insertMicros(one.inserts()) / 1e3);
        all.add(
                "time of an insert, 8 clients",
                "ms",
                known(PAPER_SECONDS, 8) / PAPER_RECORDS * 1e3,
                most.insertMicros(most.inserts()) / 1e3);
        double flat = Median.of(byClients.values(), Timeline::lastQuarterOverSecond);
        all.add("insert in the last quarter over the second, 1 client", "×", one.lastQuarterOverSecond())
                .atMost(FLAT_MOST);
        all.add("the same, median of all builds", "×", flat).atMost(FLAT_MOST);
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
            curves.add(Curve.ours(ExampleBuilds.clients(clients), points));
        });
        return new Panel(title, linear("inserts, thousands"), linear(unit), curves);
    }
}
