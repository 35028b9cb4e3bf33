package io.sdds.cli.command;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.cli.config.Quantities;
import io.sdds.client.TableOptions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code sdds bench overload} can be told. */
final class OverloadOptions {
    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Clients in this process through which the saturating load comes. Default: ${DEFAULT-VALUE}.")
    private int connections = OverloadSettings.defaults().connections();

    @Option(
            names = "--steps",
            split = ",",
            paramLabel = "X",
            description = "Multiples of the saturating load, 1 always among them. Default: 0.5,1,2,10.")
    private List<Double> steps = OverloadSettings.defaults().factors();

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Operations outstanding that saturate the cluster. Default: finds it out.")
    private int outstanding;

    @Option(names = "--value", paramLabel = "BYTES", description = "Length of a value. Default: ${DEFAULT-VALUE}.")
    private String value = "150";

    @Option(names = "--mode", paramLabel = "read|write|mixed", description = "What is done. Default: read.")
    private LoadMode mode = LoadMode.READ;

    @Option(names = "--duration", paramLabel = "TIME", description = "Of each step. Default: ${DEFAULT-VALUE}.")
    private String duration = "10s";

    @Option(names = "--warmup", paramLabel = "TIME", description = "Load before each. Default: ${DEFAULT-VALUE}.")
    private String warmup = "2s";

    @Option(names = "--keys", paramLabel = "N", description = "Records, written first. Default: ${DEFAULT-VALUE}.")
    private int keys = OverloadSettings.defaults().keys();

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Created unless it exists, and left behind. Default: ${DEFAULT-VALUE}.")
    private String table = "bench-overload";

    @Option(
            names = "--raw",
            description =
                    "Read or write a hash table by frames written straight to the bricks, without the client library,"
                            + " for less.")
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
                BenchCommand.bytes(value),
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
