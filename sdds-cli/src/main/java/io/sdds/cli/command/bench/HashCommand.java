package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.ClientFigures;
import io.sdds.bench.load.ClosedLoop;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.LongPuts;
import io.sdds.bench.load.OpenLoop;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.cli.command.table.SplitOptions;
import io.sdds.cli.config.Quantities;
import io.sdds.cli.config.RecordOptions;
import io.sdds.client.ClientStatistics;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "hash",
        description = {
            "Get and put random keys of a hash table.",
            "Runs a closed loop: each client keeps --pipeline operations outstanding. With --rate, runs an open loop."
        })
final class HashCommand extends Benchmark<LoadSettings> {
    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Use this table. The command creates a missing table, and keeps the table. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String table = "bench";

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS|64m",
            description = "Set the capacity of a partition if the command creates the table. Default: 64m.")
    private String capacity = "64m";

    @Option(
            names = "--ttl",
            paramLabel = "10m",
            description = "Set the time to live of records if the command creates the table. Default: for ever.")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--long-values",
            paramLabel = "BYTES",
            description = "Beside the load, put values of 1 KiB to BYTES under 16 other keys, through another client.")
    private String longValues = "0";

    @Option(
            names = "--long-rate",
            paramLabel = "BYTES",
            description = "Set the bytes a second of --long-values. Default: ${DEFAULT-VALUE}.")
    private String longRate = "4m";

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    @Mixin
    private SplitOptions split = new SplitOptions();

    HashCommand(CommandContext context) {
        super(context, LoadSettings.defaults());
    }

    @Override
    BenchResult run(LoadSettings settings, ProgressLine progress) throws InterruptedException {
        TableOptions options =
                replicas.of(ofCapacity(capacity).withSplit(split.policy()).withTimeToLive(ttl));
        try (SddsClient client = connect(settings.outstanding(), settings.valueBytes())) {
            HashTable<byte[], byte[]> records = hashTable(client, table, options);
            ClientStatistics before = client.statistics();
            LoadResult result = runBesideLongPuts(settings, records, progress);
            return result.withClient(ClientFigures.between(before, client.statistics()));
        }
    }

    private LoadResult runBesideLongPuts(
            LoadSettings settings, HashTable<byte[], byte[]> records, ProgressLine progress)
            throws InterruptedException {
        int longBytesMax = RecordOptions.bytes(longValues);
        if (longBytesMax == 0) {
            return run(settings, records, progress);
        }
        try (SddsClient other = connect("bench-long")) {
            LongPuts puts = LongPuts.start(
                    hashTable(other, table, TableOptions.defaults()),
                    longBytesMax,
                    Math.max(1, Quantities.size(longRate)),
                    settings.seed());
            LoadResult result = run(settings, records, progress);
            return result.withLongPuts(puts.end());
        }
    }

    private static LoadResult run(LoadSettings settings, HashTable<byte[], byte[]> records, ProgressLine progress)
            throws InterruptedException {
        return settings.ratePerSecond() == 0
                ? ClosedLoop.run(settings, records, progress)
                : OpenLoop.run(settings, records, progress);
    }
}
