package io.sdds.bench.paper;

import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figure 7 of LH*LH: throughput of one to eight clients, compared with the ideal. */
final class ScaleUp implements Experiment {
    private static final double PAPER_INSERTS_PER_SECOND_MOST = 2700;
    private static final double PAPER_RELATIVE_OF_8 = 4;

    @Override
    public String name() {
        return "lh-7";
    }

    @Override
    public String title() {
        return "LH*LH, Figure 7: throughput scale-up by number of clients";
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
                        BuildTime.panel("a) Throughput", "inserts/s", byClients, Timeline::throughput),
                        speedUp("b) Throughput relative to one client", byClients)),
                List.of(coresNote(testbed)));
    }

    private static List<Comparison> comparisons(Map<Integer, Timeline> byClients) {
        List<Comparison> all = new ArrayList<>();
        double alone = throughput(ExampleBuilds.known(byClients, 1));
        double most = byClients.values().stream()
                .mapToDouble(ScaleUp::throughput)
                .max()
                .orElse(0);
        all.add(Comparison.of("highest throughput", "inserts/s", PAPER_INSERTS_PER_SECOND_MOST, most));
        byClients.forEach((clients, line) -> all.add(Comparison.of(
                "relative throughput, " + ExampleBuilds.clients(clients),
                "×",
                clients == 8 ? (Double) PAPER_RELATIVE_OF_8 : relativeByBuildTime(clients),
                throughput(line) / alone)));
        return all;
    }

    /** T is the inverse of Tb for one N. */
    private static @Nullable Double relativeByBuildTime(int clients) {
        Double seconds = BuildTime.PAPER_SECONDS.get(clients);
        return seconds == null ? null : (Double) (ExampleBuilds.known(BuildTime.PAPER_SECONDS, 1) / seconds);
    }

    private static double throughput(Timeline line) {
        return line.throughput(line.inserts());
    }

    /** Speed-up over one client by number of clients: measured, of the paper, and ideal. */
    static Panel speedUp(String title, Map<Integer, Timeline> byClients) {
        List<Point> ours = new ArrayList<>();
        List<Point> ideal = new ArrayList<>();
        List<Point> paper = new ArrayList<>();
        byClients.forEach((clients, line) -> {
            ours.add(new Point(clients, throughput(line) / throughput(ExampleBuilds.known(byClients, 1))));
            ideal.add(new Point(clients, clients));
        });
        BuildTime.PAPER_SECONDS.forEach((clients, seconds) ->
                paper.add(new Point(clients, ExampleBuilds.known(BuildTime.PAPER_SECONDS, 1) / seconds)));
        return new Panel(
                title,
                Axis.linear("clients"),
                Axis.linear("times one client's"),
                List.of(
                        new Curve("SDDS", Source.OURS, ours),
                        new Curve("paper", Source.PAPER, paper),
                        new Curve("ideal", Source.REFERENCE, ideal)));
    }

    /** Explains why the speed-up cannot be near the ideal on a small machine. */
    static String coresNote(Testbed testbed) {
        return "The paper had a processor for each client and each server; here all clients and bricks share "
                + testbed.machine().cores() + " cores.";
    }
}
