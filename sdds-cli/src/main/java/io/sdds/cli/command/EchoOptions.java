package io.sdds.cli.command;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.config.Quantities;
import picocli.CommandLine.Option;

/** What {@code sdds bench echo} can be told. */
final class EchoOptions {
    @Option(names = "--clients", paramLabel = "N", description = "Logical clients. Default: ${DEFAULT-VALUE}.")
    private int clients = 2;

    @Option(
            names = "--pipeline",
            paramLabel = "N",
            description = "Requests each keeps outstanding. Default: ${DEFAULT-VALUE}.")
    private int pipeline = 100;

    @Option(names = "--value", paramLabel = "BYTES", description = "Length of a value. Default: ${DEFAULT-VALUE}.")
    private String value = "150";

    @Option(names = "--mode", paramLabel = "read|write|mixed", description = "What is sent. Default: read.")
    private LoadMode mode = LoadMode.READ;

    @Option(names = "--duration", paramLabel = "TIME", description = "What is measured. Default: ${DEFAULT-VALUE}.")
    private String duration = "10s";

    @Option(names = "--warmup", paramLabel = "TIME", description = "Load before that. Default: ${DEFAULT-VALUE}.")
    private String warmup = "5s";

    LoadSettings settings() {
        return LoadSettings.defaults()
                .withMode(mode)
                .withServices(clients, pipeline)
                .withRecords(LoadSettings.defaults().keys(), BenchCommand.bytes(value))
                .withTimes(Quantities.time(warmup), Quantities.time(duration));
    }
}
