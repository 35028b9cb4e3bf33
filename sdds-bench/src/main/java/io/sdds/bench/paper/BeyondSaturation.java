package io.sdds.bench.paper;

import io.sdds.bench.load.BrickFigures;
import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.OverloadResult;
import io.sdds.bench.load.OverloadResult.Step;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Figure 5 of Gribble et al.: read throughput under more load than the bricks can take; of tables with replicas, write throughput. */
final class BeyondSaturation implements Experiment {
    private static final int CONNECTIONS = 2;
    private static final int PARTITIONS_A_BRICK = 16;
    private static final double SUSTAINED_LEAST = 0.9;
    private static final int PARTITIONS_REPLICATED = 8;
    private static final double MEMORY_GROWTH_MAX = 1.1;

    @Override
    public String name() {
        return "dds-5";
    }

    @Override
    public String title() {
        return "DDS, Figure 5: throughput beyond saturation";
    }

    @Override
    public int steps(Scale scale) {
        return scale.loadedBricks().size();
    }

    @Override
    public Findings run(Lab lab) throws InterruptedException {
        Map<Integer, OverloadResult> byBricks = new TreeMap<>();
        boolean writes = lab.replicas() > 1;
        for (int bricks : writes ? List.of(lab.replicas()) : lab.scale().loadedBricks()) {
            byBricks.put(bricks, lab.overload(bricks, table(bricks, lab), settings(lab)));
        }
        List<Comparison> comparisons = new ArrayList<>();
        byBricks.forEach((bricks, result) -> compare(bricks, result, comparisons));
        if (writes) {
            byBricks.forEach((bricks, result) -> compareCost(bricks, result, comparisons));
        }
        return new Findings(
                name(),
                title(),
                lab.setting((writes ? "writes of " : "reads of ") + Lab.VALUE_BYTES + " bytes, "
                        + lab.scale().keys() + " keys, with as many bricks as each curve says"
                        + (writes
                                ? ", " + PARTITIONS_REPLICATED + " partitions of " + lab.replicas() + " replicas"
                                : "")),
                lab.machine(),
                comparisons,
                List.of(throughput(byBricks), latency(byBricks), offered(byBricks)),
                List.of(
                        "Offered as requests outstanding in a closed loop, as in the paper, and as requests a second in"
                                + " an open one.",
                        ScaleUp.coresNote(lab)));
    }

    private static OverloadSettings settings(Lab lab) {
        Scale scale = lab.scale();
        return new OverloadSettings(
                lab.replicas() > 1 ? LoadMode.WRITE : LoadMode.READ,
                CONNECTIONS,
                Lab.VALUE_BYTES,
                scale.keys(),
                scale.loads(),
                scale.warmup(),
                scale.duration(),
                scale.saturating());
    }

    /** Several partitions a brick, so that all have their share. */
    private static TableOptions table(int bricks, Lab lab) {
        Scale scale = lab.scale();
        if (lab.replicas() > 1) {
            return TableOptions.replicas(lab.replicas()).withPartitions(PARTITIONS_REPLICATED);
        }
        return bricks == 1
                ? TableOptions.defaults()
                : TableOptions.capacity(Math.max(1, scale.keys() / (PARTITIONS_A_BRICK * bricks)));
    }

    private static void compare(int bricks, OverloadResult result, List<Comparison> into) {
        String who = name(bricks);
        into.add(Comparison.of("peak throughput, " + who, "1/s", null, result.peakPerSecond()));
        into.add(Comparison.of("outstanding at saturation, " + who, "requests", null, result.kneeOutstanding()));
        // "This maximum throughput is successfully sustained even as additional traffic is offered."
        for (Step step : result.closed()) {
            sustained(step, "outstanding, ", who, result, into);
        }
        for (Step step : result.open()) {
            sustained(step, "offered, ", who, result, into);
        }
    }

    private static void sustained(Step step, String kind, String who, OverloadResult result, List<Comparison> into) {
        if (step.factor() > 1) {
            String what = Comparison.number(step.factor()) + " times the saturating load " + kind + who;
            into.add(Comparison.of("of the peak at " + what, "×", 1.0, step.goodputPerSecond() / result.peakPerSecond())
                    .atLeast(SUSTAINED_LEAST));
        }
    }

    /** What was admitted is answered in time, and what is not does not pile up. */
    private static void compareCost(int bricks, OverloadResult result, List<Comparison> into) {
        for (Step step : result.closed()) {
            if (step.factor() > 1) {
                String what = " at " + Comparison.number(step.factor()) + " times the saturating load outstanding";
                double slower = step.latency().p99Micros() / result.kneeP99Micros();
                into.add(Comparison.of("p99" + what + " over that at it, " + name(bricks), "×", null, slower));
            }
        }
        List<Step> steps = new ArrayList<>(result.closed());
        steps.addAll(result.open());
        BrickFigures first = steps.get(0).bricks();
        BrickFigures last = steps.get(steps.size() - 1).bricks();
        if (first.processes() > 0) {
            double grown = (double) last.residentBytesAfter() / first.residentBytesAfter();
            into.add(Comparison.of(
                            "memory of the bricks' processes, after all loads over after the first", "×", null, grown)
                    .atMost(MEMORY_GROWTH_MAX));
        }
    }

    private static String name(int bricks) {
        return bricks + (bricks == 1 ? " brick" : " bricks");
    }

    private static Panel throughput(Map<Integer, OverloadResult> byBricks) {
        List<Curve> curves = curves(byBricks, BeyondSaturation::closed, Step::outstanding, Step::goodputPerSecond);
        curves.add(sustained(byBricks));
        return new Panel(
                "a) Throughput", Axis.logarithmic("requests outstanding"), Axis.linear("operations/s"), curves);
    }

    private static Panel latency(Map<Integer, OverloadResult> byBricks) {
        return new Panel(
                "b) Latency of what was admitted, p99",
                Axis.logarithmic("requests outstanding"),
                Axis.logarithmic("µs"),
                curves(
                        byBricks,
                        BeyondSaturation::closed,
                        Step::outstanding,
                        step -> step.latency().p99Micros()));
    }

    private static Panel offered(Map<Integer, OverloadResult> byBricks) {
        return new Panel(
                "c) Throughput, offered at a rate",
                Axis.logarithmic("offered a second"),
                Axis.linear("operations/s"),
                curves(byBricks, OverloadResult::open, Step::offeredPerSecond, Step::goodputPerSecond));
    }

    private interface Steps {
        List<Step> of(OverloadResult result);
    }

    /** From few to many outstanding: the search up to saturation, its multiples from there on. */
    private static List<Step> closed(OverloadResult result) {
        Stream<Step> before =
                result.saturation().stream().filter(step -> step.outstanding() < result.kneeOutstanding());
        Stream<Step> beyond = result.closed().stream().filter(step -> step.factor() >= 1);
        return Stream.concat(before, beyond)
                .sorted(Comparator.comparingInt(Step::outstanding))
                .toList();
    }

    /** "This maximum throughput is successfully sustained", drawn at the peak of the most bricks. */
    private static Curve sustained(Map<Integer, OverloadResult> byBricks) {
        OverloadResult most = new ArrayList<>(byBricks.values()).get(byBricks.size() - 1);
        double peak = most.peakPerSecond();
        List<Step> steps = most.closed();
        return new Curve(
                "paper: sustained",
                Source.PAPER,
                List.of(
                        new Point(most.kneeOutstanding(), peak),
                        new Point(steps.get(steps.size() - 1).outstanding(), peak)));
    }

    private static List<Curve> curves(
            Map<Integer, OverloadResult> byBricks, Steps steps, ToDoubleFunction<Step> x, ToDoubleFunction<Step> y) {
        List<Curve> curves = new ArrayList<>();
        byBricks.forEach((bricks, result) -> curves.add(new Curve(
                name(bricks),
                Source.OURS,
                steps.of(result).stream()
                        .map(step -> new Point(x.applyAsDouble(step), y.applyAsDouble(step)))
                        .toList())));
        return curves;
    }
}
