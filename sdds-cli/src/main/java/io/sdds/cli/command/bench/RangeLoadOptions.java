package io.sdds.cli.command.bench;

import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.cli.config.Quantities;
import io.sdds.client.TableOptions;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code sdds bench range}. */
final class RangeLoadOptions {
    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Set the number of logical clients in this process. Default: ${DEFAULT-VALUE}.")
    private int clients = 2;

    @Option(
            names = "--pipeline",
            paramLabel = "N",
            description = "Set the outstanding queries of each client. Default: ${DEFAULT-VALUE}.")
    private int pipeline = 10;

    @Option(
            names = "--length",
            paramLabel = "N",
            description =
                    "Set the records of a range; 0: all records of the table, in no order. Default: ${DEFAULT-VALUE}.")
    private int length = 100;

    @Option(
            names = "--value",
            paramLabel = "BYTES",
            description = "Set the length of a value. Default: ${DEFAULT-VALUE}.")
    private String value = "84";

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "Set the number of records, which are written first. Default: ${DEFAULT-VALUE}.")
    private int keys = 100_000;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Set the measured time. Default: ${DEFAULT-VALUE}.")
    private String duration = "10s";

    @Option(names = "--warmup", paramLabel = "TIME", description = "Set the warm-up time. Default: ${DEFAULT-VALUE}.")
    private String warmup = "5s";

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Use this table. The command creates a missing table, and keeps the table. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String table = "bench-range";

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS",
            description = "Set the records of a partition if the command creates the table. Default: ${DEFAULT-VALUE}.")
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
