package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.queries.LookupBenchmark;
import io.sdds.bench.queries.LookupSettings;
import io.sdds.cli.command.base.CommandContext;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "lookups",
        description = {
            "Measure look-ups by key through JDBC.",
            "Threads look up random rows by key, each by a prepared statement on a connection of its own, and wait for"
                    + " each row. In turn, they do the same by get of the client."
        },
        footer = {"", SiteOptions.FOOTER})
final class LookupsCommand extends Benchmark<LookupSettings> {
    @Mixin
    private SiteOptions site = new SiteOptions(2);

    LookupsCommand(CommandContext context) {
        super(context, LookupSettings.defaults());
    }

    @Override
    LookupSettings measured(LookupSettings settings) {
        return site.quick() ? settings.quick() : settings;
    }

    @Override
    BenchResult run(LookupSettings settings, ProgressLine progress) throws IOException, InterruptedException {
        return site.measure(
                context, clientSettings("lookups"), progress, cluster -> LookupBenchmark.run(cluster, settings));
    }
}
