package io.sdds.bench.paper;

import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.Pace;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Figure 8 of Gribble et al.: throughput while a replica is killed and recovers; here of writes as well as of reads.
 */
final class Availability extends Experiment {
    private static final int REPLICAS = 3;
    private static final int READERS = 2;
    private static final int PIPELINE = 100;
    private static final int WRITERS_PIPELINE = 20;
    /** One partition, as in the paper. */
    private static final TableOptions TABLE = TableOptions.replicas(REPLICAS).withCapacityBytes(1L << 30);

    /** Warm-up stretches until the code of all processes is warm. */
    private static final int WARMUP_STRETCHES = 2;

    private static final double PAPER_READS = 450;
    private static final double PAPER_READS_OF_TWO = 300;
    private static final double PAPER_COPY_MB = 12;

    private static final double READS_GAP_MAX_SECONDS = 0.1;
    private static final double READS_BACK_MAX_SECONDS = 0.5;
    private static final double BACK_SHARE = 0.9;
    private static final double STALL_MAX_SECONDS = 2;
    private static final double STALL_SECONDS = 0.1;
    private static final double SWITCH_MAX_SECONDS = 0.05;
    /** Start of the interval of the switch of the primary, before the status showed the new primary. */
    private static final double BEFORE_SECONDS = 0.5;

    private static final double AFTER_SECONDS = 0.2;
    /** Lower end of vertical lines, above 0 because of logarithmic axes. */
    private static final double BOTTOM = 0.1;

    /** Times of events, in seconds since the start of the load. */
    private record Marks(
            double begin,
            double killed,
            double reconfigured,
            double back,
            double whole,
            double warm,
            double end,
            double megabytes) {
        double copySeconds() {
            return whole - back;
        }

        /** A small table is copied within a step of {@link Pace}, which has no throughput during the copy then. */
        boolean isCopyMeasured() {
            return Pace.isMeasured(back, whole);
        }
    }

    Availability() {
        super("dds-8", "DDS, Figure 8: throughput while a replica is killed and recovers");
    }

    @Override
    int steps(Scale scale) {
        return 1;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        Scale scale = testbed.scale();
        LoadSettings load = LoadSettings.defaults().withRecords(scale.copiedKeys(), Testbed.VALUE_BYTES);
        List<LoadSettings> loads = List.of(
                load.withMode(LoadMode.READ).withServices(READERS, PIPELINE),
                load.withMode(LoadMode.WRITE).withServices(1, WRITERS_PIPELINE));
        Duration steady = scale.steady();
        try (WatchedTable table =
                WatchedTable.open(testbed, REPLICAS, TABLE, loads, steady.multipliedBy(2 * WARMUP_STRETCHES + 5))) {
            Marks marks = course(testbed, table, steady);
            table.end();
            Pace reads = table.paces().get(0);
            Pace writes = table.paces().get(1);
            Rows comparisons = new Rows();
            ofReads(marks, reads, comparisons);
            ofWrites(marks, reads, writes, comparisons);
            comparisons
                    .add("operations that failed", "operations", table.failed())
                    .atMost(0);
            return findings(
                    testbed,
                    "one partition of " + scale.copiedKeys() + " records of " + Testbed.VALUE_BYTES + " bytes, "
                            + REPLICAS + " replicas; closed loops at the same time: reads, " + READERS + " × "
                            + PIPELINE
                            + " outstanding, and writes, " + WRITERS_PIPELINE
                            + " outstanding; the brick that leads is killed",
                    comparisons,
                    List.of(
                            throughput("a) Reads", "reads/s", marks, reads, true),
                            throughput("b) Writes", "writes/s", marks, writes, false),
                            slowest(marks, reads, writes)),
                    List.of(
                            "The paper's bricks had a processor each: two of three do two thirds. "
                                    + ScaleUp.coresNote(testbed),
                            "The paper only read. Its recovering partition takes no writes during the copy; ours"
                                    + " does."));
        }
    }

    private static Marks course(Testbed testbed, WatchedTable table, Duration steady) throws InterruptedException {
        table.goOn(steady.multipliedBy(WARMUP_STRETCHES));
        double begin = table.seconds();
        table.goOn(steady);
        PartitionStatus partition = only(table.status());
        String victim = partition.brick();
        long incarnation = incarnation(table.status(), victim);
        double killed = table.seconds();
        testbed.site().kill(victim);
        double reconfigured = table.await("two bricks hold the partition", status -> {
            PartitionStatus now = only(status);
            return !now.brick().equals(victim) && !now.backups().contains(victim);
        });
        table.goOn(steady);
        testbed.site().restart(victim);
        double back = table.await(victim + " is up again", status -> incarnation(status, victim) > incarnation);
        double whole = table.await(
                "three bricks hold the partition",
                status -> only(status).backups().size() == REPLICAS - 1
                        && status.joins().isEmpty());
        table.goOn(steady.multipliedBy(WARMUP_STRETCHES));
        double warm = table.seconds();
        table.goOn(steady);
        return new Marks(
                begin,
                killed,
                reconfigured,
                back,
                whole,
                warm,
                table.seconds(),
                only(table.status()).bytes() / 1e6);
    }

    private static PartitionStatus only(ClusterStatus status) {
        return status.partitions().get(0);
    }

    /** Incarnation of a brick; 0 if the brick is not up. */
    private static long incarnation(ClusterStatus status, String brick) {
        return status.bricks().stream()
                .filter(each -> each.id().equals(brick) && each.up())
                .mapToLong(each -> each.incarnation())
                .findFirst()
                .orElse(0);
    }

    // ---- the numbers

    private static void ofReads(Marks marks, Pace reads, Rows into) {
        double three = reads.perSecond(marks.begin(), marks.killed());
        double two = reads.perSecond(marks.reconfigured(), marks.back());
        double copying = reads.perSecond(marks.back(), marks.whole());
        double after = reads.perSecond(marks.warm(), marks.end()); // the restarted brick is as warm as those at first
        into.add("reads/s, three replicas", "1/s", PAPER_READS, three);
        into.add("reads/s, two", "1/s", PAPER_READS_OF_TWO, two);
        into.add("reads, two replicas over three", "×", PAPER_READS_OF_TWO / PAPER_READS, two / three);
        if (marks.isCopyMeasured()) {
            // "there was no noticeable performance overhead of recovery"
            into.add("reads, during the copy over before it", "×", 1.0, copying / two);
        }
        // "performance resumed to the original 450 operations/s"
        into.add("reads, whole again over at first", "×", 1.0, after / three).atLeast(BACK_SHARE);
        into.add(
                "from whole again to nine tenths of the reads at first",
                "s",
                reads.secondsUntil(marks.whole(), BACK_SHARE * three));
        into.add("longest while without a read", "s", reads.longestGapSeconds(marks.begin(), marks.end()))
                .atMost(READS_GAP_MAX_SECONDS);
        into.add(
                        "from the reconfiguration to nine tenths of the reads of two, or of three if that is less",
                        "s",
                        reads.secondsUntil(marks.reconfigured(), BACK_SHARE * Math.min(two, three)))
                .atMost(READS_BACK_MAX_SECONDS);
    }

    private static void ofWrites(Marks marks, Pace reads, Pace writes, Rows into) {
        double three = writes.perSecond(marks.begin(), marks.killed());
        double two = writes.perSecond(marks.reconfigured(), marks.back());
        double copying = writes.perSecond(marks.back(), marks.whole());
        into.add("from the kill to the reconfiguration", "s", marks.reconfigured() - marks.killed())
                .atMost(STALL_MAX_SECONDS);
        into.add(
                        "longest while without a write, kill and reconfiguration",
                        "s",
                        writes.longestGapSeconds(marks.killed(), marks.back()))
                .atMost(STALL_MAX_SECONDS);
        into.add(
                        "stalls of writes of " + STALL_SECONDS + " s and more, all told",
                        "stalls",
                        writes.gaps(marks.begin(), marks.end(), STALL_SECONDS))
                .atMost(1);
        into.add("writes/s, three replicas", "1/s", three);
        into.add("writes/s, two", "1/s", two);
        if (marks.isCopyMeasured()) {
            into.add("writes, during the copy over before it", "×", 0.0, copying / two);
        }
        into.add("longest while without a write, copy", "s", writes.longestGapSeconds(marks.back(), marks.whole()));
        into.add("longest while without a read, copy", "s", reads.longestGapSeconds(marks.back(), marks.whole()));
        into.add(
                        "longest while without a write, switch",
                        "s",
                        writes.longestGapSeconds(marks.whole() - BEFORE_SECONDS, marks.whole() + AFTER_SECONDS))
                .atMost(SWITCH_MAX_SECONDS);
        into.add("copy", "s", marks.copySeconds());
        into.add("copied a second", "MB/s", PAPER_COPY_MB, marks.megabytes() / marks.copySeconds());
    }

    // ---- the picture

    private static Panel throughput(String title, String what, Marks marks, Pace pace, boolean paper) {
        List<Point> line = new ArrayList<>();
        double most = 0;
        for (int step = 0; step < marks.end() / Pace.STEP_SECONDS - 1; step++) {
            double rate = pace.perSecond(step);
            most = Math.max(most, rate);
            line.add(new Point(step * Pace.STEP_SECONDS, rate));
        }
        List<Curve> curves = new ArrayList<>();
        curves.add(Curve.ours("SDDS", line));
        if (paper) {
            curves.add(shape(marks, pace.perSecond(marks.begin(), marks.killed())));
        }
        marks(curves, marks, most);
        return new Panel(title, linear("time, s"), linear(what), curves);
    }

    /** The levels of the paper, scaled to the measured throughput with three replicas. */
    private static Curve shape(Marks marks, double three) {
        double two = three * PAPER_READS_OF_TWO / PAPER_READS;
        return Curve.paper(
                "paper's shape",
                List.of(
                        new Point(marks.begin(), three),
                        new Point(marks.killed(), three),
                        new Point(marks.killed(), two),
                        new Point(marks.whole(), two),
                        new Point(marks.whole(), three),
                        new Point(marks.end(), three)));
    }

    private static Panel slowest(Marks marks, Pace reads, Pace writes) {
        List<Curve> curves = new ArrayList<>();
        double most = 0;
        for (Pace pace : List.of(reads, writes)) {
            List<Point> line = new ArrayList<>();
            for (int step = 0; step < pace.steps(); step++) {
                double at = (step + 0.5) * Pace.STEP_SECONDS;
                double millis = 1e3 * pace.slowestSeconds(at, at + Pace.STEP_SECONDS / 4);
                most = Math.max(most, millis);
                line.add(new Point(step * Pace.STEP_SECONDS, millis));
            }
            curves.add(Curve.ours(pace == reads ? "slowest read" : "slowest write", line));
        }
        marks(curves, marks, most);
        return new Panel("c) Slowest operation of a tenth of a second", linear("time, s"), logarithmic("ms"), curves);
    }

    private static void marks(List<Curve> curves, Marks marks, double height) {
        curves.add(Curve.mark("killed", marks.killed(), BOTTOM, height));
        curves.add(Curve.mark("reconfigured", marks.reconfigured(), BOTTOM, height));
        curves.add(Curve.mark("brick back", marks.back(), BOTTOM, height));
        curves.add(Curve.mark("whole again", marks.whole(), BOTTOM, height));
    }
}
