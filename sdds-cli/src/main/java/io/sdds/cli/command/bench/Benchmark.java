package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadReports;
import io.sdds.bench.load.Setting;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Quantities;
import io.sdds.cli.config.RecordOptions;
import io.sdds.cli.terminal.Json;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * A command that measures. Its options are those of its settings, and those of the class.
 *
 * @param <S> type of the settings
 */
abstract class Benchmark<S extends Record> implements Callable<Integer> {
    private static final int WINDOW_SPARE = 1024;
    private static final int RECORD_BYTES_SPARE = 1024;

    final CommandContext context;
    private final RecordOptions<S> options;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** @param leftOut options of the settings that the command does not have */
    Benchmark(CommandContext context, S defaults, String... leftOut) {
        this.context = context;
        List<String> without = List.of(leftOut);
        this.options = new RecordOptions<>(defaults, component -> {
            Setting setting = component.getAnnotation(Setting.class);
            return setting == null || without.contains(RecordOptions.name(setting.value())) ? null : setting.value();
        });
    }

    void addTo(CommandLine bench) {
        CommandLine line = new CommandLine(this);
        options.addTo(line.getCommandSpec());
        bench.addSubcommand(line.getCommandName(), line);
    }

    /** Measures. */
    abstract BenchResult run(S settings, ProgressLine progress) throws IOException, InterruptedException;

    /** Values of components of the settings that are not set by options of their own. */
    Map<String, Object> otherSettings() {
        return Map.of();
    }

    /** The settings that are measured in place of those of the command line. */
    S measured(S settings) {
        return settings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        S settings = measured(options.settings(otherSettings()));
        BenchResult result;
        try (ProgressLine progress = new ProgressLine(context.screen())) {
            result = run(settings, progress);
        } catch (LoadException e) {
            OptionSpec table = spec.findOption("--table");
            throw CommandFailure.failed(
                    e.getMessage() + (table == null ? "" : "; table " + table.<String>getValue()), e);
        }
        String command = ("sdds bench " + spec.name() + " " + options.asTyped(spec, settings)).trim();
        if (context.json()) {
            Json.print(context.screen().out(), LoadReports.document(command, result));
        } else {
            context.screen().out().print(result.text(command));
        }
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    // ---- clients and tables

    /** Settings of a client with a name. */
    ClientSettings clientSettings(String name) {
        return ClientSettings.builder().name(name).timeout(context.timeout()).build();
    }

    SddsClient connect(String name) {
        return SddsClient.connect(context.addresses(), clientSettings(name));
    }

    /** A client whose window has room for so many operations. */
    SddsClient connect(int outstanding, int valueBytes) {
        ClientSettings defaults = ClientSettings.defaults();
        int requests = Math.max(defaults.windowRequests(), outstanding + WINDOW_SPARE);
        long bytes = Math.max(defaults.windowBytes(), (long) requests * (valueBytes + RECORD_BYTES_SPARE));
        return SddsClient.connect(
                context.addresses(),
                clientSettings("bench").toBuilder().window(requests, bytes).build());
    }

    /** The cluster at the addresses, with a name for the clients that the load creates. */
    LoadCluster cluster(SddsClient client, String name, ProgressLine progress) {
        return new LoadCluster(client, context.addresses(), clientSettings(name), "", progress);
    }

    /** Opens a hash table, which is created if it is missing. */
    static HashTable<byte[], byte[]> hashTable(SddsClient client, String name, TableOptions options) {
        try {
            return client.hashTable(name, Codec.bytes(), Codec.bytes());
        } catch (NoSuchTableException missing) {
            return client.createHashTable(name, options, Codec.bytes(), Codec.bytes());
        }
    }

    /** Options of a table with a capacity of a number of records, or of a size. */
    static TableOptions ofCapacity(String capacity) {
        long amount = Quantities.size(capacity);
        return Quantities.hasUnit(capacity)
                ? TableOptions.defaults().withCapacityBytes(amount)
                : TableOptions.capacity(amount);
    }
}
