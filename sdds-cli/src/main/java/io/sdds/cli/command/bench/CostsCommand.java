package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.queries.PlanCostBenchmark;
import io.sdds.bench.queries.PlanCostSettings;
import io.sdds.cli.command.base.CommandContext;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "costs",
        description = {
            "Measure what parts of a plan of SQL cost.",
            "Runs statements that differ by one part, as a further column or a join, and prints the time of each part."
                    + " The planner weighs plans by such figures."
        },
        footer = {"", SiteOptions.FOOTER})
final class CostsCommand extends Benchmark<PlanCostSettings> {
    @Mixin
    private SiteOptions site = new SiteOptions(2);

    CostsCommand(CommandContext context) {
        super(context, PlanCostSettings.defaults());
    }

    @Override
    PlanCostSettings measured(PlanCostSettings settings) {
        return site.quick() ? settings.quick() : settings;
    }

    @Override
    BenchResult run(PlanCostSettings settings, ProgressLine progress) throws IOException, InterruptedException {
        return site.measure(
                context, clientSettings("costs"), progress, cluster -> PlanCostBenchmark.run(cluster, settings));
    }
}
