package io.sdds.bench.paper;

import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Table 1 of LH*RS: creation of a parity bucket by bucket size. */
final class ParityBucketCreation implements Experiment {
    private static final int PARITIES = 1;
    private static final int BRICKS = ParityFile.COLUMNS + PARITIES + 1;
    private static final double PAPER_UNIT = 5_000;

    /** Records of a file, as a multiple of the bucket size. */
    static final double RECORDS_A_BUCKET = 2.5;

    /** Seconds by bucket size, as a multiple of the smallest. */
    private static final Map<Integer, Double> PAPER = new TreeMap<>(Map.of(1, 2.523, 2, 3.044, 5, 4.847, 10, 8.062));

    @Override
    public String name() {
        return "rs-t1";
    }

    @Override
    public String title() {
        return "LH*RS, Table 1: creation of a parity bucket by bucket size";
    }

    @Override
    public int steps(Scale scale) {
        return scale.buckets().size() + 1;
    }

    static int records(Scale scale, int factor) {
        return (int) (RECORDS_A_BUCKET * scale.bucketUnit() * factor);
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        Scale scale = testbed.scale();
        Map<Integer, Double> seconds = new TreeMap<>();
        create(testbed, scale.buckets().getFirst()); // warms the code up
        for (int factor : scale.buckets()) {
            seconds.put(factor, create(testbed, factor));
        }
        return new Findings(
                name(),
                title(),
                testbed.setting(String.format(
                        Locale.ROOT,
                        "files of 2.5 bucket sizes of records of %d bytes on %d partitions; a parity is killed and made"
                                + " on another brick",
                        Testbed.VALUE_BYTES,
                        ParityFile.COLUMNS)),
                testbed.machine(),
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
        try (ParityFile file = new ParityFile(
                testbed,
                BRICKS,
                ParityFile.options(ParityFile.COLUMNS, ParityFile.COLUMNS, PARITIES),
                records,
                Testbed.VALUE_BYTES)) {
            file.fill();
            double seconds = file.replaceParity();
            testbed.stepDone();
            return seconds;
        }
    }

    private static List<Comparison> comparisons(Scale scale, Map<Integer, Double> seconds) {
        List<Comparison> rows = new ArrayList<>();
        seconds.forEach((factor, ours) -> rows.add(Comparison.of(
                String.format(Locale.ROOT, "creation, bucket of %,d", scale.bucketUnit() * factor),
                "s",
                PAPER.get(factor),
                ours)));
        seconds.forEach((factor, ours) -> rows.add(Comparison.of(
                String.format(Locale.ROOT, "a record of bucket of %,d", scale.bucketUnit() * factor),
                "µs",
                ExampleBuilds.known(PAPER, factor) * 1e6 / (RECORDS_A_BUCKET * PAPER_UNIT * factor),
                ours * 1e6 / records(scale, factor))));
        int most = scale.buckets().getLast();
        rows.add(Comparison.of(
                most + " times the bucket over 1",
                "×",
                ExampleBuilds.known(PAPER, most) / ExampleBuilds.known(PAPER, 1),
                ExampleBuilds.known(seconds, most) / ExampleBuilds.known(seconds, 1)));
        return rows;
    }

    private static Panel panel(String title, Map<Integer, Double> seconds, double unit, Source source) {
        List<Point> points = new ArrayList<>();
        seconds.forEach((factor, each) -> points.add(new Point(unit * factor / 1e3, each)));
        return new Panel(
                title,
                Axis.linear("bucket size, thousands of records"),
                Axis.linear("time, s"),
                List.of(new Curve("creation of a parity", source, points)));
    }
}
