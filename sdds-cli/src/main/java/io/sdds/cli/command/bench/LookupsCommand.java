package io.sdds.cli.command.bench;

import io.sdds.bench.queries.LookupBenchmark;
import io.sdds.bench.queries.LookupResult;
import io.sdds.bench.queries.LookupSettings;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Quantities;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "lookups",
        description = {
            "Measure look-ups by key through JDBC.",
            "Threads look up random rows by key, each by a prepared statement on a connection of its own, and wait for"
                    + " each row. In turn, they do the same by get of the client."
        },
        footer = {"", SiteOptions.FOOTER})
final class LookupsCommand implements Callable<Integer> {
    private final CommandContext sdds;

    @Option(names = "--quick", description = "Run for seconds only. The figures mean little.")
    private boolean quick;

    @Mixin
    private SiteOptions site = new SiteOptions();

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Set the number of rows of about 100 bytes. Default: ${DEFAULT-VALUE}.")
    private int rows = LookupSettings.defaults().rows();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Set the number of threads. Default: ${DEFAULT-VALUE}.")
    private int threads = LookupSettings.defaults().threads();

    @Option(names = "--rounds", paramLabel = "N", description = "Set the number of rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds = LookupSettings.defaults().rounds();

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Set the warm-up time of each run. Default: ${DEFAULT-VALUE}.")
    private String warmup = "10s";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Set the measured time of each run. Default: ${DEFAULT-VALUE}.")
    private String duration = "3s";

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Set the name of the table. The command drops the table. Default: ${DEFAULT-VALUE}.")
    private String table = LookupSettings.defaults().table();

    LookupsCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws InterruptedException {
        LookupSettings settings = settings();
        LookupResult result = site.run(sdds, (addresses, cluster) -> run(addresses, cluster, settings));
        String command = "sdds bench lookups " + asTyped(settings);
        BenchCommand.print(sdds, command, result, result.text(command));
        return CommandFailure.OK;
    }

    private LookupResult run(List<String> addresses, String cluster, LookupSettings settings)
            throws InterruptedException {
        ClientSettings client =
                ClientSettings.builder().name("lookups").timeout(sdds.timeout()).build();
        try (SddsClient measured = SddsClient.connect(addresses, client);
                ProgressLine line = new ProgressLine(sdds.screen())) {
            return LookupBenchmark.run(measured, addresses, settings, cluster, line);
        }
    }

    private LookupSettings settings() {
        LookupSettings settings =
                new LookupSettings(table, rows, threads, rounds, Quantities.time(warmup), Quantities.time(duration));
        return quick ? settings.quick() : settings;
    }

    private String asTyped(LookupSettings settings) {
        return String.format(
                Locale.ROOT,
                "--rows %d --threads %d --rounds %d --warmup %s --duration %s --table %s%s",
                settings.rows(),
                settings.threads(),
                settings.rounds(),
                BenchCommand.time(settings.warmup()),
                BenchCommand.time(settings.duration()),
                settings.table(),
                site.asTyped());
    }
}
