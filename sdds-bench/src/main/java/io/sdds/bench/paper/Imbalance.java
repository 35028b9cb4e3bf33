package io.sdds.bench.paper;

import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Figure 6 of Gribble et al.: there, one of two replicas became idle under saturating writes. SDDS must keep both busy.
 */
final class Imbalance extends Experiment {
    private static final int REPLICAS = 2;
    /** Number of partitions; even, because the primaries alternate between two bricks. */
    private static final int PARTITIONS = 8;

    private static final int WRITERS = 2;
    private static final int PIPELINE = 100;
    private static final int LOOKS = 60;
    private static final double APART_MAX = 1.1;
    private static final double KEPT_LEAST = 0.9;

    /** What two bricks had used at a moment, and how many writes had ended. */
    private record Look(double seconds, long oneNanos, long otherNanos, long writes) {
        double writesPerSecond(Look before) {
            return (writes - before.writes) / (seconds - before.seconds);
        }
    }

    /** Cores that two bricks kept busy between two moments. */
    private record Busy(double one, double other) {
        static Busy between(Look from, Look to) {
            double nanos = (to.seconds() - from.seconds()) * 1e9;
            return new Busy((to.oneNanos() - from.oneNanos()) / nanos, (to.otherNanos() - from.otherNanos()) / nanos);
        }

        /** Processor time of the busier brick divided by that of the other brick. */
        double ratio() {
            return Math.max(one, other) / Math.min(one, other);
        }

        double sum() {
            return one + other;
        }
    }

    Imbalance() {
        super("dds-6", "DDS, Figure 6: both replicas' processors under saturating writes");
    }

    @Override
    int steps(Scale scale) {
        return 1;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        Scale scale = testbed.scale();
        LoadSettings load = LoadSettings.defaults()
                .withMode(LoadMode.WRITE)
                .withServices(WRITERS, PIPELINE)
                .withRecords(scale.keys(), Testbed.VALUE_BYTES);
        TableOptions options = TableOptions.replicas(REPLICAS).withPartitions(PARTITIONS);
        Duration all = scale.saturated().plus(scale.steady());
        try (WatchedTable table = WatchedTable.open(testbed, REPLICAS, options, List.of(load), all)) {
            table.goOn(scale.steady()); // warms the code up
            List<Look> looks = new ArrayList<>();
            looks.add(look(testbed, table));
            table.goOn(scale.saturated(), scale.saturated().dividedBy(LOOKS), () -> looks.add(look(testbed, table)));
            table.end();
            return findings(
                    testbed,
                    PARTITIONS + " partitions with " + REPLICAS + " replicas, primaries alternate; "
                            + scale.keys()
                            + " records of " + Testbed.VALUE_BYTES + " bytes; closed loop of writes, " + WRITERS + " × "
                            + PIPELINE + " outstanding, " + scale.saturated().toMillis() / 1e3 + " s",
                    comparisons(looks, table.failed()),
                    List.of(processors(looks), throughput(looks)),
                    List.of("The paper's text has no numbers: one replica became more and more idle, and throughput"
                            + " dropped to what the other could do. " + ScaleUp.coresNote(testbed)));
        }
    }

    private static Look look(Testbed testbed, WatchedTable table) {
        Site site = testbed.site();
        return new Look(table.seconds(), site.cpuNanos("b1"), site.cpuNanos("b2"), table.operations());
    }

    private static List<Comparison> comparisons(List<Look> looks, long failed) {
        int last = looks.size() - 1;
        Busy whole = Busy.between(looks.get(0), looks.get(last));
        Busy first = Busy.between(looks.get(0), looks.get(last / 4));
        Busy end = Busy.between(looks.get(last - last / 4), looks.get(last));
        double begun = looks.get(last / 4).writesPerSecond(looks.get(0));
        double ended = looks.get(last).writesPerSecond(looks.get(last - last / 4));
        return List.of(
                Comparison.of("processors, the busier replica over the other", "×", whole.ratio())
                        .atMost(APART_MAX),
                Comparison.of("the same, first quarter", "×", first.ratio()),
                Comparison.of("the same, last quarter", "×", end.ratio()).atMost(APART_MAX),
                Comparison.of("cores of both replicas", "cores", whole.sum()),
                Comparison.of("writes/s, first quarter", "1/s", begun),
                Comparison.of("writes/s, last quarter", "1/s", ended),
                // "the throughput of the hash table dropped to match the CPU utilization of this idle replica"
                Comparison.of("writes, last quarter over first", "×", ended / begun)
                        .atLeast(KEPT_LEAST),
                Comparison.of("operations that failed", "operations", failed).atMost(0));
    }

    private static Panel processors(List<Look> looks) {
        List<Point> one = new ArrayList<>();
        List<Point> other = new ArrayList<>();
        for (int k = 1; k < looks.size(); k++) {
            Busy busy = Busy.between(looks.get(k - 1), looks.get(k));
            double at = looks.get(k).seconds() - looks.get(0).seconds();
            one.add(new Point(at, busy.one()));
            other.add(new Point(at, busy.other()));
        }
        return Panel.of(
                "a) Processors",
                linear("time, s"),
                linear("cores busy"),
                Curve.ours("replica b1", one),
                Curve.ours("replica b2", other));
    }

    private static Panel throughput(List<Look> looks) {
        List<Point> line = new ArrayList<>();
        for (int k = 1; k < looks.size(); k++) {
            double at = looks.get(k).seconds() - looks.get(0).seconds();
            line.add(new Point(at, looks.get(k).writesPerSecond(looks.get(k - 1))));
        }
        return Panel.of("b) Throughput", linear("time, s"), linear("writes/s"), Curve.ours("SDDS", line));
    }
}
