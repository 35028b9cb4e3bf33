package io.sdds.cli.command.bench;

import io.sdds.bench.load.ClientFigures;
import io.sdds.bench.load.ClosedLoop;
import io.sdds.bench.load.Echo;
import io.sdds.bench.load.GrowthResult;
import io.sdds.bench.load.GrowthSettings;
import io.sdds.bench.load.GrowthStalls;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadReports;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.LongPuts;
import io.sdds.bench.load.OpenLoop;
import io.sdds.bench.load.Overload;
import io.sdds.bench.load.OverloadResult;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.bench.load.RangeLoad;
import io.sdds.bench.load.RangeResult;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Converters;
import io.sdds.cli.config.EnumNames;
import io.sdds.cli.config.Quantities;
import io.sdds.cli.terminal.Json;
import io.sdds.client.ClientSettings;
import io.sdds.client.ClientStatistics;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The benchmarks. Each kind of load is a subcommand. */
@Command(description = "Put load on a cluster, and report throughput and latency.")
public final class BenchCommand implements Callable<Integer> {
    private static final int WINDOW_SPARE = 1024;
    private static final int RECORD_BYTES_SPARE = 1024;

    private final CommandContext sdds;

    public BenchCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    public void addTo(CommandLine line) {
        CommandLine bench = new CommandLine(this);
        bench.addSubcommand("bursts", new BurstsCommand(sdds));
        bench.addSubcommand("costs", new CostsCommand(sdds));
        bench.addSubcommand("jdbc", new JdbcCommand(sdds));
        bench.addSubcommand("lookups", new LookupsCommand(sdds));
        bench.addSubcommand("paper", new PaperCommand(sdds));
        bench.addSubcommand("queries", new QueriesCommand(sdds));
        bench.addSubcommand("tables", new TablesCommand(sdds));
        bench.registerConverter(LoadMode.class, Converters.of(word -> EnumNames.constant(LoadMode.class, word)));
        line.addSubcommand("bench", bench);
    }

    @Override
    public Integer call() {
        throw CommandFailure.usage(
                "name the load: hash, range, growth, overload, bursts, echo, queries, lookups, jdbc, tables, costs"
                        + " or paper; see: sdds bench --help");
    }

    // ---- hash

    @Command(
            name = "hash",
            description = {
                "Get and put random keys of a hash table.",
                "Runs a closed loop: each client keeps --pipeline operations outstanding. With --rate, runs an open"
                        + " loop."
            })
    int hash(@Mixin HashOptions options) throws InterruptedException {
        LoadSettings settings = options.settings();
        TableOptions tableOptions = options.tableOptions();
        LoadResult result;
        try (SddsClient client = connect(settings.outstanding(), settings.valueBytes());
                ProgressLine line = new ProgressLine(sdds.screen())) {
            HashTable<byte[], byte[]> table = table(client, options.table(), tableOptions);
            ClientStatistics before = client.statistics();
            LoadResult measured = options.longBytesMax() == 0
                    ? run(settings, table, line)
                    : runBesideLongPuts(options, settings, table, line);
            result = measured.withClient(ClientFigures.between(before, client.statistics()));
        } catch (LoadException e) {
            throw CommandFailure.failed(e.getMessage() + "; table " + options.table(), e);
        }
        String command = "sdds bench hash " + options.asTyped(settings);
        print(command, result, LoadReports.text(command, result));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private static LoadResult run(LoadSettings settings, HashTable<byte[], byte[]> table, ProgressLine line)
            throws InterruptedException {
        return settings.ratePerSecond() == 0
                ? ClosedLoop.run(settings, table, line)
                : OpenLoop.run(settings, table, line);
    }

    private LoadResult runBesideLongPuts(
            HashOptions options, LoadSettings settings, HashTable<byte[], byte[]> table, ProgressLine line)
            throws InterruptedException {
        try (SddsClient other = SddsClient.connect(sdds.addresses(), ownClients("bench-long"))) {
            HashTable<byte[], byte[]> same = other.hashTable(options.table(), Codec.bytes(), Codec.bytes());
            LongPuts puts = LongPuts.start(same, options.longBytesMax(), options.longBytesPerSecond(), settings.seed());
            LoadResult result = run(settings, table, line);
            return result.withLongPuts(puts.end());
        }
    }

    private static HashTable<byte[], byte[]> table(SddsClient client, String name, TableOptions options) {
        try {
            return client.hashTable(name, Codec.bytes(), Codec.bytes());
        } catch (NoSuchTableException missing) {
            return client.createHashTable(name, options, Codec.bytes(), Codec.bytes());
        }
    }

    // ---- range

    @Command(
            name = "range",
            description = {
                "Query ranges of a range table that begin at random keys.",
                "Runs a closed loop: each client keeps --pipeline queries outstanding."
            })
    int range(@Mixin RangeLoadOptions options) throws InterruptedException {
        LoadSettings settings = options.settings();
        TableOptions tableOptions = options.tableOptions();
        RangeResult result;
        try (SddsClient client = connect(0, settings.valueBytes());
                ProgressLine line = new ProgressLine(sdds.screen())) {
            RangeTable<byte[], byte[]> table = rangeTable(client, options.table(), tableOptions);
            result = RangeLoad.run(settings, options.length(), table, line);
        }
        String command = "sdds bench range " + options.asTyped(settings);
        print(command, result, LoadReports.text(command, result));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private static RangeTable<byte[], byte[]> rangeTable(SddsClient client, String name, TableOptions options) {
        try {
            return client.rangeTable(name, Codec.bytes(), Codec.bytes());
        } catch (NoSuchTableException missing) {
            return client.createRangeTable(name, options, Codec.bytes(), Codec.bytes());
        }
    }

    // ---- growth

    @Command(
            name = "growth",
            description = {
                "Measure how much the growth of a table slows requests to the table.",
                "Runs pairs of runs under paced load, half gets and half puts: one run on a table at rest, one run"
                        + " while the table splits. Reports the difference of the two p99.99 latencies."
            })
    int growth(@Mixin GrowthOptions options) throws InterruptedException {
        GrowthSettings settings = options.settings();
        GrowthResult result;
        try (SddsClient client = connect(0, settings.valueBytes());
                ProgressLine line = new ProgressLine(sdds.screen())) {
            result = GrowthStalls.run(client, sdds.addresses(), ownClients("growth"), settings, line);
        } catch (LoadException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        }
        String command = "sdds bench growth " + GrowthOptions.asTyped(settings);
        print(command, result, LoadReports.text(command, result));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    // ---- echo

    @Command(
            name = "echo",
            description = {
                "Send frames of the same sizes to a thread of this process, which answers at once.",
                "Measures the lower bound for bench hash. Needs no cluster."
            })
    int echo(@Mixin LoopOptions options) throws InterruptedException, IOException {
        LoadSettings settings = options.settings();
        LoadResult result;
        try (Echo echo = Echo.open(settings.valueBytes());
                ProgressLine line = new ProgressLine(sdds.screen())) {
            result = ClosedLoop.run(settings, echo, line);
        }
        String command = "sdds bench echo " + LoopOptions.asTyped(settings);
        print(command, result, LoadReports.text(command, result));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    // ---- overload

    @Command(
            name = "overload",
            description = {
                "Offer more load than a cluster can serve, and report throughput, latency and memory.",
                "Finds the load that saturates the cluster, then offers multiples of this load: as outstanding"
                        + " operations and connections, and as operations a second."
            })
    int overload(@Mixin OverloadOptions options) throws InterruptedException {
        OverloadSettings settings = options.settings();
        TableOptions tableOptions = options.tableOptions();
        OverloadResult result;
        try (SddsClient client = connect(0, settings.valueBytes());
                ProgressLine line = new ProgressLine(sdds.screen())) {
            table(client, options.table(), tableOptions);
            ClientSettings each = ownClients("overload");
            result = options.raw()
                    ? Overload.runRaw(client, sdds.addresses(), each, options.table(), settings, line)
                    : Overload.run(client, sdds.addresses(), each, options.table(), settings, line);
        } catch (LoadException e) {
            throw CommandFailure.failed(e.getMessage() + "; table " + options.table(), e);
        }
        String command = "sdds bench overload " + options.asTyped(settings);
        print(command, result, LoadReports.text(command, result));
        return result.isSound() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    // ---- shared

    private SddsClient connect(int outstanding, int valueBytes) {
        ClientSettings defaults = ClientSettings.defaults();
        int requests = Math.max(defaults.windowRequests(), outstanding + WINDOW_SPARE);
        long bytes = Math.max(defaults.windowBytes(), (long) requests * (valueBytes + RECORD_BYTES_SPARE));
        return SddsClient.connect(
                sdds.addresses(),
                ClientSettings.builder()
                        .name("bench")
                        .window(requests, bytes)
                        .timeout(sdds.timeout())
                        .build());
    }

    /** Settings of the clients that the load creates itself. */
    private ClientSettings ownClients(String name) {
        return ClientSettings.builder().name(name).timeout(sdds.timeout()).build();
    }

    private void print(String command, Object result, String text) {
        print(sdds, command, result, text);
    }

    /** Prints a result as text, or as a JSON document with the command in front. */
    static void print(CommandContext sdds, String command, Object result, String text) {
        if (sdds.json()) {
            Json.print(sdds.screen().out(), LoadReports.document(command, result));
        } else {
            sdds.screen().out().print(text);
        }
    }

    static int bytes(String size) {
        return (int) Math.min(Integer.MAX_VALUE, Quantities.size(size));
    }

    static String time(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
