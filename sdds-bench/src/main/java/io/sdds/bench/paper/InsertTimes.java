package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.LatencyTrace;
import io.sdds.bench.paper.Panel.Curve;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figure 10 of LH*LH: insert time at one client while other clients insert too. */
final class InsertTimes extends Experiment {
    static final List<Integer> CLIENTS = List.of(1, 2, 3, 4, 8);

    /** Section 5.2: the highest peak in milliseconds, by clients. */
    private static final Map<Integer, Double> PAPER_WORST_MILLIS = Map.of(1, 7.0, 8, 25.0);

    /** Mean time of an insert at a client, k times Tb/N of section 5.1, in milliseconds. */
    private static final Map<Integer, Double> PAPER_MEAN_MILLIS =
            Map.of(1, 330_000.0 / 235_000, 8, 8 * 80_000.0 / 235_000);

    private static final int BINS = 200;

    InsertTimes() {
        super("lh-10", "LH*LH, Figure 10: insert time at one client, concurrent splitting");
    }

    @Override
    int steps(Scale scale) {
        return clients(scale).size();
    }

    /** The figures of the paper for the numbers of clients in the scale. */
    static List<Integer> clients(Scale scale) {
        return CLIENTS.stream().filter(scale.clients()::contains).toList();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        ExampleBuilds builds = ExampleBuilds.by(clients(testbed.scale()), testbed);
        Rows comparisons = new Rows();
        List<Panel> panels = new ArrayList<>();
        builds.byClients().forEach((clients, build) -> {
            LatencyTrace trace = build.traces().get(0);
            comparisons.add(
                    "worst insert, " + ExampleBuilds.clients(clients),
                    "ms",
                    PAPER_WORST_MILLIS.get(clients),
                    Timeline.worstMicros(trace) / 1e3);
            panels.add(peaks((char) ('a' + panels.size()) + ") " + ExampleBuilds.clients(clients), clients, trace));
        });
        builds.byClients()
                .forEach((clients, build) -> comparisons.add(
                        "mean insert, " + ExampleBuilds.clients(clients),
                        "ms",
                        PAPER_MEAN_MILLIS.get(clients),
                        mean(build) / 1e3));
        PAPER_WORST_MILLIS.keySet().stream().sorted().forEach(clients -> {
            BuildResult build = known(builds.byClients(), clients);
            comparisons.add(
                    "worst insert over the mean, " + ExampleBuilds.clients(clients),
                    "×",
                    paperPeak(clients),
                    worst(build) / mean(build));
        });
        builds.byClients()
                .forEach((clients, build) -> comparisons.add(
                        "standard deviation, " + ExampleBuilds.clients(clients), "ms", deviation(build) / 1e3));
        panels.add(spread((char) ('a' + panels.size()) + ") Mean and standard deviation", builds));
        return findings(
                testbed,
                builds.load(),
                comparisons,
                panels,
                List.of(
                        ScaleUp.coresNote(testbed),
                        "The paper's peaks are drawn as they are over its mean insert; means are build time × clients"
                                + " / inserts."));
    }

    private static double worst(BuildResult build) {
        return Timeline.worstMicros(build.traces().get(0));
    }

    private static double mean(BuildResult build) {
        return Timeline.meanMicros(build.traces().get(0));
    }

    private static double deviation(BuildResult build) {
        return Timeline.deviationMicros(build.traces().get(0));
    }

    private static double paperPeak(int clients) {
        return known(PAPER_WORST_MILLIS, clients) / known(PAPER_MEAN_MILLIS, clients);
    }

    /** The slowest insert of each short while, and the mean of it; the paper's peak as it is over the paper's mean. */
    private static Panel peaks(String title, int clients, LatencyTrace trace) {
        List<Curve> curves = new ArrayList<>();
        curves.add(Curve.ours("SDDS, slowest", Timeline.inBins(trace, BINS, true)));
        curves.add(Curve.ours("SDDS, mean", Timeline.inBins(trace, BINS, false)));
        if (PAPER_WORST_MILLIS.containsKey(clients)) {
            double peak = paperPeak(clients) * Timeline.meanMicros(trace);
            double end = trace.seconds(trace.size() - 1);
            curves.add(Curve.paperLevel("paper, highest peak", 0, end, peak));
        }
        return new Panel(title, linear("time, s"), logarithmic("time of an insert, µs"), curves);
    }

    private static Panel spread(String title, ExampleBuilds builds) {
        return Panel.of(
                title,
                linear("clients"),
                linear("time of an insert, µs"),
                Curve.ours("mean", Panel.points(builds.byClients(), InsertTimes::mean)),
                Curve.ours("standard deviation", Panel.points(builds.byClients(), InsertTimes::deviation)));
    }
}
