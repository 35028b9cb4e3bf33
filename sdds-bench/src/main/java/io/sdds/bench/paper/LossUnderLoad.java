package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.Pace;
import io.sdds.bench.load.Probe;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** What clients of a table with parity see when a brick is killed under load. The paper has no such figure. */
final class LossUnderLoad extends Experiment {
    private static final int PARITIES = 2;
    private static final int BRICKS = ParityFile.COLUMNS + PARITIES + 1;
    private static final int RECORDS_LEAST = 100_000;
    private static final double STALL_MAX_SECONDS = 2;
    private static final double WRITES_MAX_MILLIS = 100;
    private static final double P99_OVER_MAX = 5;
    private static final double PICTURE_BOTTOM_MILLIS = 0.01;

    /** An operation that ends so soon after the kill was answered before it. */
    private static final double STALL_SECONDS_LEAST = 0.1;

    /** One of so many records is read by the probe alone. */
    private static final int PROBED_PART = 4;

    /** Times in seconds of the file's clock. */
    private record Marks(double begin, ParityFile.Recovery recovery, double end) {}

    /** Records of the partition that is lost: those that the load reads and writes, and those of the probe alone. */
    private record Column(int[] loaded, int[] probed) {
        static Column of(ParityFile file, int loadedRecords) {
            int[] all = file.series().ofPartition(0, ParityFile.COLUMNS);
            int from = Arrays.binarySearch(all, loadedRecords);
            int split = from < 0 ? -from - 1 : from;
            return new Column(Arrays.copyOf(all, split), Arrays.copyOfRange(all, split, all.length));
        }

        int anyLoaded() {
            return loaded[ThreadLocalRandom.current().nextInt(loaded.length)];
        }
    }

    LossUnderLoad() {
        super("rs-kill", "LH*RS, not in the paper: a brick is killed under load");
    }

    @Override
    int steps(Scale scale) {
        return 2;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        int records = Math.max(RECORDS_LEAST, testbed.scale().copiedKeys());
        int loaded = records - records / PROBED_PART;
        try (ParityFile file = ParityFile.of(testbed, BRICKS, PARITIES, records, Testbed.VALUE_BYTES)) {
            file.fill();
            Column column = Column.of(file, loaded);
            try (HalfLoad half = HalfLoad.start(testbed, file, loaded, Testbed.VALUE_BYTES);
                    SddsClient one = file.connect();
                    SddsClient two = file.connect();
                    SddsClient three = file.connect();
                    Probe gets = Probe.gets(file.series(), file.of(one), column::anyLoaded, file.beginNanos());
                    Probe puts = Probe.puts(file.series(), file.of(two), column::anyLoaded, file.beginNanos())) {
                HashTable<byte[], byte[]> table = file.of(three);
                half.goOn(testbed, testbed.scale().steady());
                testbed.stepDone();
                double begin = file.seconds();
                half.goOn(testbed, testbed.scale().steady());
                double killed = file.kill(file.bricks(1));
                double reconfigured = file.awaitLoss();
                LastFirst numbers = new LastFirst(column.probed());
                try (Probe decoded = Probe.gets(file.series(), table, numbers, file.beginNanos())) {
                    ParityFile.Recovery recovery = file.awaitRecovery(killed, reconfigured);
                    half.goOn(testbed, testbed.scale().steady());
                    Marks marks = new Marks(begin, recovery, file.seconds());
                    half.load().end();
                    testbed.stepDone();
                    return findings(testbed, records, file, half, marks, List.of(gets, puts, decoded));
                }
            }
        }
    }

    private Findings findings(
            Testbed testbed, int records, ParityFile file, HalfLoad half, Marks marks, List<Probe> probes) {
        return findings(
                testbed,
                format(
                        "%,d records of %d bytes on %d partitions with %d parities; half gets, half puts, %,d a second,"
                                + " half of saturation; the brick of a partition is killed",
                        records, Testbed.VALUE_BYTES, ParityFile.COLUMNS, PARITIES, half.ratePerSecond()),
                comparisons(file, half, marks, probes),
                List.of(load(file, half, marks), slowest(marks, probes)),
                List.of(
                        "Gets and puts of the lost partition are those of probes: one client each, one operation at a"
                                + " time. Decoded gets are of records that nobody else reads, the last one first: each"
                                + " is decoded for its get, until the partition has all its records.",
                        "The load does not wait: what it begins while the partition is served by nobody is refused when"
                                + " too many requests wait, and counts as refused.",
                        "The reconfiguration is the first look at which the coordinator shows the partition as lost."));
    }

    private static List<Comparison> comparisons(ParityFile file, HalfLoad half, Marks marks, List<Probe> probes) {
        Probe gets = probes.get(0);
        Probe puts = probes.get(1);
        Probe decoded = probes.get(2);
        ParityFile.Recovery recovery = marks.recovery();
        double written = Timeline.firstEndSeconds(puts.trace(), recovery.killed() + STALL_SECONDS_LEAST);
        if (decoded.trace().size() == 0 || !Double.isFinite(written)) {
            throw new LoadException("no get or no put was answered before the partition had all its records");
        }
        Rows rows = new Rows();
        rows.add(
                        "longest get of the lost partition",
                        "s",
                        Timeline.longestSeconds(gets.trace(), recovery.killed(), recovery.filled()))
                .atMost(STALL_MAX_SECONDS);
        rows.add(
                "longest put of the lost partition",
                "s",
                Timeline.longestSeconds(puts.trace(), recovery.killed(), recovery.filled()));
        rows.add("kill to reconfiguration", "s", recovery.reconfigured() - recovery.killed())
                .atMost(STALL_MAX_SECONDS);
        rows.add("reconfiguration to first write", "ms", Math.max(0.1, (written - recovery.reconfigured()) * 1e3))
                .atMost(WRITES_MAX_MILLIS);
        rows.add("reconfiguration to all records", "s", recovery.recoverySeconds());
        percentiles(rows, gets, decoded, marks);
        double before = half.rate(file, marks.begin(), recovery.killed());
        double during = half.rate(file, recovery.handedOver(), recovery.filled());
        rows.add("operations/s before the kill", "1/s", before);
        if (during > 0) {
            rows.add("load during the recovery over before", "×", during / before);
        }
        rows.add(
                "operations refused or failed",
                "operations",
                half.load().failed() + probes.stream().mapToLong(Probe::failed).sum());
        return rows;
    }

    private static void percentiles(Rows into, Probe gets, Probe decoded, Marks marks) {
        ParityFile.Recovery recovery = marks.recovery();
        double missing = Math.max(recovery.lastMissing(), decoded.trace().seconds(0));
        double[] ratios = new double[2];
        List<Integer> percentiles = List.of(50, 99);
        for (int k = 0; k < ratios.length; k++) {
            int p = percentiles.get(k);
            double healthy = Timeline.percentileMicros(gets.trace(), marks.begin(), recovery.killed(), p);
            double lost = Timeline.percentileMicros(decoded.trace(), recovery.reconfigured(), missing, p);
            into.add("get, healthy, p" + p, "µs", healthy);
            into.add("get, decoded, p" + p, "µs", lost);
            ratios[k] = lost / healthy;
        }
        into.add("decoded over healthy, p50", "×", ratios[0]);
        into.add("decoded over healthy, p99", "×", ratios[1]).atMost(P99_OVER_MAX);
        into.add("decoded gets", "operations", Timeline.count(decoded.trace(), recovery.reconfigured(), missing));
    }

    // ---- the picture

    private static Panel load(ParityFile file, HalfLoad half, Marks marks) {
        List<Point> line = new ArrayList<>();
        double most = 1;
        double shift = half.at(file, 0);
        Pace pace = half.pace();
        for (int step = 0; step < pace.steps(); step++) {
            double at = step * Pace.STEP_SECONDS - shift;
            if (at >= marks.begin()) {
                line.add(new Point(at - marks.begin(), pace.perSecond(step)));
                most = Math.max(most, pace.perSecond(step));
            }
        }
        List<Curve> curves = new ArrayList<>(List.of(Curve.ours("all operations", line)));
        marks(curves, marks, 0, most);
        return new Panel("a) The load", linear("time, s"), linear("operations/s"), curves);
    }

    private static Panel slowest(Marks marks, List<Probe> probes) {
        List<Curve> curves = new ArrayList<>();
        List<String> names = List.of("get, loaded part", "put, loaded part", "get, decoded");
        double most = 1;
        for (int k = 0; k < probes.size(); k++) {
            List<Point> line = new ArrayList<>();
            for (double at = marks.begin(); at < marks.end(); at += Pace.STEP_SECONDS) {
                double millis = 1e3 * Timeline.longestSeconds(probes.get(k).trace(), at, at + Pace.STEP_SECONDS);
                if (millis > 0) {
                    line.add(new Point(at - marks.begin(), millis));
                    most = Math.max(most, millis);
                }
            }
            curves.add(Curve.ours(names.get(k), line));
        }
        marks(curves, marks, PICTURE_BOTTOM_MILLIS, most);
        return new Panel(
                "b) The lost partition: slowest of a tenth of a second", linear("time, s"), logarithmic("ms"), curves);
    }

    private static void marks(List<Curve> curves, Marks marks, double bottom, double top) {
        ParityFile.Recovery recovery = marks.recovery();
        curves.add(Curve.mark("killed", recovery.killed() - marks.begin(), bottom, top));
        curves.add(Curve.mark("reconfigured", recovery.reconfigured() - marks.begin(), bottom, top));
        curves.add(Curve.mark("all records", recovery.filled() - marks.begin(), bottom, top));
    }
}
