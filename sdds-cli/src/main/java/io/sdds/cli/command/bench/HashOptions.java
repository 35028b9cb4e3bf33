package io.sdds.cli.command.bench;

import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.cli.command.table.SplitOptions;
import io.sdds.cli.config.Quantities;
import io.sdds.client.TableOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code sdds bench hash}. */
final class HashOptions {
    @Mixin
    private LoopOptions loop = new LoopOptions();

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "Set the number of records, which are written first. Default: ${DEFAULT-VALUE}.")
    private int keys = 100_000;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Use this table. The command creates a missing table, and keeps the table. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String table = "bench";

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS|64m",
            description = "Set the capacity of a partition if the command creates the table. Default: 64m.")
    private String capacity = "64m";

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Start so many operations a second. Latency counts from the scheduled start of an operation.")
    private long rate;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Write each operation to FILE as a line of JSON, for a check. Slows the load.")
    private @Nullable Path history;

    @Option(
            names = "--ttl",
            paramLabel = "10m",
            description = "Set the time to live of records if the command creates the table. Default: for ever.")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--long-values",
            paramLabel = "BYTES",
            description = "Beside the load, put values of 1 KiB to BYTES under 16 other keys, through another client.")
    private String longValues = "0";

    @Option(
            names = "--long-rate",
            paramLabel = "BYTES",
            description = "Set the bytes a second of --long-values. Default: ${DEFAULT-VALUE}.")
    private String longRate = "4m";

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    @Mixin
    private SplitOptions split = new SplitOptions();

    LoadSettings settings() {
        LoadSettings settings = loop.settings();
        return settings.withRecords(keys, settings.valueBytes()).withRate(rate).withHistory(history);
    }

    TableOptions tableOptions() {
        long amount = Quantities.size(capacity);
        boolean isBytes = Quantities.hasUnit(capacity);
        return replicas.of(TableOptions.builder()
                .capacityRecords(isBytes ? 0 : amount)
                .capacityBytes(isBytes ? amount : 0)
                .split(split.policy())
                .timeToLive(ttl)
                .build());
    }

    String table() {
        return table;
    }

    /** The longest value beside the load; 0 if there are none. */
    int longBytesMax() {
        return BenchCommand.bytes(longValues);
    }

    long longBytesPerSecond() {
        return Math.max(1, Quantities.size(longRate));
    }

    String asTyped(LoadSettings settings) {
        return String.format(
                Locale.ROOT,
                "%s --keys %d --rate %d --table %s%s%s%s",
                LoopOptions.asTyped(settings),
                settings.keys(),
                settings.ratePerSecond(),
                table,
                replicas.asTyped(),
                ttl.isZero() ? "" : " --ttl " + BenchCommand.time(ttl),
                longBytesMax() == 0 ? "" : " --long-values " + longValues + " --long-rate " + longRate);
    }
}
