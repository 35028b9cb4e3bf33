package io.sdds.cli.command;

import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.config.Quantities;
import io.sdds.client.TableOptions;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code sdds bench range} can be told. */
final class RangeLoadOptions {
    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Logical clients, in this process. Default: ${DEFAULT-VALUE}.")
    private int clients = 2;

    @Option(
            names = "--pipeline",
            paramLabel = "N",
            description = "Ranges each keeps outstanding. Default: ${DEFAULT-VALUE}.")
    private int pipeline = 10;

    @Option(
            names = "--length",
            paramLabel = "N",
            description = "Records in a range; 0: all of the table, in no order. Default: ${DEFAULT-VALUE}.")
    private int length = 100;

    @Option(names = "--value", paramLabel = "BYTES", description = "Length of a value. Default: ${DEFAULT-VALUE}.")
    private String value = "84";

    @Option(names = "--keys", paramLabel = "N", description = "Records, written first. Default: ${DEFAULT-VALUE}.")
    private int keys = 100_000;

    @Option(names = "--duration", paramLabel = "TIME", description = "What is measured. Default: ${DEFAULT-VALUE}.")
    private String duration = "10s";

    @Option(names = "--warmup", paramLabel = "TIME", description = "Load before that. Default: ${DEFAULT-VALUE}.")
    private String warmup = "5s";

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Created unless it exists, and left behind. Default: ${DEFAULT-VALUE}.")
    private String table = "bench-range";

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS",
            description = "Records in a partition, of a table that is created. Default: ${DEFAULT-VALUE}.")
    private long capacity = 50_000;

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    LoadSettings settings() {
        if (length < 0) {
            throw CommandFailure.usage("--length: " + length + " is negative");
        }
        return LoadSettings.defaults()
                .withServices(clients, pipeline)
                .withRecords(keys, BenchCommand.bytes(value))
                .withTimes(Quantities.time(warmup), Quantities.time(duration));
    }

    int length() {
        return length;
    }

    String table() {
        return table;
    }

    TableOptions tableOptions() {
        return replicas.of(TableOptions.capacity(capacity));
    }

    String asTyped(LoadSettings settings) {
        return String.format(
                        Locale.ROOT,
                        "--clients %d --pipeline %d --length %d --value %d --keys %d --warmup %s --duration %s --table"
                                + " %s",
                        settings.services(),
                        settings.pipeline(),
                        length,
                        settings.valueBytes(),
                        settings.keys(),
                        BenchCommand.time(settings.warmup()),
                        BenchCommand.time(settings.duration()),
                        table)
                + replicas.asTyped();
    }
}
