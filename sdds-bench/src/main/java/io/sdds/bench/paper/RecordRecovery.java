package io.sdds.bench.paper;

import io.sdds.bench.load.LatencyTrace;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.Probe;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Figure 5 of LH*RS: gets that are answered with decoded records, beside healthy gets. */
final class RecordRecovery implements Experiment {
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

    @Override
    public String name() {
        return "rs-5";
    }

    @Override
    public String title() {
        return "LH*RS, Figure 5: recovery of records, a get of a lost record";
    }

    @Override
    public int steps(Scale scale) {
        return 2;
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        int records = records(testbed.scale());
        try (ParityFile file = new ParityFile(
                testbed,
                BRICKS,
                ParityFile.options(ParityFile.COLUMNS, ParityFile.COLUMNS, PARITIES),
                records,
                Testbed.VALUE_BYTES)) {
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
        List<Comparison> rows = new ArrayList<>();
        rows.add(Comparison.of("get, healthy, mean", "µs", PAPER_MICROS / PAPER_OVER_SEARCH, healthy.mean()));
        rows.add(Comparison.of("get, decoded, mean", "µs", PAPER_MICROS, decoded.mean()));
        rows.add(Comparison.of("decoded over healthy, mean", "×", PAPER_OVER_SEARCH, decoded.mean() / healthy.mean()));
        for (int percentile : List.of(50, 99)) {
            rows.add(Comparison.of("get, healthy, p" + percentile, "µs", null, healthy.percentile(percentile)));
            rows.add(Comparison.of("get, decoded, p" + percentile, "µs", null, decoded.percentile(percentile)));
        }
        rows.add(
                Comparison.of("decoded over healthy, p50", "×", null, decoded.percentile(50) / healthy.percentile(50)));
        rows.add(Comparison.of("decoded over healthy, p99", "×", null, decoded.percentile(99) / healthy.percentile(99))
                .atMost(P99_OVER_MAX));
        rows.add(Comparison.of("decoded gets", "operations", null, decoded.count()));
        rows.add(Comparison.of("until all records are there", "s", null, recovery.recoverySeconds()));
        return new Findings(
                name(),
                title(),
                testbed.setting(String.format(
                        Locale.ROOT,
                        "gets one by one of the records of one of %d partitions, %,d records of %d bytes in all, %d"
                                + " parity; the partition's brick is killed",
                        ParityFile.COLUMNS,
                        records,
                        Testbed.VALUE_BYTES,
                        PARITIES)),
                testbed.machine(),
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
        return new Panel(
                "a) Time of so many gets",
                Axis.linear("gets, thousands"),
                Axis.linear("time, s"),
                List.of(
                        line("healthy", Source.OURS, most, healthy.mean()),
                        line("decoded", Source.OURS, most, decoded.mean()),
                        line("paper's shape: 15 times", Source.PAPER, most, PAPER_OVER_SEARCH * healthy.mean())));
    }

    private static Panel distribution(Gets healthy, Gets decoded) {
        return new Panel(
                "b) Time of a get",
                Axis.linear("gets that take no longer, %"),
                Axis.logarithmic("µs"),
                List.of(percentiles("healthy", healthy), percentiles("decoded", decoded)));
    }

    private static Curve percentiles(String name, Gets gets) {
        return new Curve(
                name,
                Source.OURS,
                IntStream.rangeClosed(1, PERCENT)
                        .mapToObj(percent -> new Point(percent, gets.percentile(percent)))
                        .toList());
    }

    private static Curve line(String name, Source source, double gets, double micros) {
        return new Curve(name, source, List.of(new Point(0, 0), new Point(gets / 1e3, gets * micros / 1e6)));
    }
}
