package io.sdds.cli.command.bench;

import io.sdds.bench.jdbc.JdbcBenchmark;
import io.sdds.bench.jdbc.JdbcSettings;
import io.sdds.bench.load.BenchResult;
import io.sdds.cli.command.base.CommandContext;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class JdbcCommand extends Benchmark<JdbcSettings> {
    @Mixin
    private SiteOptions site = new SiteOptions(2);

    JdbcCommand(CommandContext context) {
        super(context, JdbcSettings.defaults());
    }

    @Override
    JdbcSettings measured(JdbcSettings settings) {
        return site.quick() ? settings.quick() : settings;
    }

    @Override
    BenchResult run(JdbcSettings settings, ProgressLine progress) throws IOException, InterruptedException {
        return site.measure(context, clientSettings("jdbc"), progress, cluster -> JdbcBenchmark.run(cluster, settings));
    }
}
