package io.sdds.cli.command.bench;

import io.sdds.bench.jdbc.Peer;
import io.sdds.bench.load.LoadMode;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Converters;
import io.sdds.cli.config.EnumNames;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks. Each kind of load is a subcommand. */
@Command(description = "Put load on a cluster, and report throughput and latency.")
public final class BenchCommand implements Callable<Integer> {
    private final CommandContext context;

    public BenchCommand(CommandContext context) {
        this.context = context;
    }

    public void addTo(CommandLine line) {
        CommandLine bench = new CommandLine(this);
        for (Benchmark<?> each : List.of(
                new BurstsCommand(context),
                new CostsCommand(context),
                new EchoCommand(context),
                new GrowthCommand(context),
                new HashCommand(context),
                new JdbcCommand(context),
                new LookupsCommand(context),
                new OverloadCommand(context),
                new QueriesCommand(context),
                new RangeCommand(context),
                new TablesCommand(context))) {
            each.addTo(bench);
        }
        bench.addSubcommand("paper", new PaperCommand(context));
        bench.registerConverter(LoadMode.class, Converters.of(word -> EnumNames.constant(LoadMode.class, word)));
        bench.registerConverter(
                Peer.class,
                Converters.<Peer>of(word -> word.equals("none") ? null : EnumNames.constant(Peer.class, word)));
        line.addSubcommand("bench", bench);
    }

    @Override
    public Integer call() {
        throw CommandFailure.usage(
                "name the load: hash, range, growth, overload, bursts, echo, queries, lookups, jdbc, tables, costs"
                        + " or paper; see: sdds bench --help");
    }
}
