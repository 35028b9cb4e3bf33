package io.sdds.bench.paper;

import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Table 3 of RP*: duration of a split by bucket capacity. */
final class SplitTimes implements Experiment {
    /** b in thousands is the index + 1 times 10; milliseconds a split. */
    static final double[] PAPER = {1372, 1763, 1952, 2294, 2594, 2824, 3165, 3465, 3595, 3666};

    @Override
    public String name() {
        return "rp-3";
    }

    @Override
    public String title() {
        return "RP*, Table 3: split times by bucket capacity";
    }

    @Override
    public int steps(Scale scale) {
        return PAPER.length * scale.repeats() + 1;
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        int unit = Math.max(2, testbed.scale().keys() / PAPER.length);
        splitMillis(testbed, unit); // warms the code up
        double[] millis = new double[PAPER.length];
        for (int k = 0; k < PAPER.length; k++) {
            double[] all = new double[testbed.scale().repeats()];
            for (int r = 0; r < all.length; r++) {
                all[r] = splitMillis(testbed, unit * (k + 1));
            }
            millis[k] = Median.of(all);
        }
        List<Comparison> all = new ArrayList<>();
        List<Point> ours = new ArrayList<>();
        List<Point> theirs = new ArrayList<>();
        for (int k = 0; k < PAPER.length; k++) {
            int b = unit * (k + 1);
            double paperMicros = PAPER[k] * 1e3 / (10_000 * (k + 1));
            double micros = millis[k] * 1e3 / b;
            all.add(Comparison.of(String.format(Locale.ROOT, "split, b = %,d", b), "ms", PAPER[k], millis[k]));
            all.add(Comparison.of(String.format(Locale.ROOT, "a record of b = %,d", b), "µs", paperMicros, micros));
            ours.add(new Point(b / 1e3, micros));
            theirs.add(new Point(10.0 * (k + 1), paperMicros));
        }
        int last = PAPER.length - 1;
        all.add(Comparison.of(
                "a record at the least b over the most",
                "×",
                PAPER[0] * (last + 1) / PAPER[last],
                millis[0] * (last + 1) / millis[last]));
        return new Findings(
                name(),
                title(),
                testbed.setting("records of " + RangeFile.VALUE_BYTES + " bytes, 2 bricks, medians of "
                        + testbed.scale().repeats()),
                testbed.machine(),
                all,
                List.of(
                        new Panel(
                                "SDDS",
                                Axis.linear("b, thousands"),
                                Axis.linear("split time over b, µs"),
                                List.of(new Curve("split time over b", Source.OURS, ours))),
                        new Panel(
                                "paper",
                                Axis.linear("b, thousands"),
                                Axis.linear("split time over b, µs"),
                                List.of(new Curve("split time over b", Source.PAPER, theirs)))),
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
