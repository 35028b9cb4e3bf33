package io.sdds.cli.command.bench;

import io.sdds.bench.queries.PlanCostBenchmark;
import io.sdds.bench.queries.PlanCostSettings;
import io.sdds.bench.queries.PlanCosts;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Quantities;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "costs",
        description = {
            "Measure what parts of a plan of SQL cost.",
            "Runs statements that differ by one part, as a further column or a join, and prints the time of each part."
                    + " The planner weighs plans by such figures."
        },
        footer = {"", SiteOptions.FOOTER})
final class CostsCommand implements Callable<Integer> {
    private final CommandContext sdds;

    @Option(names = "--quick", description = "Run for seconds only. The figures mean little.")
    private boolean quick;

    @Mixin
    private SiteOptions site = new SiteOptions();

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Set the number of rows of a large table. Default: ${DEFAULT-VALUE}.")
    private int rows = PlanCostSettings.defaults().rows();

    @Option(names = "--rounds", paramLabel = "N", description = "Set the number of rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds = PlanCostSettings.defaults().rounds();

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Set the warm-up time of each statement. Default: ${DEFAULT-VALUE}.")
    private String warmup = "3s";

    @Option(
            names = "--table",
            paramLabel = "PREFIX",
            description = "Set the prefix of the table names. The command drops the tables. Default: ${DEFAULT-VALUE}.")
    private String table = PlanCostSettings.defaults().table();

    CostsCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws InterruptedException {
        PlanCostSettings settings = settings();
        PlanCosts result = site.run(sdds, (addresses, cluster) -> run(addresses, cluster, settings));
        String command = "sdds bench costs " + asTyped(settings);
        BenchCommand.print(sdds, command, result, result.text(command));
        return CommandFailure.OK;
    }

    private PlanCosts run(List<String> addresses, String cluster, PlanCostSettings settings) {
        try (ProgressLine line = new ProgressLine(sdds.screen())) {
            return PlanCostBenchmark.run(addresses, settings, cluster, line);
        }
    }

    private PlanCostSettings settings() {
        PlanCostSettings settings = new PlanCostSettings(table, rows, rounds, Quantities.time(warmup));
        return quick ? settings.quick() : settings;
    }

    private String asTyped(PlanCostSettings settings) {
        return String.format(
                Locale.ROOT,
                "--rows %d --rounds %d --warmup %s --table %s%s",
                settings.rows(),
                settings.rounds(),
                BenchCommand.time(settings.warmup()),
                settings.table(),
                site.asTyped());
    }
}
