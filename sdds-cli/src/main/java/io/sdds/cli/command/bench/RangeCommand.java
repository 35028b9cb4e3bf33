package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.RangeLoad;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.client.Codec;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "range",
        description = {
            "Query ranges of a range table that begin at random keys.",
            "Runs a closed loop: each client keeps --pipeline queries outstanding."
        })
final class RangeCommand extends Benchmark<LoadSettings> {
    private static final LoadSettings DEFAULTS =
            LoadSettings.defaults().withServices(2, 10).withRecords(100_000, 84);

    @Option(
            names = "--length",
            paramLabel = "N",
            description =
                    "Set the records of a range; 0: all records of the table, in no order. Default: ${DEFAULT-VALUE}.")
    private int length = 100;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "Use this table. The command creates a missing table, and keeps the table. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String table = "bench-range";

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS",
            description = "Set the records of a partition if the command creates the table. Default: ${DEFAULT-VALUE}.")
    private long capacity = 50_000;

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    RangeCommand(CommandContext context) {
        super(context, DEFAULTS, "--mode", "--rate", "--history");
    }

    @Override
    BenchResult run(LoadSettings settings, ProgressLine progress) throws InterruptedException {
        if (length < 0) {
            throw CommandFailure.usage("--length: " + length + " is negative");
        }
        TableOptions options = replicas.of(TableOptions.capacity(capacity));
        try (SddsClient client = connect(0, settings.valueBytes())) {
            return RangeLoad.run(settings, length, rangeTable(client, options), progress);
        }
    }

    private RangeTable<byte[], byte[]> rangeTable(SddsClient client, TableOptions options) {
        try {
            return client.rangeTable(table, Codec.bytes(), Codec.bytes());
        } catch (NoSuchTableException missing) {
            return client.createRangeTable(table, options, Codec.bytes(), Codec.bytes());
        }
    }
}
