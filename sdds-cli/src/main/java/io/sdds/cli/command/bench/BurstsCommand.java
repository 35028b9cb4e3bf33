package io.sdds.cli.command.bench;

import io.sdds.bench.load.BurstResult;
import io.sdds.bench.load.BurstSettings;
import io.sdds.bench.load.Bursts;
import io.sdds.bench.load.PacedProbe;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.table.ReplicaOptions;
import io.sdds.cli.config.Quantities;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.core.model.TableKind;
import java.util.Locale;
import java.util.concurrent.Callable;
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
final class BurstsCommand implements Callable<Integer> {
    private final CommandContext sdds;

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "Set the number of operations of each burst. Default: ${DEFAULT-VALUE}.")
    private int operations = BurstSettings.defaults().operations();

    @Mixin
    private ValueOption value = new ValueOption();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Set the number of virtual threads with calls that block. Default: one thread that does not"
                    + " wait.")
    private int threads;

    @Option(
            names = "--beside",
            paramLabel = "N",
            description =
                    "Set the gets a second of another client of this process, whose latency is measured. Default: no"
                            + " client.")
    private int beside;

    @Mixin
    private KindOption kind = new KindOption();

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

    BurstsCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws InterruptedException {
        BurstSettings settings = new BurstSettings(operations, value.bytes(), threads, beside);
        TableOptions options = tableOptions();
        BurstResult result;
        try (SddsClient client = connect("bursts");
                @Nullable PacedProbe probe = probe();
                ProgressLine line = new ProgressLine(sdds.screen())) {
            result = Bursts.run(settings, client, create(client, options), probe, line);
            client.dropTable(table);
        }
        String command = "sdds bench bursts " + asTyped(settings);
        BenchCommand.print(sdds, command, result, result.text(command));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private TableOptions tableOptions() {
        long amount = Quantities.size(capacity);
        return replicas.of(
                Quantities.hasUnit(capacity)
                        ? TableOptions.defaults().withCapacityBytes(amount)
                        : TableOptions.capacity(amount));
    }

    private Table<byte[], byte[]> create(SddsClient client, TableOptions options) {
        return kind.kind() == TableKind.HASH
                ? client.createHashTable(table, options, Codec.bytes(), Codec.bytes())
                : client.createRangeTable(table, options, Codec.bytes(), Codec.bytes());
    }

    private @Nullable PacedProbe probe() {
        return beside == 0 ? null : PacedProbe.start(connect("beside"), table + "-beside", beside);
    }

    private SddsClient connect(String name) {
        return SddsClient.connect(
                sdds.addresses(),
                ClientSettings.builder().name(name).timeout(sdds.timeout()).build());
    }

    private String asTyped(BurstSettings settings) {
        return String.format(
                Locale.ROOT,
                "--operations %d --value %d --threads %d --beside %d --kind %s --capacity %s --table %s%s",
                settings.operations(),
                settings.valueBytes(),
                settings.virtualThreads(),
                settings.besideRate(),
                KindOption.text(kind.kind()),
                capacity,
                table,
                replicas.asTyped());
    }
}
