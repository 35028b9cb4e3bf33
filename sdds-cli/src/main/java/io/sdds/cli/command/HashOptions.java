package io.sdds.cli.command;

import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.config.Quantities;
import io.sdds.client.TableOptions;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code sdds bench hash} can be told. */
final class HashOptions {
    @Mixin
    private LoopOptions loop = new LoopOptions();

    @Option(names = "--keys", paramLabel = "N", description = "Records, written first. Default: ${DEFAULT-VALUE}.")
    private int keys = 100_000;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Created unless it exists, and left behind. Default: ${DEFAULT-VALUE}.")
    private String table = "bench";

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS|64m",
            description = "What a partition is meant to hold, of a table that is created. Default: 64m.")
    private String capacity = "64m";

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Operations begun a second, whatever is outstanding; latency counts from when each was due.")
    private long rate;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Write each operation as a line of JSON. For checking: it slows the load.")
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
