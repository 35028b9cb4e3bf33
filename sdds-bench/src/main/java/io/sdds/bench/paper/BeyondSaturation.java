package io.sdds.bench.paper;

import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.load.BrickFigures;
import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.OverloadResult;
import io.sdds.bench.load.OverloadResult.Step;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figure 5 of Gribble et al.: read throughput under overload. For tables with replicas, write throughput. */
final class BeyondSaturation extends Experiment {
    private static final int CONNECTIONS = 2;
    private static final int PARTITIONS_A_BRICK = 16;
    private static final int PARTITIONS_REPLICATED = 8;
    /** Warm-up of a step, because twenty connections need some time until their loads are even. */
    private static final int WARMUPS = 4;

    private static final double SUSTAINED_LEAST = 0.9;
    private static final double SLOWER_MOST = 5;
    private static final double MEMORY_GROWTH_MAX = 1.1;

    /**
     * A step at saturation or beyond.
     *
     * @param load description of the load
     */
    private record Saturated(String load, Step step) {
        static List<Saturated> closed(OverloadResult result) {
            return of(result.closed(), " times the saturating load outstanding");
        }

        static List<Saturated> open(OverloadResult result) {
            return of(result.open(), " times the saturating load offered");
        }

        private static List<Saturated> of(List<Step> steps, String kind) {
            return steps.stream()
                    .filter(step -> step.factor() >= 1)
                    .map(step -> new Saturated(Comparison.number(step.factor()) + kind, step))
                    .toList();
        }

        boolean isBeyond() {
            return step.factor() > 1;
        }
    }

    BeyondSaturation() {
        super("dds-5", "DDS, Figure 5: throughput beyond saturation");
    }

    @Override
    int steps(Scale scale) {
        return scale.loadedBricks().size();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        Map<Integer, OverloadResult> byBricks = new TreeMap<>();
        boolean writes = testbed.replicas() > 1;
        List<Integer> wanted =
                writes ? List.of(testbed.replicas()) : testbed.scale().loadedBricks();
        for (int bricks : testbed.site().sizes(wanted)) {
            byBricks.put(bricks, testbed.overload(bricks, table(bricks, testbed), settings(testbed)));
        }
        Rows comparisons = new Rows();
        byBricks.forEach((bricks, result) -> comparisons.addAll(comparisons(name(bricks), result)));
        return findings(testbed, load(testbed), comparisons, panels(byBricks), notes(testbed));
    }

    private static String load(Testbed testbed) {
        Scale scale = testbed.scale();
        boolean writes = testbed.replicas() > 1;
        return (writes ? "writes of " : "reads of ") + Testbed.VALUE_BYTES + " bytes, " + scale.keys()
                + " keys, with as many bricks as each curve says, "
                + (writes ? PARTITIONS_REPLICATED + " partitions of " + testbed.replicas() + " replicas, " : "")
                + testbed.overloaded().toMillis() / 1e3 + " s a step";
    }

    private static List<String> notes(Testbed testbed) {
        return List.of(
                "Offered as requests outstanding in a closed loop, as in the paper, and as requests a second in an open"
                        + " one; both through as many times as many connections.",
                "Load is raw frames, as of sdds bench overload --raw: it shares the processors with the bricks. The"
                        + " peak is the best of the closed loops; the search before them (2 s a step) finds"
                        + " saturation. Memory is that of bricks that are processes of their own on this machine.",
                ScaleUp.coresNote(testbed));
    }

    private static OverloadSettings settings(Testbed testbed) {
        Scale scale = testbed.scale();
        return new OverloadSettings(
                testbed.replicas() > 1 ? LoadMode.WRITE : LoadMode.READ,
                CONNECTIONS,
                Testbed.VALUE_BYTES,
                scale.keys(),
                scale.loads(),
                scale.warmup().multipliedBy(WARMUPS),
                testbed.overloaded(),
                scale.saturating());
    }

    /** Number of partitions, several for each brick, so that all bricks have equal shares of the load. */
    private static TableOptions table(int bricks, Testbed testbed) {
        if (testbed.replicas() > 1) {
            return TableOptions.replicas(testbed.replicas()).withPartitions(PARTITIONS_REPLICATED);
        }
        return TableOptions.defaults().withPartitions(bricks == 1 ? 1 : PARTITIONS_A_BRICK * bricks);
    }

    /** Compares throughput, latency of admitted operations, and backlog under overload. */
    static List<Comparison> comparisons(String who, OverloadResult result) {
        List<Saturated> steps = Stream.of(Saturated.closed(result), Saturated.open(result))
                .flatMap(List::stream)
                .toList();
        Rows all = new Rows();
        all.add("peak throughput, " + who, "1/s", result.peakPerSecond());
        all.add("outstanding at saturation, " + who, "requests", result.kneeOutstanding());
        all.add("p99 at saturation, " + who, "µs", result.kneeP99Micros());
        for (Saturated each : steps) {
            double share = each.step().goodputPerSecond() / result.peakPerSecond();
            // "This maximum throughput is successfully sustained even as additional traffic is offered."
            Comparison row = Comparison.of("of the peak at " + each.load() + ", " + who, "×", 1.0, share);
            all.add(each.isBeyond() ? row.atLeast(SUSTAINED_LEAST) : row);
        }
        for (Saturated each : steps) {
            double slower = p99(each.step()) / result.kneeP99Micros();
            Comparison row = Comparison.of("p99 at " + each.load() + " over that at saturation, " + who, "×", slower);
            all.add(each.isBeyond() ? row.atMost(SLOWER_MOST) : row);
        }
        if (hasMemory(result)) {
            all.addAll(memory(who, result));
        }
        all.add("operations that failed, " + who, "operations", result.wrong()).atMost(0);
        return all;
    }

    /**
     * Compares the memory growth of the bricks in the step with the highest load, and from the first step to the last.
     */
    private static List<Comparison> memory(String who, OverloadResult result) {
        Rows all = new Rows();
        Saturated open = last(Saturated.open(result));
        for (Saturated most : List.of(last(Saturated.closed(result)), open)) {
            BrickFigures bricks = most.step().bricks();
            String when = "after " + most.load() + " over before, " + who;
            all.add(grown(when, bricks.residentBytesBefore(), bricks.residentBytesAfter()));
        }
        all.add(grown(
                "after all steps over after the first, " + who,
                result.closed().get(0).bricks().residentBytesAfter(),
                open.step().bricks().residentBytesAfter()));
        return all;
    }

    private static <T> T last(List<T> all) {
        return all.get(all.size() - 1);
    }

    private static Comparison grown(String when, long from, long to) {
        return Comparison.of("memory " + when, "×", (double) to / from).atMost(MEMORY_GROWTH_MAX);
    }

    private static String name(int bricks) {
        return bricks + (bricks == 1 ? " brick" : " bricks");
    }

    // ---- pictures

    static List<Panel> panels(Map<Integer, OverloadResult> byBricks) {
        Axis outstanding = logarithmic("requests outstanding");
        Axis offered = logarithmic("offered a second");
        Axis throughput = linear("operations/s");
        Axis micros = logarithmic("p99 of what was admitted, µs");
        List<Curve> sustained = closed(byBricks, Step::goodputPerSecond);
        sustained.add(sustained(byBricks));
        List<Panel> panels = new ArrayList<>();
        panels.add(new Panel("a) Throughput", outstanding, throughput, sustained));
        panels.add(new Panel("b) Latency", outstanding, micros, closed(byBricks, BeyondSaturation::p99)));
        panels.add(new Panel(
                "c) Throughput, offered at a rate",
                offered,
                throughput,
                curves(byBricks, "", OverloadResult::open, Step::offeredPerSecond, Step::goodputPerSecond)));
        panels.add(new Panel(
                "d) Latency, offered at a rate",
                offered,
                linear(micros.label()), // a logarithmic axis has no label within a decade
                curves(byBricks, "", OverloadResult::open, Step::offeredPerSecond, BeyondSaturation::p99)));
        if (byBricks.values().stream().allMatch(BeyondSaturation::hasMemory)) {
            panels.add(memory(byBricks));
        }
        return panels;
    }

    private static boolean hasMemory(OverloadResult result) {
        return result.closed().get(0).bricks().processes() > 0;
    }

    private static Panel memory(Map<Integer, OverloadResult> byBricks) {
        ToDoubleFunction<Step> megabytes = step -> step.bricks().residentBytesAfter() / (double) (1 << 20);
        List<Curve> curves = curves(byBricks, ", outstanding", OverloadResult::closed, Step::factor, megabytes);
        curves.addAll(curves(byBricks, ", at a rate", OverloadResult::open, Step::factor, megabytes));
        return new Panel(
                "e) Memory of the bricks' processes", logarithmic("times the saturating load"), linear("MiB"), curves);
    }

    private static double p99(Step step) {
        return step.latency().p99Micros();
    }

    private interface Steps {
        List<Step> of(OverloadResult result);
    }

    /** The steps, and the shorter steps of the search for saturation. */
    private static List<Curve> closed(Map<Integer, OverloadResult> byBricks, ToDoubleFunction<Step> y) {
        List<Curve> curves = curves(byBricks, "", OverloadResult::closed, Step::outstanding, y);
        curves.addAll(curves(byBricks, ", search", OverloadResult::saturation, Step::outstanding, y));
        return curves.stream()
                .filter(curve -> !curve.points().isEmpty())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** "This maximum throughput is successfully sustained", drawn at the peak of the most bricks. */
    private static Curve sustained(Map<Integer, OverloadResult> byBricks) {
        OverloadResult most = last(List.copyOf(byBricks.values()));
        double peak = most.peakPerSecond();
        List<Step> steps = most.closed();
        return Curve.paper(
                "paper: sustained",
                List.of(
                        new Point(most.kneeOutstanding(), peak),
                        new Point(last(steps).outstanding(), peak)));
    }

    private static List<Curve> curves(
            Map<Integer, OverloadResult> byBricks,
            String of,
            Steps steps,
            ToDoubleFunction<Step> x,
            ToDoubleFunction<Step> y) {
        List<Curve> curves = new ArrayList<>();
        byBricks.forEach((bricks, result) -> curves.add(Curve.ours(
                name(bricks) + of,
                steps.of(result).stream()
                        .map(step -> new Point(x.applyAsDouble(step), y.applyAsDouble(step)))
                        .toList())));
        return curves;
    }
}
