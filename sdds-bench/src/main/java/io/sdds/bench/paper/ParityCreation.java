package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Figures 2 and 3 of LH*RS: creation of a file with no, one and two parities, on four and on eight partitions. */
final class ParityCreation extends Experiment {
    private static final int BRICKS = ParityFile.COLUMNS + 2;
    private static final int OUTSTANDING = 100;
    private static final int PARITIES_MAX = 2;
    private static final double PAPER_RECORDS_A_PARTITION = 6_250;

    /** Section 3.2: time of an insert by k, in milliseconds. */
    private static final double[] PAPER_MILLIS = {0.40, 0.44, 0.48};

    private final int partitions;

    /** A file, and how it is created: parities k, partitions of a group m, outstanding inserts. */
    private record Way(int parities, int columns, int outstanding) {
        String text() {
            return "k=" + parities + (columns == ParityFile.COLUMNS ? "" : ", m=" + columns)
                    + (outstanding == 1 ? ", one by one" : ", " + outstanding + " at once");
        }
    }

    ParityCreation(int partitions) {
        super(
                partitions == ParityFile.COLUMNS ? "rs-2" : "rs-3",
                "LH*RS, Figure " + (partitions == ParityFile.COLUMNS ? 2 : 3) + ": file creation on " + partitions
                        + " partitions, k = 0, 1, 2");
        this.partitions = partitions;
    }

    private List<Way> ways() {
        List<Way> ways = new ArrayList<>();
        for (int outstanding : List.of(1, OUTSTANDING)) {
            for (int parities = 0; parities <= PARITIES_MAX; parities++) {
                ways.add(new Way(parities, ParityFile.COLUMNS, outstanding));
            }
        }
        ways.add(new Way(1, 2, 1));
        ways.add(new Way(2, 2, 1));
        return ways;
    }

    @Override
    int steps(Scale scale) {
        return ways().size() * scale.repeats() + 1;
    }

    /** Twice the records for twice the partitions, as in the paper. */
    private int records(Scale scale) {
        return scale.keys() * partitions / ParityFile.COLUMNS;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Scale scale = testbed.scale();
        build(testbed, new Way(PARITIES_MAX, ParityFile.COLUMNS, OUTSTANDING)); // warms the code up
        Map<Way, List<Timeline>> all = testbed.inTurn(ways(), way -> new Timeline(build(testbed, way)));
        return findings(
                testbed,
                format(
                        "%,d inserts of %d bytes by one client, %d partitions, groups of %d where m is not told,"
                                + " medians of %d",
                        records(scale), Testbed.VALUE_BYTES, partitions, ParityFile.COLUMNS, scale.repeats()),
                comparisons(all),
                panels(all),
                List.of(
                        "In the paper each parity adds a tenth. The paper does not say whether its client waits for the"
                                + " parities; its figures suggest that the client does not. Ours is answered when all"
                                + " parities have the record, so that no acknowledged write is lost: a round trip"
                                + " between bricks more for k = 1, and two votes to wait for with k = 2.",
                        "The paper's file splits while it is created. The partitions of this file are there from the"
                                + " beginning, for all k, so that only the parities differ.",
                        RsNotes.HARDWARE));
    }

    private BuildResult build(Testbed testbed, Way way) throws InterruptedException {
        return testbed.build(
                BRICKS,
                ParityFile.options(partitions, way.columns(), way.parities()),
                way.outstanding(),
                records(testbed.scale()));
    }

    // ---- the numbers

    private static double median(Map<Way, List<Timeline>> all, Way way, ToDoubleFunction<Timeline> figure) {
        return Median.of(known(all, way), figure);
    }

    private static double micros(Map<Way, List<Timeline>> all, Way way) {
        return median(all, way, line -> line.insertMicros(line.inserts()));
    }

    private List<Comparison> comparisons(Map<Way, List<Timeline>> all) {
        Rows rows = new Rows();
        all.keySet()
                .forEach(way ->
                        rows.add("insert, " + way.text(), "ms", PAPER_MILLIS[way.parities()], micros(all, way) / 1e3));
        for (int outstanding : List.of(1, OUTSTANDING)) {
            Way none = new Way(0, ParityFile.COLUMNS, outstanding);
            for (int parities = 1; parities <= PARITIES_MAX; parities++) {
                Way way = new Way(parities, ParityFile.COLUMNS, outstanding);
                rows.add(
                        "insert over k=0, " + way.text(),
                        "×",
                        PAPER_MILLIS[parities] / PAPER_MILLIS[0],
                        micros(all, way) / micros(all, none));
            }
        }
        for (int parities = 1; parities <= PARITIES_MAX; parities++) {
            rows.add(
                    "insert, m=2 over m=" + ParityFile.COLUMNS + ", k=" + parities,
                    "×",
                    1.0,
                    micros(all, new Way(parities, 2, 1)) / micros(all, new Way(parities, ParityFile.COLUMNS, 1)));
        }
        all.keySet().stream()
                .filter(way -> way.columns() == ParityFile.COLUMNS)
                .forEach(way -> rows.add(
                        "last quarter over second, " + way.text(),
                        "×",
                        1.0,
                        median(all, way, Timeline::lastQuarterOverSecond)));
        return rows;
    }

    // ---- the picture

    private List<Panel> panels(Map<Way, List<Timeline>> all) {
        return List.of(
                panel("a) One by one", all, 1),
                panel("b) " + OUTSTANDING + " at once", all, OUTSTANDING),
                new Panel(
                        "paper, from its time of an insert",
                        linear("inserts, thousands"),
                        linear("time, s"),
                        papers()));
    }

    private static Panel panel(String title, Map<Way, List<Timeline>> all, int outstanding) {
        List<Curve> curves = new ArrayList<>();
        new TreeMap<>(byParities(all, outstanding))
                .forEach((parities, line) -> curves.add(Curve.ours("k = " + parities, line.curve(line::buildSeconds))));
        return new Panel(title, linear("inserts, thousands"), linear("time, s"), curves);
    }

    private static Map<Integer, Timeline> byParities(Map<Way, List<Timeline>> all, int outstanding) {
        Map<Integer, Timeline> lines = new TreeMap<>();
        all.forEach((way, each) -> {
            if (way.columns() == ParityFile.COLUMNS && way.outstanding() == outstanding) {
                lines.put(way.parities(), each.get(each.size() / 2));
            }
        });
        return lines;
    }

    private List<Curve> papers() {
        List<Curve> curves = new ArrayList<>();
        double thousands = PAPER_RECORDS_A_PARTITION * partitions / 1e3;
        for (int k = 0; k <= PARITIES_MAX; k++) {
            curves.add(Curve.paper(
                    "k = " + k, List.of(new Point(0, 0), new Point(thousands, thousands * PAPER_MILLIS[k]))));
        }
        return curves;
    }
}
