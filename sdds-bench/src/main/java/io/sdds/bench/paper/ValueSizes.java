package io.sdds.bench.paper;

import io.sdds.bench.load.Echo;
import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.client.TableOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Figure 7 of Gribble et al.: read throughput by value size, compared with a raw echo of the same sizes. */
final class ValueSizes implements Experiment {
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

    @Override
    public String name() {
        return "dds-7";
    }

    @Override
    public String title() {
        return "DDS, Figure 7: read throughput by value size";
    }

    @Override
    public int steps(Scale scale) {
        return 2 * scale.valueSizes().size() * scale.repeats();
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        List<Sample> samples = new ArrayList<>();
        for (int valueBytes : testbed.scale().valueSizes()) {
            samples.add(sample(testbed, valueBytes));
        }
        return new Findings(
                name(),
                title(),
                testbed.setting("closed loop of reads, " + SERVICES + " clients × " + PIPELINE + " outstanding"),
                testbed.machine(),
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
        double[] table = new double[scale.repeats()];
        double[] echo = new double[scale.repeats()];
        for (int k = 0; k < scale.repeats(); k++) {
            table[k] = rate(testbed.closedLoop(1, TableOptions.defaults(), load));
            echo[k] = echo(testbed, load);
        }
        return new Sample(valueBytes, Median.of(table), Median.of(echo));
    }

    private static double echo(Testbed testbed, LoadSettings load) throws InterruptedException {
        try (Echo echo = Echo.open(load.valueBytes())) {
            return rate(testbed.closedLoop(echo, load));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double rate(LoadResult result) {
        return Testbed.sound(result).operationsPerSecond();
    }

    private static List<Comparison> comparisons(List<Sample> samples) {
        List<Comparison> all = new ArrayList<>();
        Sample first = samples.get(0);
        for (Sample each : samples) {
            all.add(Comparison.of("reads/s, " + size(each), "1/s", null, each.table()));
        }
        for (Sample each : samples) {
            all.add(Comparison.of("echoes/s, " + size(each), "1/s", null, each.echo()));
        }
        for (Sample each : samples) {
            if (each.valueBytes() == FLAT_UNTIL_BYTES) {
                // "Throughput was flat from 50 bytes through 1000 bytes"
                all.add(Comparison.of(
                        "reads, " + size(each) + " over " + size(first), "×", 1.0, each.table() / first.table()));
                all.add(Comparison.of(
                        "echoes, " + size(each) + " over " + size(first), "×", null, each.echo() / first.echo()));
            }
        }
        for (Sample each : samples) {
            all.add(Comparison.of(
                            "reads over echoes, " + size(each) + ", over that at " + size(first),
                            "×",
                            null,
                            each.share() / first.share())
                    .atLeast(SHAPE_LEAST));
        }
        return all;
    }

    private static String size(Sample sample) {
        return sample.valueBytes() + " bytes";
    }

    private interface Figure {
        double of(Sample sample);
    }

    private static Curve curve(String name, Source source, List<Sample> samples, Figure figure) {
        return new Curve(
                name,
                source,
                samples.stream()
                        .map(each -> new Point(each.valueBytes(), figure.of(each)))
                        .toList());
    }

    private static Panel throughput(List<Sample> samples) {
        return new Panel(
                "a) Throughput",
                Axis.logarithmic("value size, bytes"),
                Axis.logarithmic("reads/s"),
                List.of(
                        curve("SDDS", Source.OURS, samples, Sample::table),
                        curve("raw echo", Source.REFERENCE, samples, Sample::echo)));
    }

    private static Panel relative(List<Sample> samples) {
        Sample first = samples.get(0);
        return new Panel(
                "b) Shape",
                Axis.logarithmic("value size, bytes"),
                Axis.linear("reads/s over those of the smallest"),
                List.of(
                        curve("SDDS", Source.OURS, samples, each -> each.table() / first.table()),
                        curve("raw echo", Source.REFERENCE, samples, each -> each.echo() / first.echo()),
                        new Curve(
                                "paper: flat to 1000 bytes",
                                Source.PAPER,
                                List.of(new Point(first.valueBytes(), 1), new Point(FLAT_UNTIL_BYTES, 1)))));
    }

    private static Panel bytes(List<Sample> samples) {
        return new Panel(
                "c) Bytes of values",
                Axis.logarithmic("value size, bytes"),
                Axis.logarithmic("MB/s"),
                List.of(
                        curve("SDDS", Source.OURS, samples, each -> each.table() * each.valueBytes() / 1e6),
                        curve("raw echo", Source.REFERENCE, samples, each -> each.echo() * each.valueBytes() / 1e6)));
    }
}
