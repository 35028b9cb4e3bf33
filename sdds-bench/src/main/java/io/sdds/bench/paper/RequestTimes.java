package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.bench.paper.RangeFile.Way;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Tables 4 and 5 of RP*: inserts into, or searches in, a file on one to five servers that does not split. */
final class RequestTimes extends Experiment {
    static final int SERVERS = 5;

    /** Microseconds a request, by servers. */
    static final Map<Way, double[]> PAPER_INSERTS = Map.of(
            Way.C_FLOW, new double[] {355, 258, 235, 223, 221},
            Way.C_EMPTY, new double[] {275, 144, 112, 92, 92},
            Way.C_CORRECT, new double[] {275, 137, 106, 90, 89},
            Way.N_FLOW, new double[] {359, 284, 254, 237, 229},
            Way.N, new double[] {275, 184, 153, 98, 95});

    static final Map<Way, double[]> PAPER_SEARCHES = Map.of(
            Way.C_FLOW, new double[] {340, 258, 214, 204, 200},
            Way.C_CORRECT, new double[] {321, 177, 160, 153, 143},
            Way.N_FLOW, new double[] {346, 276, 236, 207, 205},
            Way.N, new double[] {325, 209, 171, 154, 145});

    private final boolean searches;
    private final Map<Way, double[]> paper;

    RequestTimes(boolean searches) {
        super(
                searches ? "rp-5" : "rp-4",
                searches ? "RP*, Table 5: search times by servers" : "RP*, Table 4: insert times by servers");
        this.searches = searches;
        this.paper = searches ? PAPER_SEARCHES : PAPER_INSERTS;
    }

    @Override
    int steps(Scale scale) {
        return SERVERS * (ways().size() * scale.repeats() + 1);
    }

    /** The ways of the paper, and the routing without figures in the paper. */
    private List<Way> ways() {
        List<Way> ways = new ArrayList<>(paper.keySet());
        ways.add(Way.S);
        return ways;
    }

    private String what() {
        return searches ? "search" : "insert";
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Map<Way, double[]> micros = new EnumMap<>(Way.class);
        for (int servers = 1; servers <= SERVERS; servers++) {
            int index = servers - 1;
            at(testbed, servers)
                    .forEach((way, median) -> micros.computeIfAbsent(way, any -> new double[SERVERS])[index] = median);
        }
        List<String> notes = new ArrayList<>(RpNotes.of());
        notes.add("A server has several partitions of the file, where the paper's had one bucket."
                + (searches ? "" : " The records inserted are there already, so that nothing splits."));
        return findings(
                testbed,
                format(
                        "%,d requests of one client, records of %d bytes, medians of %d",
                        testbed.scale().keys(),
                        RangeFile.VALUE_BYTES,
                        testbed.scale().repeats()),
                comparisons(micros),
                List.of(panel("SDDS", micros, Source.OURS), panel("paper", paper, Source.PAPER)),
                notes);
    }

    private Map<Way, Double> at(Testbed testbed, int servers) throws InterruptedException {
        try (RangeFile file =
                RangeFile.indexed(testbed, servers, testbed.scale().keys())) {
            micros(file, Way.C_CORRECT); // warms the code up
            testbed.stepDone();
            return testbed.medians(ways(), way -> {
                double micros = micros(file, way);
                testbed.stepDone();
                return micros;
            });
        }
    }

    /** Microseconds a request of a new client. */
    double micros(RangeFile file, Way way) throws InterruptedException {
        try (RangeFile.Client client = file.client(way)) {
            double seconds = searches
                    ? file.series().search(client.table())
                    : file.series().insert(client.table(), 0, file.records());
            return seconds / file.records() * 1e6;
        }
    }

    private List<Comparison> comparisons(Map<Way, double[]> ours) {
        Rows all = new Rows();
        ours.forEach((way, micros) -> {
            double[] theirs = paper.get(way);
            for (int k = 0; k < SERVERS; k += SERVERS - 1) {
                all.add(
                        "time of a " + what() + ", " + way.text() + ", " + servers(k + 1),
                        "µs",
                        theirs == null ? null : theirs[k],
                        micros[k]);
            }
        });
        ours.forEach((way, micros) -> {
            double[] theirs = paper.get(way);
            all.add(
                    way.text() + ", 1 server over " + SERVERS,
                    "×",
                    theirs == null ? null : theirs[0] / theirs[SERVERS - 1],
                    micros[0] / micros[SERVERS - 1]);
        });
        all.add(ratio(ours, Way.N, Way.C_CORRECT));
        all.add(ratio(ours, Way.C_FLOW, Way.C_CORRECT));
        all.add(ratio(ours, Way.N_FLOW, Way.N));
        return all;
    }

    private Comparison ratio(Map<Way, double[]> ours, Way over, Way under) {
        int last = SERVERS - 1;
        return Comparison.of(
                over.text() + " over " + under.text() + ", " + servers(SERVERS),
                "×",
                known(paper, over)[last] / known(paper, under)[last],
                known(ours, over)[last] / known(ours, under)[last]);
    }

    private static String servers(int number) {
        return number + (number == 1 ? " server" : " servers");
    }

    private Panel panel(String whose, Map<Way, double[]> figures, Source source) {
        List<Curve> curves = new ArrayList<>();
        new EnumMap<>(figures).forEach((way, micros) -> curves.add(RpNotes.curve(way.text(), source, micros)));
        return new Panel(whose, linear("servers"), linear("time of a " + what() + ", µs"), curves);
    }
}
