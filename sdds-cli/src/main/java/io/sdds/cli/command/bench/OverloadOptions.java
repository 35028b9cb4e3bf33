package io.sdds.cli.command.bench;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.cli.config.Quantities;
import io.sdds.client.TableOptions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code sdds bench overload}. */
final class OverloadOptions {
    @Option(
            names = "--connections",
            paramLabel = "N",
            description =
                    "Set the number of clients in this process for the saturating load. Default: ${DEFAULT-VALUE}.")
    private int connections = OverloadSettings.defaults().connections();

    @Option(
            names = "--steps",
            split = ",",
            paramLabel = "X",
            description = "Set the multiples of the saturating load. 1 is always included. Default: 0.5,1,2,10.")
    private List<Double> steps = OverloadSettings.defaults().factors();

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Set the outstanding operations that saturate the cluster. Default: search for the number.")
    private int outstanding;

    @Mixin
    private ValueOption value = new ValueOption();

    @Option(
            names = "--mode",
            paramLabel = "read|write|mixed",
            description = "Set the kind of operations. Default: read.")
    private LoadMode mode = LoadMode.READ;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Set the duration of each step. Default: ${DEFAULT-VALUE}.")
    private String duration = "10s";

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Set the warm-up time before each step. Default: ${DEFAULT-VALUE}.")
    private String warmup = "2s";

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "Set the number of records, which are written first. Default: ${DEFAULT-VALUE}.")
    private int keys = OverloadSettings.defaults().keys();

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Use this table. The command creates a missing table, and keeps the table. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String table = "bench-overload";

    @Option(
            names = "--raw",
            description =
                    "Read or write a hash table with frames sent directly to the bricks, without the client library,"
                            + " to save processor time.")
    private boolean raw;

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    TableOptions tableOptions() {
        return replicas.of(TableOptions.defaults());
    }

    boolean raw() {
        return raw;
    }

    OverloadSettings settings() {
        return new OverloadSettings(
                mode,
                connections,
                value.bytes(),
                keys,
                steps,
                Quantities.time(warmup),
                Quantities.time(duration),
                outstanding);
    }

    String table() {
        return table;
    }

    String asTyped(OverloadSettings settings) {
        return String.format(
                Locale.ROOT,
                "--connections %d --steps %s --outstanding %d --value %d --mode %s --keys %d --warmup %s --duration %s"
                        + " --table %s%s%s",
                settings.connections(),
                settings.factors().stream().map(String::valueOf).collect(Collectors.joining(",")),
                settings.outstanding(),
                settings.valueBytes(),
                settings.mode().text(),
                settings.keys(),
                BenchCommand.time(settings.warmup()),
                BenchCommand.time(settings.duration()),
                table,
                raw ? " --raw" : "",
                replicas.asTyped());
    }
}
