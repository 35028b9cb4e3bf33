package io.sdds.cli.command;

import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.config.Quantities;
import io.sdds.client.TableOptions;
import java.nio.file.Path;
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
                .build());
    }

    String table() {
        return table;
    }

    String asTyped(LoadSettings settings) {
        return String.format(
                Locale.ROOT,
                "%s --keys %d --rate %d --table %s%s",
                LoopOptions.asTyped(settings),
                settings.keys(),
                settings.ratePerSecond(),
                table,
                replicas.asTyped());
    }
}
