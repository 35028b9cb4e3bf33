package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.inOrder;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.LoadTarget;
import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What copies and parities cost: memory of a record, throughput of writes and reads, and losses survived. The paper has
 * no such figure.
 */
final class ProtectionCosts extends Experiment {
    private static final int BRICKS = ParityFile.COLUMNS + 2;
    /** Several groups on each brick. */
    private static final int PARTITIONS = 16;

    private static final int RECORDS_LEAST = 100_000;
    private static final int SERVICES = 2;
    private static final int PIPELINE = 100;
    private static final double WRITES_LEAST = 0.77;
    private static final double MEMORY_MAX_ONE = 1.40;
    private static final double MEMORY_MAX_TWO = 1.76;
    private static final long POLL_MILLIS = 250;
    private static final int SAME_POLLS = 4;
    private static final int POLLS_MAX = 120;

    /** How a table is protected. */
    private enum Protection {
        NONE("no copies", 1, 0),
        REPLICAS_2("replicas 2", 2, 0),
        PARITY_1("parity 4,1", 1, 1),
        REPLICAS_3("replicas 3", 3, 0),
        PARITY_2("parity 4,2", 1, 2);

        private final String text;
        private final int replicas;
        private final int parities;

        Protection(String text, int replicas, int parities) {
            this.text = text;
            this.replicas = replicas;
            this.parities = parities;
        }

        TableOptions options() {
            return ParityFile.options(PARTITIONS, ParityFile.COLUMNS, parities).withReplicas(replicas);
        }
    }

    /** Figures of a protection; throughputs of each repetition. */
    private record Costs(double recordBytes, int losses, List<Double> writes, List<Double> reads) {
        double writesPerSecond() {
            return Median.of(writes, each -> each);
        }

        double readsPerSecond() {
            return Median.of(reads, each -> each);
        }
    }

    ProtectionCosts() {
        super("rs-cost", "LH*RS, not in the paper: what copies and parities cost");
    }

    @Override
    int steps(Scale scale) {
        return Protection.values().length * (1 + 2 * scale.repeats());
    }

    /** So many that the last chunks of memory, which are partly empty, count little. */
    private static int records(Scale scale) {
        return Math.max(RECORDS_LEAST, 2 * scale.copiedKeys());
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Scale scale = testbed.scale();
        Map<Protection, ParityFile> files = new EnumMap<>(Protection.class);
        Map<Protection, Costs> costs = new EnumMap<>(Protection.class);
        try {
            for (Protection each : Protection.values()) {
                fill(testbed, each, files, costs);
                testbed.stepDone();
            }
            for (int k = 0; k < scale.repeats(); k++) {
                for (Protection each : Protection.values()) {
                    Costs into = known(costs, each);
                    ParityFile file = known(files, each);
                    into.writes().add(perSecond(testbed, file, LoadMode.WRITE));
                    into.reads().add(perSecond(testbed, file, LoadMode.READ));
                }
            }
        } finally {
            for (ParityFile file : files.values()) {
                file.close();
            }
        }
        return findings(
                testbed,
                format(
                        "%,d records of %d bytes on %d partitions; closed loops of %d × %d outstanding on %,d of"
                                + " them; medians of %d,"
                                + " the tables in turn",
                        records(scale),
                        Testbed.VALUE_BYTES,
                        PARTITIONS,
                        SERVICES,
                        PIPELINE,
                        scale.keys(),
                        scale.repeats()),
                comparisons(costs),
                panels(costs),
                List.of(
                        "Memory is what the bricks of the cluster take more for the table than before it, over its"
                                + " records: all records, indexes, ranks and parities, in chunks of 2 MiB. Few records"
                                + " make it inexact.",
                        "Losses are the bricks that the table can lose, as the coordinator tells it. All bricks answer"
                                + " reads of their copies; parities answer no reads while no brick is lost."));
    }

    private static void fill(
            Testbed testbed, Protection protection, Map<Protection, ParityFile> files, Map<Protection, Costs> costs)
            throws InterruptedException {
        int records = records(testbed.scale());
        ParityFile file = new ParityFile(testbed, BRICKS, protection.options(), records, Testbed.VALUE_BYTES);
        files.put(protection, file);
        long before = settledBytes(file);
        file.fill();
        long after = settledBytes(file);
        int losses = file.info().health().canLose();
        costs.put(
                protection,
                new Costs((double) (after - before) / records, losses, new ArrayList<>(), new ArrayList<>()));
    }

    /** Memory that records take on all bricks, when it does not change any more. */
    private static long settledBytes(ParityFile file) throws InterruptedException {
        long known = -1;
        int same = 0;
        for (int k = 0; k < POLLS_MAX && same < SAME_POLLS; k++) {
            long now = file.status().bricks().stream()
                    .mapToLong(BrickStatus::memoryUsedBytes)
                    .sum();
            same = now == known ? same + 1 : 0;
            known = now;
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return known;
    }

    private static double perSecond(Testbed testbed, ParityFile file, LoadMode mode) throws InterruptedException {
        LoadSettings load = LoadSettings.defaults()
                .withMode(mode)
                .withServices(SERVICES, PIPELINE)
                .withRecords(testbed.scale().keys(), Testbed.VALUE_BYTES)
                .withTimes(testbed.scale().warmup(), testbed.scale().duration());
        return Testbed.sound(testbed.closedLoop(LoadTarget.of(file.table()), load))
                .operationsPerSecond();
    }

    // ---- the numbers

    private static List<Comparison> comparisons(Map<Protection, Costs> costs) {
        Rows rows = new Rows();
        costs.forEach((kind, each) -> rows.add("memory of a record, " + kind.text, "bytes", each.recordBytes()));
        costs.forEach((kind, each) -> rows.add("writes/s, " + kind.text, "1/s", each.writesPerSecond()));
        costs.forEach((kind, each) -> rows.add("reads/s, " + kind.text, "1/s", each.readsPerSecond()));
        costs.forEach((kind, each) -> rows.add("can lose, " + kind.text, "bricks", each.losses()));
        Costs none = known(costs, Protection.NONE);
        costs.forEach((kind, each) -> {
            if (kind != Protection.NONE) {
                Comparison ratio = Comparison.of(
                        "memory over no copies, " + kind.text, "×", each.recordBytes() / none.recordBytes());
                rows.add(
                        kind.parities == 0
                                ? ratio
                                : ratio.atMost(kind.parities == 1 ? MEMORY_MAX_ONE : MEMORY_MAX_TWO));
            }
        });
        rows.add(writes(costs, Protection.PARITY_1, Protection.REPLICAS_2));
        rows.add(writes(costs, Protection.PARITY_2, Protection.REPLICAS_3));
        return rows;
    }

    private static Comparison writes(Map<Protection, Costs> costs, Protection over, Protection under) {
        List<Double> mine = known(costs, over).writes();
        List<Double> theirs = known(costs, under).writes();
        double[] ratios = new double[mine.size()];
        for (int k = 0; k < ratios.length; k++) {
            ratios[k] = mine.get(k) / theirs.get(k);
        }
        return Comparison.of("writes, " + over.text + " over " + under.text, "×", Median.of(ratios))
                .atLeast(WRITES_LEAST);
    }

    // ---- the picture

    private static List<Panel> panels(Map<Protection, Costs> costs) {
        Collection<Costs> all = costs.values();
        String names = String.join(
                " · ", costs.keySet().stream().map(each -> each.text).toList());
        return List.of(
                Panel.of(
                        "Throughput",
                        linear(names),
                        linear("operations/s"),
                        Curve.ours("writes", inOrder(all, Costs::writesPerSecond)),
                        Curve.ours("reads", inOrder(all, Costs::readsPerSecond))),
                Panel.of(
                        "Memory",
                        linear(names),
                        linear("bytes a record"),
                        Curve.ours("memory of a record", inOrder(all, Costs::recordBytes))));
    }
}
