package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Table 1 of LH*RS: creation of a parity bucket by bucket size. */
final class ParityBucketCreation extends Experiment {
    private static final int PARITIES = 1;
    private static final int BRICKS = ParityFile.COLUMNS + PARITIES + 1;
    private static final double PAPER_UNIT = 5_000;

    /** Records of a file, as a multiple of the bucket size. */
    static final double RECORDS_A_BUCKET = 2.5;

    /** Seconds by bucket size, as a multiple of the smallest. */
    private static final Map<Integer, Double> PAPER = new TreeMap<>(Map.of(1, 2.523, 2, 3.044, 5, 4.847, 10, 8.062));

    ParityBucketCreation() {
        super("rs-t1", "LH*RS, Table 1: creation of a parity bucket by bucket size");
    }

    @Override
    int steps(Scale scale) {
        return scale.buckets().size() + 1;
    }

    static int records(Scale scale, int factor) {
        return (int) (RECORDS_A_BUCKET * scale.bucketUnit() * factor);
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        Scale scale = testbed.scale();
        Map<Integer, Double> seconds = new TreeMap<>();
        create(testbed, scale.buckets().getFirst()); // warms the code up
        for (int factor : scale.buckets()) {
            seconds.put(factor, create(testbed, factor));
        }
        return findings(
                testbed,
                format(
                        "files of 2.5 bucket sizes of records of %d bytes on %d partitions; a parity is killed and made"
                                + " on another brick",
                        Testbed.VALUE_BYTES, ParityFile.COLUMNS),
                comparisons(scale, seconds),
                List.of(
                        panel("SDDS", seconds, scale.bucketUnit(), Source.OURS),
                        panel("paper", PAPER, PAPER_UNIT, Source.PAPER)),
                List.of(
                        "From the last look at which the killed brick has the parity to the first at which another"
                                + " brick has all of it. It has several commits of the coordinator, which small buckets"
                                + " show most.",
                        "A parity copies at 16 MiB a second at most, so that reads and writes go on meanwhile: large"
                                + " buckets show this pace, not the speed of the code. The paper's parity connected to"
                                + " one bucket after the other, which was most of its time.",
                        "Buckets are ten times those of the paper at full scale. " + RsNotes.HARDWARE));
    }

    private static double create(Testbed testbed, int factor) throws InterruptedException {
        int records = records(testbed.scale(), factor);
        try (ParityFile file = ParityFile.of(testbed, BRICKS, PARITIES, records, Testbed.VALUE_BYTES)) {
            file.fill();
            double seconds = file.replaceParity();
            testbed.stepDone();
            return seconds;
        }
    }

    private static List<Comparison> comparisons(Scale scale, Map<Integer, Double> seconds) {
        Rows rows = new Rows();
        seconds.forEach((factor, ours) ->
                rows.add(format("creation, bucket of %,d", scale.bucketUnit() * factor), "s", PAPER.get(factor), ours));
        seconds.forEach((factor, ours) -> rows.add(
                format("a record of bucket of %,d", scale.bucketUnit() * factor),
                "µs",
                known(PAPER, factor) * 1e6 / (RECORDS_A_BUCKET * PAPER_UNIT * factor),
                ours * 1e6 / records(scale, factor)));
        int most = scale.buckets().getLast();
        rows.add(
                most + " times the bucket over 1",
                "×",
                known(PAPER, most) / known(PAPER, 1),
                known(seconds, most) / known(seconds, 1));
        return rows;
    }

    private static Panel panel(String title, Map<Integer, Double> seconds, double unit, Source source) {
        List<Point> points = new ArrayList<>();
        seconds.forEach((factor, each) -> points.add(new Point(unit * factor / 1e3, each)));
        return Panel.of(
                title,
                linear("bucket size, thousands of records"),
                linear("time, s"),
                new Curve("creation of a parity", source, points));
    }
}
