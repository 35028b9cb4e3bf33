package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;

import io.sdds.bench.paper.RangeFile.Way;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Tables 1 and 2 of RP*: one or two clients create a file that grows to several buckets. */
final class FileCreation extends Experiment {
    private static final int BRICKS = 5;

    /** Paper: buckets of 50,000 records, 150,000 of which one client inserts, or 120,000 two. */
    private static final int FULL_BUCKETS = 3;

    static final Map<Way, Double> PAPER_ONE =
            Map.of(Way.C_FLOW, 452.0, Way.C_EMPTY, 300.0, Way.N_FLOW, 461.0, Way.N, 319.0);
    private static final Map<Way, Double> PAPER_TWO = Map.of(Way.C_EMPTY, 279.0, Way.N, 320.0);

    private final int clients;
    private final Map<Way, Double> paper;

    FileCreation(int clients) {
        super("rp-" + clients, "RP*, Table " + clients + ": file creation by " + ExampleBuilds.clients(clients));
        this.clients = clients;
        this.paper = clients == 1 ? PAPER_ONE : PAPER_TWO;
    }

    @Override
    int steps(Scale scale) {
        return paper.size() * scale.repeats() + 1;
    }

    static int records(Scale scale) {
        return scale.keys() * 3 / 2;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        IntSummaryStatistics partitions = new IntSummaryStatistics();
        create(testbed, Way.C_EMPTY, partitions); // warms the code up
        Map<Way, Double> ours = new EnumMap<>(testbed.medians(paper.keySet(), way -> create(testbed, way, partitions)));
        return findings(
                testbed,
                format(
                        "%,d inserts of %d bytes, partitions of %,d records, %d to %d of them at the end, medians of"
                                + " %d",
                        records(testbed.scale()),
                        RangeFile.VALUE_BYTES,
                        records(testbed.scale()) / FULL_BUCKETS,
                        partitions.getMin(),
                        partitions.getMax(),
                        testbed.scale().repeats()),
                comparisons(ours),
                RpNotes.panels("time of an insert, µs", ours, paper),
                RpNotes.of());
    }

    /** Microseconds an insert. */
    double create(Testbed testbed, Way way, IntSummaryStatistics partitions) throws InterruptedException {
        int records = records(testbed.scale());
        try (RangeFile file = new RangeFile(testbed, BRICKS, records / FULL_BUCKETS, records)) {
            long begin = System.nanoTime();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int k = 0; k < clients; k++) {
                int from = records / clients * k;
                int end = k + 1 == clients ? records : from + records / clients;
                all.add(CompletableFuture.runAsync(() -> insert(file, way, from, end)));
            }
            all.forEach(CompletableFuture::join);
            double micros = (System.nanoTime() - begin) / 1e3 / records;
            file.awaitRest();
            partitions.accept(file.partitions());
            testbed.stepDone();
            return micros;
        }
    }

    private static void insert(RangeFile file, Way way, int from, int end) {
        try (RangeFile.Client client = file.client(way)) {
            file.series().insert(client.table(), from, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Comparison> comparisons(Map<Way, Double> ours) {
        Rows all = new Rows();
        ours.forEach((way, micros) -> all.add("time of an insert, " + way.text(), "µs", paper.get(way), micros));
        all.add(RpNotes.ratio("without flow control", ours, paper, Way.N, Way.C_EMPTY));
        if (ours.containsKey(Way.N_FLOW)) {
            all.add(RpNotes.ratio("with flow control", ours, paper, Way.N_FLOW, Way.C_FLOW));
            all.add(RpNotes.ratio("flow control over none", ours, paper, Way.C_FLOW, Way.C_EMPTY));
            all.add(RpNotes.ratio("flow control over none", ours, paper, Way.N_FLOW, Way.N));
        }
        return all;
    }
}
