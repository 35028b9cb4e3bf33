package io.sdds.cli.command.bench;

import io.sdds.bench.jdbc.JdbcBenchmark;
import io.sdds.bench.jdbc.JdbcResult;
import io.sdds.bench.jdbc.JdbcSettings;
import io.sdds.bench.jdbc.Peer;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.EnumNames;
import io.sdds.cli.config.Quantities;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "jdbc",
        description = {
            "Measure the JDBC driver beside other databases.",
            "Prepared statements select, update and insert by key, join two look-ups and insert in batches, with one"
                    + " thread and with many. In turn, the client's Table and the other drivers do the same. Prints"
                    + " their rates, the times of connections, and the ratios of SDDS to the others.",
            "PostgreSQL runs without fsync. Databases that are not here are left out, and named."
        },
        footer = {"", SiteOptions.FOOTER})
final class JdbcCommand implements Callable<Integer> {
    private final CommandContext sdds;

    @Option(names = "--quick", description = "Run for seconds only. The figures mean little.")
    private boolean quick;

    @Mixin
    private SiteOptions site = new SiteOptions();

    @Option(
            names = "--peers",
            paramLabel = "NAMES",
            split = ",",
            description = "Choose the other databases: postgresql, h2 and duckdb, or none. Default: all.")
    private List<String> peers =
            JdbcSettings.defaults().peers().stream().map(EnumNames::name).toList();

    @Option(
            names = "--postgresql",
            paramLabel = "URL",
            description = "Use the server of this JDBC URL. Default: start one, where PostgreSQL is installed.")
    private @Nullable String postgresql;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Set the number of rows to choose from. Default: ${DEFAULT-VALUE}.")
    private int rows = JdbcSettings.defaults().rows();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Set the number of threads beside one. Default: ${DEFAULT-VALUE}.")
    private int threads = JdbcSettings.defaults().threads();

    @Option(names = "--rounds", paramLabel = "N", description = "Set the number of rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds = JdbcSettings.defaults().rounds();

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Set the warm-up time of each block. Default: ${DEFAULT-VALUE}.")
    private String warmup = "1s";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Set the measured time of each block. Default: ${DEFAULT-VALUE}.")
    private String duration = "300ms";

    @Option(
            names = "--batch-rows",
            paramLabel = "N",
            description = "Set the number of rows that are inserted in batches. Default: ${DEFAULT-VALUE}.")
    private int batchRows = JdbcSettings.defaults().batchRows();

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            description = "Begin no further block after this time. Default: ${DEFAULT-VALUE}.")
    private String deadline = "3m";

    JdbcCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws InterruptedException {
        JdbcSettings settings = settings();
        JdbcResult result = site.run(sdds, (addresses, cluster) -> run(addresses, cluster, settings));
        String command = "sdds bench jdbc " + asTyped(settings);
        BenchCommand.print(sdds, command, result, result.text(command));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private JdbcResult run(List<String> addresses, String cluster, JdbcSettings settings) throws InterruptedException {
        ClientSettings client =
                ClientSettings.builder().name("jdbc").timeout(sdds.timeout()).build();
        try (SddsClient measured = SddsClient.connect(addresses, client);
                ProgressLine line = new ProgressLine(sdds.screen())) {
            return JdbcBenchmark.run(measured, addresses, settings, cluster, line);
        }
    }

    private JdbcSettings settings() {
        JdbcSettings settings = new JdbcSettings(
                chosen(),
                postgresql,
                rows,
                threads,
                rounds,
                Quantities.time(warmup),
                Quantities.time(duration),
                batchRows,
                Quantities.time(deadline));
        return quick ? settings.quick() : settings;
    }

    private List<Peer> chosen() {
        return peers.equals(List.of("none"))
                ? List.of()
                : peers.stream()
                        .map(peer -> EnumNames.constant(Peer.class, peer))
                        .toList();
    }

    private String asTyped(JdbcSettings settings) {
        String names = settings.peers().stream().map(EnumNames::name).collect(Collectors.joining(","));
        return String.format(
                Locale.ROOT,
                "--peers %s --rows %d --threads %d --rounds %d --warmup %s --duration %s --batch-rows %d --deadline"
                        + " %s%s",
                names.isEmpty() ? "none" : names,
                settings.rows(),
                settings.threads(),
                settings.rounds(),
                BenchCommand.time(settings.warmup()),
                BenchCommand.time(settings.duration()),
                settings.batchRows(),
                BenchCommand.time(settings.deadline()),
                site.asTyped());
    }
}
