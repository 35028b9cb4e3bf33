package io.sdds.bench.paper;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figure 5 of Gribble et al.: read throughput as more and more requests are outstanding. */
final class Overload implements Experiment {
    /** "Each service instance has a closed-loop pipeline of 100 operations." */
    private static final int PIPELINE = 100;

    private static final double SUSTAINED_LEAST = 0.9;
    /** Where a share of the peak is reached, the bricks are saturated. */
    private static final double KNEE_SHARE = 0.9;

    @Override
    public String name() {
        return "dds-5";
    }

    @Override
    public String title() {
        return "DDS, Figure 5: read throughput by outstanding requests, beyond saturation";
    }

    @Override
    public int steps(Scale scale) {
        return scale.loadedBricks().size() * scale.services().size();
    }

    @Override
    public Findings run(Lab lab) throws InterruptedException {
        Map<Integer, List<LoadResult>> byBricks = new TreeMap<>();
        for (int bricks : lab.scale().loadedBricks()) {
            List<LoadResult> results = new ArrayList<>();
            for (int services : lab.scale().services()) {
                results.add(Lab.sound(lab.closedLoop(bricks, spreadOver(bricks, lab.scale()), load(lab.scale(), services))));
            }
            byBricks.put(bricks, results);
        }
        List<Comparison> comparisons = new ArrayList<>();
        byBricks.forEach((bricks, results) -> compare(bricks, results, comparisons));
        return new Findings(
                name(),
                title(),
                lab.setting("closed loop of reads, services with " + PIPELINE + " outstanding each"),
                lab.machine(),
                comparisons,
                List.of(throughput(byBricks), latency(byBricks)),
                List.of("The paper's clients and bricks had processors of their own; " + ScaleUp.coresNote(lab)));
    }

    private static LoadSettings load(Scale scale, int services) {
        return LoadSettings.defaults()
                .withMode(LoadMode.READ)
                .withServices(services, PIPELINE)
                .withRecords(scale.keys(), Lab.VALUE_BYTES)
                .withTimes(scale.warmup(), scale.duration());
    }

    /** Several partitions a brick, so that all have their share. */
    private static TableOptions spreadOver(int bricks, Scale scale) {
        return bricks == 1
                ? TableOptions.defaults()
                : TableOptions.capacity(Math.max(1, scale.keys() / (16L * bricks)));
    }

    private static void compare(int bricks, List<LoadResult> results, List<Comparison> into) {
        double peak = results.stream()
                .mapToDouble(LoadResult::operationsPerSecond)
                .max()
                .orElse(0);
        LoadResult knee = results.stream()
                .filter(each -> each.operationsPerSecond() >= KNEE_SHARE * peak)
                .findFirst()
                .orElse(results.get(0));
        LoadResult last = results.get(results.size() - 1);
        String who = bricks + (bricks == 1 ? " brick" : " bricks");
        into.add(Comparison.of("peak throughput, " + who, "reads/s", null, peak));
        into.add(Comparison.of("outstanding at saturation, " + who, "requests", null, outstanding(knee)));
        into.add(Comparison.of(
                "outstanding at the most, over that, " + who, "×", null, outstanding(last) / outstanding(knee)));
        // "This maximum throughput is successfully sustained even as additional traffic is offered."
        into.add(Comparison.of("throughput there over the peak, " + who, "×", 1.0, last.operationsPerSecond() / peak)
                .atLeast(SUSTAINED_LEAST));
    }

    private static double outstanding(LoadResult result) {
        return result.settings().outstanding();
    }

    private static Panel throughput(Map<Integer, List<LoadResult>> byBricks) {
        List<Curve> curves = new ArrayList<>();
        byBricks.forEach((bricks, results) -> curves.add(curve(bricks, results, LoadResult::operationsPerSecond)));
        return new Panel(
                "a) Throughput", Axis.logarithmic("requests outstanding"), Axis.linear("reads/s"), curves);
    }

    private static Panel latency(Map<Integer, List<LoadResult>> byBricks) {
        List<Curve> curves = new ArrayList<>();
        byBricks.forEach((bricks, results) ->
                curves.add(curve(bricks, results, each -> each.latency().p99Micros())));
        return new Panel(
                "b) Latency, p99", Axis.logarithmic("requests outstanding"), Axis.logarithmic("µs"), curves);
    }

    private interface Figure {
        double of(LoadResult result);
    }

    private static Curve curve(int bricks, List<LoadResult> results, Figure figure) {
        return new Curve(
                bricks + (bricks == 1 ? " brick" : " bricks"),
                Source.OURS,
                results.stream()
                        .map(each -> new Point(outstanding(each), figure.of(each)))
                        .toList());
    }
}
