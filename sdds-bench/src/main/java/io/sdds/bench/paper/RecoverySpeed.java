package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.inOrder;

import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;

/** Speed of the recovery of a lost partition, without load and under load. The paper has no such figure. */
final class RecoverySpeed extends Experiment {
    private static final int PARITIES = 1;
    private static final int BRICKS = ParityFile.COLUMNS + PARITIES + 1;
    private static final int LARGE_BYTES = 4096;
    private static final int KEY_BYTES = 16;

    /** A file of large values has one in so many of the records. */
    private static final int LARGE_PART = 6;

    private static final double RECORDS_LEAST = 300_000;
    private static final double MEGABYTES_LEAST = 200;
    /** A short recovery takes less time than the steps by which throughput is counted. */
    private static final Duration MEANWHILE_LEAST = Duration.ofSeconds(1);

    private static final double KEPT_LEAST = 0.8;

    /** A recovery to measure. */
    private record Way(int valueBytes, boolean loaded) {
        String text() {
            return valueBytes + " bytes, " + (loaded ? "under load" : "no load");
        }
    }

    /**
     * What was measured.
     *
     * @param perSecond records a second
     * @param before operations a second before the kill
     * @param during operations a second from the reconfiguration until the partition has all its records
     */
    private record Measured(double perSecond, double before, double during) {}

    private static final List<Way> WAYS = List.of(
            new Way(Testbed.VALUE_BYTES, false),
            new Way(LARGE_BYTES, false),
            new Way(Testbed.VALUE_BYTES, true),
            new Way(LARGE_BYTES, true));

    RecoverySpeed() {
        super("rs-recovery", "LH*RS, not in the paper: speed of a recovery, without and under load");
    }

    @Override
    int steps(Scale scale) {
        return WAYS.size();
    }

    private static int records(Scale scale, Way way) {
        return way.valueBytes() == LARGE_BYTES ? scale.copiedKeys() / LARGE_PART : 2 * scale.copiedKeys();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        Scale scale = testbed.scale();
        Map<Way, Measured> all = new LinkedHashMap<>();
        for (Way way : WAYS) {
            all.put(way, measure(testbed, way));
            testbed.stepDone();
        }
        return findings(
                testbed,
                format(
                        "%,d records of %d bytes, %,d of %,d, on %d partitions with %d parity; the brick of one is"
                                + " killed",
                        records(scale, WAYS.get(0)),
                        Testbed.VALUE_BYTES,
                        records(scale, WAYS.get(1)),
                        LARGE_BYTES,
                        ParityFile.COLUMNS,
                        PARITIES),
                comparisons(all),
                List.of(
                        panel("a) Bytes", "MB/s", all, RecoverySpeed::megabytes),
                        panel("b) Records", "records/s", all, (way, each) -> each.perSecond())),
                List.of(
                        "The speed is that of one partition, between the first and the last report of its new brick"
                                + " that records are missing; of short recoveries from the hand-over until the"
                                + " coordinator knows that all are there. It is held to 256 MiB a second, where a"
                                + " record counts 256 bytes more than it has, and to an eighth of that while requests"
                                + " wait for missing records.",
                        "Under load: half gets, half puts of all records, at half of the rate that saturates the table."
                                + " Their throughput meanwhile is that from the hand-over to the new brick until the"
                                + " partition has all its records, and at least for a second; rs-kill shows the stall"
                                + " before."));
    }

    private static Measured measure(Testbed testbed, Way way) throws InterruptedException {
        int records = records(testbed.scale(), way);
        try (ParityFile file = ParityFile.of(testbed, BRICKS, PARITIES, records, way.valueBytes())) {
            file.fill();
            long lost = file.series().ofPartition(0, ParityFile.COLUMNS).length;
            if (!way.loaded()) {
                return measured(lost, file.recover(1), null, file, 0);
            }
            try (HalfLoad half = HalfLoad.start(testbed, file, records, way.valueBytes())) {
                half.goOn(testbed, testbed.scale().steady());
                double begin = file.seconds();
                half.goOn(testbed, testbed.scale().steady());
                ParityFile.Recovery recovery = file.recover(1);
                half.goOn(testbed, MEANWHILE_LEAST);
                half.load().end();
                return measured(lost, recovery, half, file, begin);
            }
        }
    }

    private static Measured measured(
            long lost, ParityFile.Recovery recovery, @Nullable HalfLoad half, ParityFile file, double begin) {
        double perSecond = recovery.recordsPerSecond(lost);
        return half == null
                ? new Measured(perSecond, 0, 0)
                : new Measured(
                        perSecond,
                        half.rate(file, begin, recovery.killed()),
                        half.rate(file, recovery.handedOver(), Math.max(recovery.filled(), leastEnd(recovery))));
    }

    private static double leastEnd(ParityFile.Recovery recovery) {
        return recovery.handedOver() + MEANWHILE_LEAST.toSeconds();
    }

    private static List<Comparison> comparisons(Map<Way, Measured> all) {
        Rows rows = new Rows();
        all.forEach((way, each) -> {
            boolean small = way.valueBytes() == Testbed.VALUE_BYTES;
            Comparison records = Comparison.of("records/s, " + way.text(), "1/s", each.perSecond());
            Comparison bytes = Comparison.of("MB/s, " + way.text(), "MB/s", megabytes(way, each));
            rows.add(small && !way.loaded() ? records.atLeast(RECORDS_LEAST) : records);
            rows.add(!small && !way.loaded() ? bytes.atLeast(MEGABYTES_LEAST) : bytes);
            if (way.loaded()) {
                rows.add("clients before, " + way.text(), "1/s", each.before());
                rows.add("clients meanwhile over before, " + way.valueBytes(), "×", each.during() / each.before())
                        .atLeast(KEPT_LEAST);
            }
        });
        return rows;
    }

    private static Panel panel(
            String title, String unit, Map<Way, Measured> all, ToDoubleBiFunction<Way, Measured> of) {
        String names = String.join(" · ", all.keySet().stream().map(Way::text).toList());
        List<Point> points = inOrder(all.entrySet(), each -> of.applyAsDouble(each.getKey(), each.getValue()));
        return Panel.of(title, linear(names), linear(unit), Curve.ours("SDDS", points));
    }

    private static double megabytes(Way way, Measured each) {
        return each.perSecond() * (way.valueBytes() + KEY_BYTES) / 1e6;
    }
}
