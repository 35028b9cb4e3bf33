package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;

import io.sdds.bench.paper.RangeFile.Way;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;

/** Table 7 of RP*: the best of the other tables side by side, with and without flow control, of RP*C and RP*N. */
final class RpFigures extends Experiment {
    private static final List<Way> WAYS = List.of(Way.N_FLOW, Way.N, Way.C_FLOW, Way.C_EMPTY);

    /** Milliseconds, in the order of the ways. */
    private static final double[] PAPER_CREATE = {69_209, 47_798, 67_838, 45_032};

    private static final double[] PAPER_SEARCH = {0.205, 0.145, 0.200, 0.143};
    private static final double[] PAPER_INSERT = {0.229, 0.095, 0.221, 0.086};
    private static final double PAPER_SPLIT = 0.037;
    private static final double PAPER_RANGE = 0.010;

    RpFigures() {
        super("rp-7", "RP*, Table 7: comparative analysis");
    }

    @Override
    int steps(Scale scale) {
        return WAYS.size() * 3 + 4;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Rows all = new Rows();
        Map<Way, Double> searches = new EnumMap<>(Way.class);
        Map<Way, Double> papers = new EnumMap<>(Way.class);
        createdIn(testbed, all);
        try (RangeFile file =
                RangeFile.filled(testbed, RequestTimes.SERVERS, testbed.scale().keys())) {
            for (int k = 0; k < WAYS.size(); k++) {
                Way way = WAYS.get(k);
                double search = new RequestTimes(true).micros(file, way);
                searches.put(way, search);
                papers.put(way, PAPER_SEARCH[k] * 1e3);
                all.add("t_s, a search, " + way.text(), "ms", PAPER_SEARCH[k], search / 1e3);
                testbed.stepDone();
            }
            for (int k = 0; k < WAYS.size(); k++) {
                double insert = new RequestTimes(false).micros(file, WAYS.get(k));
                all.add("t_i, an insert, " + WAYS.get(k).text(), "ms", PAPER_INSERT[k], insert / 1e3);
                testbed.stepDone();
            }
            for (Way way : List.of(Way.N, Way.C_CORRECT)) {
                double record = RangeTimes.micros(testbed, file, way);
                all.add("t_r, a record of a range query, " + way.text(), "ms", PAPER_RANGE, record / 1e3);
            }
        }
        int capacity = testbed.scale().keys();
        SplitTimes.splitMillis(testbed, Math.max(2, capacity / SplitTimes.PAPER.length)); // warms the code up
        double split = SplitTimes.splitMillis(testbed, capacity) / capacity;
        all.add("t_m, a record of a split", "ms", PAPER_SPLIT, split);
        List<String> notes = new ArrayList<>(RpNotes.of());
        notes.add("On " + RequestTimes.SERVERS
                + " bricks; once each. Tables 1 to 6 have medians and say how each is measured.");
        return findings(
                testbed, "as Tables 1 to 6", all, RpNotes.panels("time of a search, µs", searches, papers), notes);
    }

    private static void createdIn(Testbed testbed, Rows into) throws InterruptedException {
        FileCreation creation = new FileCreation(1);
        int records = FileCreation.records(testbed.scale());
        for (int k = 0; k < WAYS.size(); k++) {
            double micros = creation.create(testbed, WAYS.get(k), new IntSummaryStatistics());
            String text = WAYS.get(k).text();
            into.add("t_c, creation, " + text, "ms", PAPER_CREATE[k], micros * records / 1e3);
            into.add(
                    "t_i,c, an insert of it, " + text,
                    "ms",
                    known(FileCreation.PAPER_ONE, WAYS.get(k)) / 1e3,
                    micros / 1e3);
        }
    }
}
