package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.Overload;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "overload",
        description = {
            "Offer more load than a cluster can serve, and report throughput, latency and memory.",
            "Finds the load that saturates the cluster, then offers multiples of this load: as outstanding operations"
                    + " and connections, and as operations a second."
        })
final class OverloadCommand extends Benchmark<OverloadSettings> {
    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Use this table. The command creates a missing table, and keeps the table. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String table = "bench-overload";

    @Option(
            names = "--raw",
            description =
                    "Read or write a hash table with frames sent directly to the bricks, without the client library,"
                            + " to save processor time.")
    private boolean raw;

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    OverloadCommand(CommandContext context) {
        super(context, OverloadSettings.defaults());
    }

    @Override
    BenchResult run(OverloadSettings settings, ProgressLine progress) throws InterruptedException {
        TableOptions options = replicas.of(TableOptions.defaults());
        try (SddsClient client = connect(0, settings.valueBytes())) {
            hashTable(client, table, options);
            return Overload.run(cluster(client, "overload", progress), table, settings, raw);
        }
    }
}
