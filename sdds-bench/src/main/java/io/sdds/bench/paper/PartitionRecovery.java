package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.TableOptions;
import io.sdds.core.model.SplitPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tables 2 and 3 of LH*RS: recovery of one to three partitions, by bucket size and by slice size. */
final class PartitionRecovery extends Experiment {
    static final int LOST_MAX = 3;

    private static final int BRICKS = ParityFile.COLUMNS + 2 * LOST_MAX;
    private static final double PAPER_UNIT = 5_000;
    private static final double PAPER_FILL = ParityBucketCreation.RECORDS_A_BUCKET / ParityFile.COLUMNS;

    /** A slice of one record: the slices of a recovery are a third of those of splits, and records count 256 bytes. */
    private static final int SLICE_BYTES_A_RECORD = 3 * 256;

    /** Table 2: seconds by bucket size, as a multiple of the smallest, for 1, 2 and 3 lost buckets. */
    private static final Map<Integer, double[]> PAPER_BY_SIZE = new TreeMap<>(Map.of(
            1, new double[] {1.742, 2.043, 2.564},
            2, new double[] {3.465, 4.076, 4.797},
            5, new double[] {8.662, 10.185, 11.928},
            10, new double[] {17.375, 20.349, 23.895}));

    /** Table 3: seconds by records of a slice, of buckets of 31,250 records, for 1, 2 and 3 lost buckets. */
    private static final Map<Integer, double[]> PAPER_BY_SLICE = new TreeMap<>(Map.of(
            1_250, new double[] {50.352, 62.620, 82.619},
            3_125, new double[] {23.073, 29.893, 38.675},
            6_250, new double[] {13.650, 19.529, 26.028},
            15_625, new double[] {8.292, 14.510, 19.638},
            31_250, new double[] {6.700, 12.718, 17.825}));

    private final boolean bySlice;

    PartitionRecovery(boolean bySlice) {
        super(
                bySlice ? "rs-t3" : "rs-t2",
                bySlice
                        ? "LH*RS, Table 3: recovery of 1 to 3 partitions by slice size"
                        : "LH*RS, Table 2: recovery of 1 to 3 partitions by bucket size");
        this.bySlice = bySlice;
    }

    private List<Integer> sizes(Scale scale) {
        return bySlice ? scale.slices() : scale.buckets();
    }

    @Override
    int steps(Scale scale) {
        return sizes(scale).size() * LOST_MAX;
    }

    /** Records of a file. Table 3 has the largest of Table 2. */
    private int records(Scale scale, int size) {
        return ParityBucketCreation.records(scale, bySlice ? scale.buckets().getLast() : size);
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        Scale scale = testbed.scale();
        Map<Integer, double[]> seconds = new TreeMap<>();
        for (int size : sizes(scale)) {
            double[] each = new double[LOST_MAX];
            for (int lost = 1; lost <= LOST_MAX; lost++) {
                each[lost - 1] = recover(testbed, size, lost);
            }
            seconds.put(size, each);
        }
        return findings(
                testbed,
                format(
                        "%,d records of %d bytes at most on %d partitions with as many parities as are lost; %s",
                        records(scale, scale.buckets().getLast()),
                        Testbed.VALUE_BYTES,
                        ParityFile.COLUMNS,
                        bySlice ? "slices of so many records" : "slices of one record"),
                bySlice ? ofSlices(scale, seconds) : ofSizes(scale, seconds),
                List.of(ours(scale, seconds), papers()),
                notes());
    }

    private double recover(Testbed testbed, int size, int lost) throws InterruptedException {
        int records = records(testbed.scale(), size);
        TableOptions options = ParityFile.options(ParityFile.COLUMNS, ParityFile.COLUMNS, lost)
                .withSliceBytes(Math.min(SplitPolicy.SLICE_BYTES_MAX, SLICE_BYTES_A_RECORD * (bySlice ? size : 1)));
        try (ParityFile file = new ParityFile(testbed, BRICKS, options, records, Testbed.VALUE_BYTES)) {
            file.fill();
            double seconds = file.recover(lost).recoverySeconds();
            testbed.stepDone();
            return seconds;
        }
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("From the first look at which the partitions are lost to the first at which they have all records, on"
                + " as many other bricks. It has some commits of the coordinator, which small buckets show most.");
        notes.add(
                bySlice
                        ? "A slice of ours is a request of the new brick, which has eight of them under way; the paper"
                                + " has one. Ours are limited to 256 records and 64 KiB, so that clients are served"
                                + " between them: the paper's begin at 1,250, where ours end. With a slice of one"
                                + " record ours is the paper's Table 2."
                        : "As the paper's UDP version, a request asks for one record. The new brick has eight requests"
                                + " under way; the paper has one. Buckets are ten times those of the paper at full"
                                + " scale.");
        notes.add("Each lost partition is decoded for its own new brick, so that two cost twice the decoding. The paper"
                + " decodes all lost buckets from the same messages. Bricks of ours share the cores of this machine.");
        notes.add("A recovery is held to 256 MiB a second for each partition, where a record counts 256 bytes more"
                + " than it has. " + RsNotes.HARDWARE);
        return notes;
    }

    // ---- the numbers

    private static List<Comparison> ofSizes(Scale scale, Map<Integer, double[]> seconds) {
        Rows rows = new Rows();
        for (int lost = 1; lost <= LOST_MAX; lost++) {
            int k = lost - 1;
            seconds.forEach((factor, ours) -> rows.add(
                    format("%d lost, bucket of %,d", k + 1, scale.bucketUnit() * factor),
                    "s",
                    known(PAPER_BY_SIZE, factor)[k],
                    ours[k]));
        }
        for (int lost = 1; lost <= LOST_MAX; lost++) {
            int k = lost - 1;
            seconds.forEach((factor, ours) -> rows.add(
                    format("a rank, %d lost, bucket of %,d", k + 1, scale.bucketUnit() * factor),
                    "µs",
                    known(PAPER_BY_SIZE, factor)[k] * 1e6 / (PAPER_FILL * PAPER_UNIT * factor),
                    ours[k] * 1e6 / (PAPER_FILL * scale.bucketUnit() * factor)));
        }
        int most = scale.buckets().getLast();
        for (int lost = 1; lost <= LOST_MAX; lost++) {
            double theirs = known(PAPER_BY_SIZE, most)[lost - 1] / known(PAPER_BY_SIZE, 1)[lost - 1];
            double mine = known(seconds, most)[lost - 1] / known(seconds, 1)[lost - 1];
            rows.add(most + " times the bucket over 1, " + lost + " lost", "×", theirs, mine);
        }
        overOne(rows, PAPER_BY_SIZE, seconds, most, most);
        return rows;
    }

    private static List<Comparison> ofSlices(Scale scale, Map<Integer, double[]> seconds) {
        Rows rows = new Rows();
        int least = scale.slices().getFirst();
        int most = scale.slices().getLast();
        for (int lost = 1; lost <= LOST_MAX; lost++) {
            int k = lost - 1;
            seconds.forEach((slice, ours) -> rows.add(k + 1 + " lost, slices of " + slice, "s", ours[k]));
        }
        for (int lost = 1; lost <= LOST_MAX; lost++) {
            int k = lost - 1;
            double theirs = known(PAPER_BY_SLICE, 1_250)[k] / known(PAPER_BY_SLICE, 31_250)[k];
            double mine = known(seconds, least)[k] / known(seconds, most)[k];
            rows.add("smallest slice over largest, " + lost + " lost", "×", theirs, mine);
        }
        overOne(rows, PAPER_BY_SLICE, seconds, 31_250, most);
        return rows;
    }

    private static void overOne(Rows into, Map<Integer, double[]> paper, Map<Integer, double[]> ours, int of, int at) {
        double[] theirs = known(paper, of);
        double[] mine = known(ours, at);
        for (int lost = 2; lost <= LOST_MAX; lost++) {
            into.add(
                    lost + " lost over 1, largest " + (of == at ? "bucket" : "slice"),
                    "×",
                    theirs[lost - 1] / theirs[0],
                    mine[lost - 1] / mine[0]);
        }
    }

    // ---- the picture

    private Panel ours(Scale scale, Map<Integer, double[]> seconds) {
        return panel("SDDS", seconds, bySlice ? 1 : scale.bucketUnit() / 1e3, Source.OURS);
    }

    private Panel papers() {
        return bySlice
                ? panel("paper", PAPER_BY_SLICE, 1, Source.PAPER)
                : panel("paper", PAPER_BY_SIZE, PAPER_UNIT / 1e3, Source.PAPER);
    }

    private Panel panel(String title, Map<Integer, double[]> seconds, double unit, Source source) {
        List<Curve> curves = new ArrayList<>();
        for (int lost = 1; lost <= LOST_MAX; lost++) {
            List<Point> points = new ArrayList<>();
            int k = lost - 1;
            seconds.forEach((size, each) -> points.add(new Point(size * unit, each[k])));
            curves.add(new Curve(lost + " lost", source, points));
        }
        return new Panel(
                title,
                bySlice ? logarithmic("records in a slice") : linear("bucket size, thousands of records"),
                linear("time, s"),
                curves);
    }
}
