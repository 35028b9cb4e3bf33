package io.sdds.cli.command.bench;

import io.sdds.bench.load.TableChanges;
import io.sdds.bench.load.TableChangesResult;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "tables",
        description = {
            "Measure how long the cluster takes to create and to drop tables.",
            "Creates and drops hash tables one after the other. Then creates many tables at once, drops them at once,"
                    + " and counts the requests that fail."
        })
final class TablesCommand implements Callable<Integer> {
    private final CommandContext sdds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Set the number of tables that are created and dropped one after the other. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int rounds = 200;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "Set the number of tables that are created and dropped at once. Default: ${DEFAULT-VALUE}.")
    private int atOnce = 1000;

    @Option(
            names = "--table",
            paramLabel = "PREFIX",
            description = "Set the prefix of the table names. The command drops the tables. Default: ${DEFAULT-VALUE}.")
    private String table = "bench-tables";

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    TablesCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() {
        TableOptions options = replicas.of(TableOptions.defaults());
        ClientSettings settings =
                ClientSettings.builder().name("tables").timeout(sdds.timeout()).build();
        TableChangesResult result;
        try (SddsClient client = SddsClient.connect(sdds.addresses(), settings);
                ProgressLine line = new ProgressLine(sdds.screen())) {
            result = TableChanges.run(client, options, rounds, atOnce, table, line);
        }
        String command = "sdds bench tables " + asTyped();
        BenchCommand.print(sdds, command, result, result.text(command));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private String asTyped() {
        return String.format(
                Locale.ROOT, "--rounds %d --at-once %d --table %s%s", rounds, atOnce, table, replicas.asTyped());
    }
}
