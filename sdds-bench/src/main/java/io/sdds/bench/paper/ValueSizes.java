package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.load.Echo;
import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.TableOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Figure 7 of Gribble et al.: read throughput by value size, compared with a raw echo of the same sizes. */
final class ValueSizes extends Experiment {
    private static final int SERVICES = 2;
    private static final int PIPELINE = 100;

    /** What all values together may take, so that large ones are read from memory as small ones are. */
    private static final long RECORDS_BYTES = 64L << 20;

    private static final int FLAT_UNTIL_BYTES = 1000;
    private static final double SHAPE_LEAST = 0.75;

    /** Throughput of reads with one value size. */
    private record Sample(int valueBytes, double table, double echo) {
        double share() {
            return table / echo;
        }
    }

    ValueSizes() {
        super("dds-7", "DDS, Figure 7: read throughput by value size");
    }

    @Override
    int steps(Scale scale) {
        return 2 * scale.valueSizes().size() * scale.repeats();
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        List<Sample> samples = new ArrayList<>();
        for (int valueBytes : testbed.scale().valueSizes()) {
            samples.add(sample(testbed, valueBytes));
        }
        return findings(
                testbed,
                "closed loop of reads, " + SERVICES + " clients × " + PIPELINE + " outstanding",
                comparisons(samples),
                List.of(throughput(samples), relative(samples), bytes(samples)),
                List.of("The echo answers from one thread that keeps no records, over the same links; the table is on"
                        + " one brick. Table and echo take turns at each size, medians of "
                        + testbed.scale().repeats() + "."));
    }

    private static Sample sample(Testbed testbed, int valueBytes) throws InterruptedException {
        Scale scale = testbed.scale();
        int keys = (int) Math.clamp(RECORDS_BYTES / valueBytes, 1, scale.keys());
        LoadSettings load = LoadSettings.defaults()
                .withMode(LoadMode.READ)
                .withServices(SERVICES, PIPELINE)
                .withRecords(keys, valueBytes)
                .withTimes(scale.warmup(), scale.duration());
        Map<Boolean, Double> medians = testbed.medians(List.of(true, false), isTable -> rate(testbed, load, isTable));
        return new Sample(valueBytes, known(medians, true), known(medians, false));
    }

    private static double rate(Testbed testbed, LoadSettings load, boolean isTable) throws InterruptedException {
        if (isTable) {
            return Testbed.sound(testbed.closedLoop(1, TableOptions.defaults(), load))
                    .operationsPerSecond();
        }
        try (Echo echo = Echo.open(load.valueBytes())) {
            return Testbed.sound(testbed.closedLoop(echo, load)).operationsPerSecond();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Comparison> comparisons(List<Sample> samples) {
        Rows all = new Rows();
        Sample first = samples.get(0);
        for (Sample each : samples) {
            all.add("reads/s, " + size(each), "1/s", each.table());
        }
        for (Sample each : samples) {
            all.add("echoes/s, " + size(each), "1/s", each.echo());
        }
        for (Sample each : samples) {
            if (each.valueBytes() == FLAT_UNTIL_BYTES) {
                // "Throughput was flat from 50 bytes through 1000 bytes"
                all.add("reads, " + size(each) + " over " + size(first), "×", 1.0, each.table() / first.table());
                all.add("echoes, " + size(each) + " over " + size(first), "×", each.echo() / first.echo());
            }
        }
        for (Sample each : samples) {
            all.add(
                            "reads over echoes, " + size(each) + ", over that at " + size(first),
                            "×",
                            each.share() / first.share())
                    .atLeast(SHAPE_LEAST);
        }
        return all;
    }

    private static String size(Sample sample) {
        return sample.valueBytes() + " bytes";
    }

    private static Curve curve(String name, Source source, List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return new Curve(
                name,
                source,
                samples.stream()
                        .map(each -> new Point(each.valueBytes(), figure.applyAsDouble(each)))
                        .toList());
    }

    private static Panel throughput(List<Sample> samples) {
        return Panel.of(
                "a) Throughput",
                logarithmic("value size, bytes"),
                logarithmic("reads/s"),
                curve("SDDS", Source.OURS, samples, Sample::table),
                curve("raw echo", Source.REFERENCE, samples, Sample::echo));
    }

    private static Panel relative(List<Sample> samples) {
        Sample first = samples.get(0);
        return Panel.of(
                "b) Shape",
                logarithmic("value size, bytes"),
                linear("reads/s over those of the smallest"),
                curve("SDDS", Source.OURS, samples, each -> each.table() / first.table()),
                curve("raw echo", Source.REFERENCE, samples, each -> each.echo() / first.echo()),
                Curve.paperLevel("paper: flat to 1000 bytes", first.valueBytes(), FLAT_UNTIL_BYTES, 1));
    }

    private static Panel bytes(List<Sample> samples) {
        return Panel.of(
                "c) Bytes of values",
                logarithmic("value size, bytes"),
                logarithmic("MB/s"),
                curve("SDDS", Source.OURS, samples, each -> each.table() * each.valueBytes() / 1e6),
                curve("raw echo", Source.REFERENCE, samples, each -> each.echo() * each.valueBytes() / 1e6));
    }
}
