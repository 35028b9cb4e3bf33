package io.sdds.cli.command.bench;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.config.Quantities;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Load options of {@code sdds bench hash} and {@code sdds bench echo}. */
final class LoopOptions {
    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Set the number of logical clients in this process. Default: ${DEFAULT-VALUE}.")
    private int clients = 2;

    @Option(
            names = "--pipeline",
            paramLabel = "N",
            description = "Set the outstanding operations of each client. Default: ${DEFAULT-VALUE}.")
    private int pipeline = 100;

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
            description = "Set the measured time. Default: ${DEFAULT-VALUE}.")
    private String duration = "10s";

    @Option(names = "--warmup", paramLabel = "TIME", description = "Set the warm-up time. Default: ${DEFAULT-VALUE}.")
    private String warmup = "5s";

    LoadSettings settings() {
        LoadSettings defaults = LoadSettings.defaults();
        return defaults.withMode(mode)
                .withServices(clients, pipeline)
                .withRecords(defaults.keys(), value.bytes())
                .withTimes(Quantities.time(warmup), Quantities.time(duration));
    }

    static String asTyped(LoadSettings settings) {
        return String.format(
                Locale.ROOT,
                "--clients %d --pipeline %d --value %d --mode %s --warmup %s --duration %s",
                settings.services(),
                settings.pipeline(),
                settings.valueBytes(),
                settings.mode().text(),
                BenchCommand.time(settings.warmup()),
                BenchCommand.time(settings.duration()));
    }
}
