package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.queries.QueryBenchmark;
import io.sdds.bench.queries.QuerySettings;
import io.sdds.cli.command.base.CommandContext;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "queries",
        description = {
            "Measure queries that bricks evaluate.",
            "Compares a filter for 1 %% of the rows and a group by 1,000 groups with the same queries evaluated by the"
                    + " client, and the filter with all records fetched. Measures how long bricks go on with cancelled"
                    + " queries, and the latency of gets at half of saturation without and with a query."
        },
        footer = {"", SiteOptions.FOOTER})
final class QueriesCommand extends Benchmark<QuerySettings> {
    @Mixin
    private SiteOptions site = new SiteOptions(2);

    QueriesCommand(CommandContext context) {
        super(context, QuerySettings.defaults());
    }

    @Override
    QuerySettings measured(QuerySettings settings) {
        return site.quick() ? settings.quick() : settings;
    }

    @Override
    BenchResult run(QuerySettings settings, ProgressLine progress) throws IOException, InterruptedException {
        return site.measure(
                context, clientSettings("queries"), progress, cluster -> QueryBenchmark.run(cluster, settings));
    }
}
