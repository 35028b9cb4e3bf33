package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import java.util.ArrayList;
import java.util.List;

/** Table 3 of RP*: duration of a split by bucket capacity. */
final class SplitTimes extends Experiment {
    /** b in thousands is the index + 1 times 10; milliseconds a split. */
    static final double[] PAPER = {1372, 1763, 1952, 2294, 2594, 2824, 3165, 3465, 3595, 3666};

    SplitTimes() {
        super("rp-3", "RP*, Table 3: split times by bucket capacity");
    }

    @Override
    int steps(Scale scale) {
        return PAPER.length * scale.repeats() + 1;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        int unit = Math.max(2, testbed.scale().keys() / PAPER.length);
        splitMillis(testbed, unit); // warms the code up
        double[] millis = new double[PAPER.length];
        for (int k = 0; k < PAPER.length; k++) {
            millis[k] = known(testbed.medians(List.of(unit * (k + 1)), b -> splitMillis(testbed, b)), unit * (k + 1));
        }
        Rows all = new Rows();
        List<Point> ours = new ArrayList<>();
        List<Point> theirs = new ArrayList<>();
        for (int k = 0; k < PAPER.length; k++) {
            int b = unit * (k + 1);
            double paperMicros = PAPER[k] * 1e3 / (10_000 * (k + 1));
            double micros = millis[k] * 1e3 / b;
            all.add(format("split, b = %,d", b), "ms", PAPER[k], millis[k]);
            all.add(format("a record of b = %,d", b), "µs", paperMicros, micros);
            ours.add(new Point(b / 1e3, micros));
            theirs.add(new Point(10.0 * (k + 1), paperMicros));
        }
        int last = PAPER.length - 1;
        all.add(
                "a record at the least b over the most",
                "×",
                PAPER[0] * (last + 1) / PAPER[last],
                millis[0] * (last + 1) / millis[last]);
        return findings(
                testbed,
                "records of " + RangeFile.VALUE_BYTES + " bytes, 2 bricks, medians of "
                        + testbed.scale().repeats(),
                all,
                List.of(
                        Panel.of(
                                "SDDS",
                                linear("b, thousands"),
                                linear("split time over b, µs"),
                                Curve.ours("split time over b", ours)),
                        Panel.of(
                                "paper",
                                linear("b, thousands"),
                                linear("split time over b, µs"),
                                Curve.paper("split time over b", theirs))),
                List.of("From the coordinator's order to its word that the split is done, as a client that asks all the"
                        + " time sees it: coarser than a millisecond, and with two commits of the coordinator. The"
                        + " paper's server measured itself. Ours serves meanwhile."));
    }

    static double splitMillis(Testbed testbed, int capacity) throws InterruptedException {
        try (RangeFile file = new RangeFile(testbed, 2, capacity, capacity)) {
            file.series().insert(file.table(), 0, capacity - 1);
            file.series().insert(file.table(), capacity - 1, capacity);
            while (file.partitions() == 1 && !file.isSplitting()) {
                Thread.onSpinWait();
            }
            long begin = System.nanoTime();
            while (file.partitions() == 1) {
                Thread.onSpinWait();
            }
            double millis = (System.nanoTime() - begin) / 1e6;
            testbed.stepDone();
            return millis;
        }
    }
}
