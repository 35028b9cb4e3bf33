package io.sdds.cli.command;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadReports;
import io.sdds.bench.paper.EmbeddedSite;
import io.sdds.bench.paper.Site;
import io.sdds.bench.queries.LookupBenchmark;
import io.sdds.bench.queries.LookupResult;
import io.sdds.bench.queries.LookupSettings;
import io.sdds.cli.config.Quantities;
import io.sdds.cli.process.ProcessSite;
import io.sdds.cli.terminal.Json;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "lookups",
        description = {
            "Measure look-ups by key through JDBC.",
            "Threads look up random rows by key, each by a prepared statement on a connection of its own, and wait for"
                    + " each row. In turn, they do the same by get of the client."
        },
        footer = {"", "Without --connect or --embedded, the command starts bricks and ends them."})
final class LookupsCommand implements Callable<Integer> {
    private static final int BRICKS_MAX = 64;

    private final SddsCommand sdds;

    @Option(names = "--quick", description = "Run for seconds only. The figures mean little.")
    private boolean quick;

    @Option(names = "--embedded", description = "Run on bricks in this process.")
    private boolean embedded;

    @Option(
            names = "--bricks",
            paramLabel = "N",
            description = "Set the number of bricks that the command starts. Default: ${DEFAULT-VALUE}.")
    private int bricks = 2;

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

    LookupsCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws InterruptedException {
        LookupSettings settings = settings();
        Site site = site();
        LookupResult result;
        try (site) {
            result = run(site, settings);
        } catch (LoadException e) {
            if (site instanceof ProcessSite processes) {
                processes.awaitEndOfInterrupted();
            }
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        }
        String command = "sdds bench lookups " + asTyped(settings);
        if (sdds.json()) {
            Json.print(sdds.screen().out(), LoadReports.document(command, result));
        } else {
            sdds.screen().out().print(result.text(command));
        }
        return CommandFailure.OK;
    }

    private LookupResult run(Site site, LookupSettings settings) throws InterruptedException {
        List<String> addresses = site.cluster(bricks);
        ClientSettings client =
                ClientSettings.builder().name("lookups").timeout(sdds.timeout()).build();
        try (SddsClient measured = SddsClient.connect(addresses, client);
                ProgressLine line = new ProgressLine(sdds.screen())) {
            return LookupBenchmark.run(measured, addresses, settings, site.description(), line);
        }
    }

    private LookupSettings settings() {
        if (bricks < 1 || bricks > BRICKS_MAX) {
            throw CommandFailure.usage("--bricks: '" + bricks + "' is not 1 to " + BRICKS_MAX);
        }
        if (embedded && sdds.addressGiven()) {
            throw CommandFailure.usage("--embedded and an address: use only one of them");
        }
        LookupSettings settings =
                new LookupSettings(table, rows, threads, rounds, Quantities.time(warmup), Quantities.time(duration));
        return quick ? settings.quick() : settings;
    }

    private Site site() {
        if (embedded) {
            return new EmbeddedSite();
        }
        return sdds.addressGiven() ? Site.at(sdds.addresses()) : new ProcessSite(sdds::notice);
    }

    private String asTyped(LookupSettings settings) {
        return String.format(
                Locale.ROOT,
                "--rows %d --threads %d --rounds %d --warmup %s --duration %s --table %s%s%s",
                settings.rows(),
                settings.threads(),
                settings.rounds(),
                BenchCommand.time(settings.warmup()),
                BenchCommand.time(settings.duration()),
                settings.table(),
                embedded ? " --embedded" : "",
                bricks == 2 ? "" : " --bricks " + bricks);
    }
}
