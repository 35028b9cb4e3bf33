package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.TableChanges;
import io.sdds.bench.load.TableChangesSettings;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "tables",
        description = {
            "Measure how long the cluster takes to create and to drop tables.",
            "Creates and drops hash tables one after the other. Then creates many tables at once, drops them at once,"
                    + " and counts the requests that fail."
        })
final class TablesCommand extends Benchmark<TableChangesSettings> {
    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    TablesCommand(CommandContext context) {
        super(context, TableChangesSettings.defaults());
    }

    @Override
    BenchResult run(TableChangesSettings settings, ProgressLine progress) {
        TableOptions options = replicas.of(TableOptions.defaults());
        try (SddsClient client = connect("tables")) {
            return TableChanges.run(client, options, settings, progress);
        }
    }
}
