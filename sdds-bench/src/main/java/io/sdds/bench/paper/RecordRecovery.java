package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.load.LatencyTrace;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.Probe;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import java.util.List;
import java.util.stream.IntStream;

/** Figure 5 of LH*RS: gets that are answered with decoded records, beside healthy gets. */
final class RecordRecovery extends Experiment {
    private static final int PARITIES = 1;
    private static final int BRICKS = ParityFile.COLUMNS + PARITIES + 1;

    /** Section 6.2: "15 times higher than that of a normal key search". */
    private static final double PAPER_OVER_SEARCH = 15;

    /** Section 6.2: the search for the key in the parity bucket takes 0.7 ms, 56 % of the time. */
    private static final double PAPER_MICROS = 700 / 0.56;

    private static final double P99_OVER_MAX = 5;
    private static final int PERCENT = 100;
    private static final int RECORDS_LEAST = 100_000;

    /** Gets of one kind: those of a trace between two moments. */
    private record Gets(LatencyTrace trace, double from, double to) {
        /** Gets while records were missing for certain; at least the first one. */
        static Gets decoded(LatencyTrace trace, ParityFile.Recovery recovery) {
            if (trace.size() == 0) {
                throw new LoadException("no get was answered before the partition had all its records");
            }
            return new Gets(trace, recovery.reconfigured(), Math.max(recovery.lastMissing(), trace.seconds(0)));
        }

        long count() {
            return Timeline.count(trace, from, to);
        }

        double percentile(double percentile) {
            return Timeline.percentileMicros(trace, from, to, percentile);
        }

        /** A get that ends at the last moment counts, as in {@link #count}: it may be the only one. */
        double mean() {
            return Timeline.meanMicros(trace, from, Math.nextUp(to));
        }
    }

    RecordRecovery() {
        super("rs-5", "LH*RS, Figure 5: recovery of records, a get of a lost record");
    }

    @Override
    int steps(Scale scale) {
        return 2;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        int records = records(testbed.scale());
        try (ParityFile file = ParityFile.of(testbed, BRICKS, PARITIES, records, Testbed.VALUE_BYTES)) {
            file.fill();
            int[] column = file.series().ofPartition(0, ParityFile.COLUMNS);
            Gets healthy = get(file, column);
            testbed.stepDone();
            try (SddsClient client = file.connect()) {
                HashTable<byte[], byte[]> table = file.of(client);
                double killed = file.kill(file.bricks(1));
                double reconfigured = file.awaitLoss();
                try (Probe probe = Probe.gets(file.series(), table, new LastFirst(column), file.beginNanos())) {
                    ParityFile.Recovery recovery = file.awaitRecovery(killed, reconfigured);
                    Gets decoded = Gets.decoded(probe.trace(), recovery);
                    testbed.stepDone();
                    return findings(testbed, records, healthy, decoded, recovery);
                }
            }
        }
    }

    /** A file of which a partition takes longer to recover than the reports of its recovery. */
    private static int records(Scale scale) {
        return Math.max(RECORDS_LEAST, scale.copiedKeys());
    }

    /** Gets all records of a partition once. */
    private static Gets get(ParityFile file, int[] column) throws InterruptedException {
        LastFirst warmup = new LastFirst(column);
        LastFirst numbers = new LastFirst(column);
        try (SddsClient client = file.connect()) {
            try (Probe probe = Probe.gets(file.series(), file.of(client), warmup, file.beginNanos())) {
                probe.await();
            }
            double from = file.seconds();
            try (Probe probe = Probe.gets(file.series(), file.of(client), numbers, file.beginNanos())) {
                probe.await();
                return new Gets(probe.trace(), from, file.seconds());
            }
        }
    }

    private Findings findings(Testbed testbed, int records, Gets healthy, Gets decoded, ParityFile.Recovery recovery) {
        Rows rows = new Rows();
        rows.add("get, healthy, mean", "µs", PAPER_MICROS / PAPER_OVER_SEARCH, healthy.mean());
        rows.add("get, decoded, mean", "µs", PAPER_MICROS, decoded.mean());
        rows.add("decoded over healthy, mean", "×", PAPER_OVER_SEARCH, decoded.mean() / healthy.mean());
        for (int percentile : List.of(50, 99)) {
            rows.add("get, healthy, p" + percentile, "µs", healthy.percentile(percentile));
            rows.add("get, decoded, p" + percentile, "µs", decoded.percentile(percentile));
        }
        rows.add("decoded over healthy, p50", "×", decoded.percentile(50) / healthy.percentile(50));
        rows.add("decoded over healthy, p99", "×", decoded.percentile(99) / healthy.percentile(99))
                .atMost(P99_OVER_MAX);
        rows.add("decoded gets", "operations", decoded.count());
        rows.add("until all records are there", "s", recovery.recoverySeconds());
        return findings(
                testbed,
                format(
                        "gets one by one of the records of one of %d partitions, %,d records of %d bytes in all, %d"
                                + " parity; the partition's brick is killed",
                        ParityFile.COLUMNS, records, Testbed.VALUE_BYTES, PARITIES),
                rows,
                List.of(panel(healthy, decoded), distribution(healthy, decoded)),
                List.of(
                        "A partition is recovered at once here, from its first record on. Each record is read once,"
                                + " the last one first: it is not there yet, and is decoded for the get. The paper's"
                                + " bucket stays lost. The recovery goes on beside the gets, and takes processor time"
                                + " from them.",
                        "More than half of the paper's time is the search for the key in the parity bucket. Ours looks"
                                + " for it in the fingerprints of the new brick.",
                        "The healthy get of the paper is its decoded one over 15. " + RsNotes.HARDWARE));
    }

    /** Time of so many gets, as the paper draws it. */
    private static Panel panel(Gets healthy, Gets decoded) {
        double most = Math.min(healthy.count(), decoded.count());
        return Panel.of(
                "a) Time of so many gets",
                linear("gets, thousands"),
                linear("time, s"),
                line("healthy", Source.OURS, most, healthy.mean()),
                line("decoded", Source.OURS, most, decoded.mean()),
                line("paper's shape: 15 times", Source.PAPER, most, PAPER_OVER_SEARCH * healthy.mean()));
    }

    private static Panel distribution(Gets healthy, Gets decoded) {
        return Panel.of(
                "b) Time of a get",
                linear("gets that take no longer, %"),
                logarithmic("µs"),
                percentiles("healthy", healthy),
                percentiles("decoded", decoded));
    }

    private static Curve percentiles(String name, Gets gets) {
        return Curve.ours(
                name,
                IntStream.rangeClosed(1, PERCENT)
                        .mapToObj(percent -> new Point(percent, gets.percentile(percent)))
                        .toList());
    }

    private static Curve line(String name, Source source, double gets, double micros) {
        return new Curve(name, source, List.of(new Point(0, 0), new Point(gets / 1e3, gets * micros / 1e6)));
    }
}
