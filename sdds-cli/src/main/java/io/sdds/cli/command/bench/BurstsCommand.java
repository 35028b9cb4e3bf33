package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.BurstSettings;
import io.sdds.bench.load.Bursts;
import io.sdds.bench.load.PacedProbe;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.core.model.TableKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "bursts",
        description = {
            "Begin very many operations at once, and count those that fail.",
            "One thread puts all records of a new table without waiting for any put, gets all, and puts all again. With"
                    + " --threads, virtual threads do so with calls that block."
        })
final class BurstsCommand extends Benchmark<BurstSettings> {
    @Option(names = "--kind", paramLabel = "hash|range", description = "Set the kind of the table. Default: hash.")
    private TableKind kind = TableKind.HASH;

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS|64m",
            description = "Set the capacity of a partition. A lower capacity causes more splits. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String capacity = "64m";

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Set the name of the table. The command drops the table. Default: ${DEFAULT-VALUE}.")
    private String table = "bench-bursts";

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    BurstsCommand(CommandContext context) {
        super(context, BurstSettings.defaults());
    }

    @Override
    BenchResult run(BurstSettings settings, ProgressLine progress) throws InterruptedException {
        TableOptions options = replicas.of(ofCapacity(capacity));
        try (SddsClient client = connect("bursts");
                @Nullable PacedProbe probe = probe(settings.besideRate())) {
            BenchResult result = Bursts.run(settings, client, create(client, options), probe, progress);
            client.dropTable(table);
            return result;
        }
    }

    private Table<byte[], byte[]> create(SddsClient client, TableOptions options) {
        return kind == TableKind.HASH
                ? client.createHashTable(table, options, Codec.bytes(), Codec.bytes())
                : client.createRangeTable(table, options, Codec.bytes(), Codec.bytes());
    }

    private @Nullable PacedProbe probe(int beside) {
        return beside == 0 ? null : PacedProbe.start(connect("beside"), table + "-beside", beside);
    }
}
