package io.sdds.cli.command.bench;

import io.sdds.bench.queries.QueryBenchmark;
import io.sdds.bench.queries.QueryReport;
import io.sdds.bench.queries.QueryResult;
import io.sdds.bench.queries.QuerySettings;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Quantities;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import io.sdds.core.model.TableKind;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "queries",
        description = {
            "Measure queries that bricks evaluate.",
            "Compares a filter for 1 %% of the rows and a group by 1,000 groups with the same queries evaluated by the"
                    + " client, and the filter with all records fetched. Measures how long bricks go on with cancelled"
                    + " queries, and the latency of gets at half of saturation without and with a query."
        },
        footer = {"", SiteOptions.FOOTER})
final class QueriesCommand implements Callable<Integer> {
    private final CommandContext sdds;

    @Option(names = "--quick", description = "Run for seconds only. The figures mean little.")
    private boolean quick;

    @Mixin
    private SiteOptions site = new SiteOptions();

    @Option(
            names = "--kind",
            paramLabel = "hash|range",
            description = "Set the kind of the table. Default: a table of each kind.")
    private @Nullable TableKind kind;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Set the number of rows of about 100 bytes. Default: ${DEFAULT-VALUE}.")
    private int rows = QuerySettings.defaults().rows();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Set the number of rounds of all queries; 0: no queries. Default: ${DEFAULT-VALUE}.")
    private int rounds = QuerySettings.defaults().rounds();

    @Option(
            names = "--cancels",
            paramLabel = "N",
            description = "Set the number of cancelled queries; 0: none. Default: ${DEFAULT-VALUE}.")
    private int cancels = QuerySettings.defaults().cancels();

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "Set the number of pairs of runs of gets, without and with a query; 0: none. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int pairs = QuerySettings.defaults().pairs();

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "Set the number of records for the gets. Default: ${DEFAULT-VALUE}.")
    private int keys = QuerySettings.defaults().keys();

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Set the warm-up time of queries and gets. Default: ${DEFAULT-VALUE}.")
    private String warmup = "5s";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Set the measured time of each run of gets. Default: ${DEFAULT-VALUE}.")
    private String duration = "5s";

    @Option(
            names = "--table",
            paramLabel = "PREFIX",
            description = "Set the prefix of the table names. The command drops the tables. Default: ${DEFAULT-VALUE}.")
    private String table = QuerySettings.defaults().table();

    QueriesCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws InterruptedException {
        QuerySettings settings = settings();
        QueryResult result = site.run(sdds, (addresses, cluster) -> run(addresses, cluster, settings));
        String command = "sdds bench queries " + asTyped(settings);
        BenchCommand.print(sdds, command, result, QueryReport.text(command, result));
        return CommandFailure.OK;
    }

    private QueryResult run(List<String> addresses, String cluster, QuerySettings settings)
            throws InterruptedException {
        ClientSettings client =
                ClientSettings.builder().name("queries").timeout(sdds.timeout()).build();
        try (SddsClient operator = SddsClient.connect(addresses, client);
                ProgressLine line = new ProgressLine(sdds.screen())) {
            return QueryBenchmark.run(operator, addresses, client, settings, cluster, line);
        }
    }

    private QuerySettings settings() {
        QuerySettings settings = new QuerySettings(
                table,
                kind == null ? QuerySettings.defaults().kinds() : List.of(kind),
                rows,
                rounds,
                cancels,
                pairs,
                keys,
                Quantities.time(warmup),
                Quantities.time(duration));
        return quick ? settings.quick() : settings;
    }

    private String asTyped(QuerySettings settings) {
        String kinds = settings.kinds().stream()
                .map(each -> "--kind " + each.name().toLowerCase(Locale.ROOT) + " ")
                .collect(Collectors.joining());
        return String.format(
                Locale.ROOT,
                "%s--rows %d --rounds %d --cancels %d --pairs %d --keys %d --warmup %s --duration %s --table %s%s",
                settings.kinds().size() == 1 ? kinds : "",
                settings.rows(),
                settings.rounds(),
                settings.cancels(),
                settings.pairs(),
                settings.keys(),
                BenchCommand.time(settings.warmup()),
                BenchCommand.time(settings.duration()),
                settings.table(),
                site.asTyped());
    }
}
