package io.sdds.bench.load;

import static io.sdds.bench.load.Report.format;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats results as text and as JSON documents. */
public final class LoadReports {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .addModule(new SimpleModule()
                    .addSerializer(Duration.class, ToStringSerializer.instance)
                    .addSerializer(Path.class, ToStringSerializer.instance))
            .build();

    private LoadReports() {}

    /**
     * Converts a result to a document of maps, lists, texts, numbers and booleans: the command, then the components of
     * the result with names in snake case. Durations are in ISO 8601.
     *
     * @param result a record
     */
    public static Map<String, @Nullable Object> document(String command, Object result) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("command", command);
        document.putAll(JSON.convertValue(result, new TypeReference<Map<String, @Nullable Object>>() {}));
        return document;
    }

    /** Formats the result of a closed or open loop. */
    public static String text(String command, LoadResult result) {
        return report(command, result).toString();
    }

    private static Report report(String command, LoadResult result) {
        Report text = new Report(command, result.machine());
        LoadSettings asked = result.settings();
        text.line("load", "%s", load(asked));
        text.line("records", "%,d of %,d bytes, uniformly random", asked.keys(), asked.valueBytes());
        text.line(
                "measured",
                "%.1f s after %.1f s of warm-up; this process kept %.2f cores busy",
                result.seconds(),
                seconds(asked.warmup()),
                result.clientCores());
        text.add("%n");
        text.line("throughput", "%,.0f operations/s", result.operationsPerSecond());
        text.line("each second", "%s", perSecond(result.perSecond()));
        text.line("latency µs", "%s", latency(result.latency()));
        troubles(text, result);
        client(text, result);
        longPuts(text, result.longPuts());
        return text;
    }

    /** Formats the result of a load of range queries. */
    public static String text(String command, RangeResult result) {
        Report text = report(command, result.load());
        String each = result.length() == 0 ? "all records" : format("%,d records", result.length());
        text.line("ranges", "of %s each: %,.0f records/s", each, result.recordsPerSecond());
        if (result.outOfOrder() > 0) {
            text.line("wrong", "%,d ranges were out of order", result.outOfOrder());
        }
        return text.toString();
    }

    /** Formats the result of a measurement of growing tables. */
    public static String text(String command, GrowthResult result) {
        Report text = new Report(command, result.machine());
        GrowthSettings asked = result.settings();
        text.line(
                "load",
                "paced, %,d operations/s, half gets, half puts; growing, some of these insert",
                result.ratePerSecond());
        text.line(
                "records",
                "%,d growing to %,d, of %,d bytes, %,d a partition of a %s table",
                asked.keys(),
                asked.keys() * asked.growth(),
                asked.valueBytes(),
                asked.capacityRecords(),
                asked.kind().name().toLowerCase(Locale.ROOT));
        text.line(
                "measured",
                "%d pairs of %.1f s after %.1f s of warm-up",
                asked.pairs(),
                seconds(asked.duration()),
                seconds(asked.warmup()));
        text.add(
                "\n%-10s %8s %10s %12s %12s %12s %12s%n",
                "", "splits", "inserts", "p99 µs", "p99.9 µs", "p99.99 µs", "max µs");
        for (GrowthResult.Pair pair : result.pairs()) {
            row(text, "quiet", "", "", pair.quiet().latency());
            row(
                    text,
                    "growing",
                    "" + pair.splits(),
                    format("%,d", pair.inserted()),
                    pair.growing().latency());
        }
        text.add("%n");
        text.line(
                "p99.99",
                "%,.1f µs quiet, %,.1f µs growing: %+,.1f µs (medians)",
                result.quietP9999Micros(),
                result.growingP9999Micros(),
                result.addedP9999Micros());
        for (GrowthResult.Pair pair : result.pairs()) {
            if (!pair.quiet().isSound() || !pair.growing().isSound()) {
                troubles(text, pair.quiet());
                troubles(text, pair.growing());
            }
        }
        return text.toString();
    }

    /** Formats the result of a measurement of overload. */
    public static String text(String command, OverloadResult result) {
        Report text = new Report(command, result.machine());
        OverloadSettings asked = result.settings();
        text.line(
                "load",
                "%s, in this process, which shares the machine with the bricks",
                asked.mode().text());
        text.line("records", "%,d of %,d bytes, uniformly random", asked.keys(), asked.valueBytes());
        text.line(
                "saturation",
                "%,d outstanding through %d connections; peak %,.0f operations/s",
                result.kneeOutstanding(),
                asked.connections(),
                result.peakPerSecond());
        text.line("each step", "%.1f s after %.1f s of warm-up", seconds(asked.duration()), seconds(asked.warmup()));
        steps(text, result, "search for saturation, closed loop", result.saturation());
        steps(text, result, "closed loop: operations outstanding and connections", result.closed());
        steps(text, result, "open loop: operations a second and connections", result.open());
        return text.toString();
    }

    private static void steps(Report text, OverloadResult result, String title, List<OverloadResult.Step> steps) {
        if (steps.isEmpty()) {
            return;
        }
        text.add(
                "%n%s%n%6s %6s %8s %12s %12s %7s %12s %10s %6s %8s %8s %8s %7s %7s %7s %7s%n",
                title,
                "times",
                "conns",
                "outst.",
                "offered/s",
                "goodput/s",
                "of peak",
                "refused/s",
                "BUSY/s",
                "wrong",
                "p50 µs",
                "p99 µs",
                "p99.9 µs",
                "of knee",
                "cores",
                "bricks",
                "RSS MB");
        for (OverloadResult.Step step : steps) {
            text.add(
                    "%6s %6d %8s %,12.0f %,12.0f %6.0f%% %,12.0f %,10.0f %6d %,8.0f %,8.0f %,8.0f %6.1fx %7.2f %7.2f"
                            + " %,4d→%,d%n",
                    step.factor() == 0 ? "" : format("%.1fx", step.factor()),
                    step.connections(),
                    step.outstanding() == 0 ? "" : format("%,d", step.outstanding()),
                    step.offeredPerSecond(),
                    step.goodputPerSecond(),
                    100 * step.goodputPerSecond() / result.peakPerSecond(),
                    step.refusedPerSecond(),
                    step.busyPerSecond(),
                    step.wrong(),
                    step.latency().p50Micros(),
                    step.latency().p99Micros(),
                    step.latency().p999Micros(),
                    step.latency().p99Micros() / result.kneeP99Micros(),
                    step.generatorCores(),
                    step.bricks().cores(),
                    step.bricks().residentBytesBefore() >> 20,
                    step.bricks().residentBytesAfter() >> 20);
            if (step.late() > 0) {
                text.add("       the generator was too late for %,d operations of this step%n", step.late());
            }
            if (step.wrong() > 0) {
                text.add("       first trouble: %s%n", step.firstTrouble());
            }
        }
    }

    private static void row(Report text, String name, String splits, String inserts, Latency latency) {
        text.add(
                "%-10s %8s %10s %,12.1f %,12.1f %,12.1f %,12.1f%n",
                name,
                splits,
                inserts,
                latency.p99Micros(),
                latency.p999Micros(),
                latency.p9999Micros(),
                latency.maxMicros());
    }

    private static String load(LoadSettings asked) {
        return asked.ratePerSecond() == 0
                ? format(
                        "closed loop, %s, %d clients × %d outstanding",
                        asked.mode().text(), asked.services(), asked.pipeline())
                : format(
                        "open loop, %s, %,d operations/s; latency counts from when an operation was due",
                        asked.mode().text(), asked.ratePerSecond());
    }

    private static String perSecond(List<Long> rates) {
        return rates.stream().map(rate -> format("%,d", rate)).collect(Collectors.joining("  "));
    }

    private static String latency(Latency latency) {
        return format(
                "mean %,.1f  p50 %,.1f  p90 %,.1f  p99 %,.1f  p99.9 %,.1f  p99.99 %,.1f  max %,.1f",
                latency.meanMicros(),
                latency.p50Micros(),
                latency.p90Micros(),
                latency.p99Micros(),
                latency.p999Micros(),
                latency.p9999Micros(),
                latency.maxMicros());
    }

    private static void troubles(Report text, LoadResult result) {
        if (result.isSound() && result.refused() == 0) {
            text.line("troubles", "none");
            return;
        }
        text.line(
                "troubles",
                "%,d refused, %,d timed out, %,d failed, %,d wrong, %,d unanswered; first: %s",
                result.refused(),
                result.timedOut(),
                result.failed(),
                result.wrong(),
                result.unanswered(),
                result.firstTrouble());
    }

    private static void client(Report text, LoadResult result) {
        ClientFigures client = result.client();
        if (client != null) {
            text.line(
                    "client",
                    "%.1f operations a flush; %,d addressing errors, %,d forwards, %,d adjustments, %,d blocks"
                            + " fetched, %,d retries, %,d busy",
                    client.operationsPerFlush(),
                    client.addressingErrors(),
                    client.addressingForwards() + client.locationForwards(),
                    client.adjustments(),
                    client.blocksFetched(),
                    client.retries(),
                    client.busy());
        }
    }

    private static void longPuts(Report text, @Nullable LongFigures puts) {
        if (puts != null) {
            text.line("long values", "%,d puts, %,d bytes", puts.puts(), puts.bytes());
            text.line("their µs", "%s", latency(puts.latency()));
            text.line(
                    "troubles",
                    "%s",
                    puts.areSound()
                            ? "none"
                            : format(
                                    "%,d refused, %,d timed out, %,d failed; first: %s",
                                    puts.refused(), puts.timedOut(), puts.failed(), puts.firstTrouble()));
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
