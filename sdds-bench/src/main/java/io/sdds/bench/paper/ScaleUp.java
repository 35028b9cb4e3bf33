package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figure 7 of LH*LH: throughput of one to eight clients, compared with the ideal. */
final class ScaleUp extends Experiment {
    private static final double PAPER_INSERTS_PER_SECOND_MOST = 2700;
    private static final double PAPER_RELATIVE_OF_8 = 4;

    ScaleUp() {
        super("lh-7", "LH*LH, Figure 7: throughput scale-up by number of clients");
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
                        BuildTime.panel("a) Throughput", "inserts/s", byClients, Timeline::throughput),
                        speedUp("b) Throughput relative to one client", byClients)),
                List.of(coresNote(testbed)));
    }

    private static List<Comparison> comparisons(Map<Integer, Timeline> byClients) {
        Rows all = new Rows();
        double alone = throughput(known(byClients, 1));
        double most = byClients.values().stream()
                .mapToDouble(ScaleUp::throughput)
                .max()
                .orElse(0);
        all.add("highest throughput", "inserts/s", PAPER_INSERTS_PER_SECOND_MOST, most);
        byClients.forEach((clients, line) -> all.add(
                "relative throughput, " + ExampleBuilds.clients(clients),
                "×",
                clients == 8 ? (Double) PAPER_RELATIVE_OF_8 : relativeByBuildTime(clients),
                throughput(line) / alone));
        return all;
    }

    /** T is the inverse of Tb for one N. */
    private static @Nullable Double relativeByBuildTime(int clients) {
        Double seconds = BuildTime.PAPER_SECONDS.get(clients);
        return seconds == null ? null : (Double) (known(BuildTime.PAPER_SECONDS, 1) / seconds);
    }

    private static double throughput(Timeline line) {
        return line.throughput(line.inserts());
    }

    /** Speed-up over one client by number of clients: measured, of the paper, and ideal. */
    static Panel speedUp(String title, Map<Integer, Timeline> byClients) {
        double alone = throughput(known(byClients, 1));
        double paperAlone = known(BuildTime.PAPER_SECONDS, 1);
        List<Point> ideal =
                byClients.keySet().stream().map(n -> new Point(n, n)).toList();
        return Panel.of(
                title,
                linear("clients"),
                linear("times one client's"),
                Curve.ours("SDDS", Panel.points(byClients, line -> throughput(line) / alone)),
                Curve.paper("paper", Panel.points(BuildTime.PAPER_SECONDS, seconds -> paperAlone / seconds)),
                Curve.reference("ideal", ideal));
    }

    /** Explains why the speed-up cannot be near the ideal on a small machine. */
    static String coresNote(Testbed testbed) {
        return "The paper had a processor for each client and each server; here all clients and bricks share "
                + testbed.machine().cores() + " cores.";
    }
}
