package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Json;
import io.sdds.client.TableStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "analyze",
        description = "Count the rows of a table, and the different values, NULLs, smallest and largest values of its"
                + " columns; kept in the cluster, and shown by table describe.")
final class TableAnalyzeCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    TableAnalyzeCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        TableStatistics statistics;
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            statistics = client.await(connected -> connected.analyzeAsync(name));
        }
        StatisticsOutput output = new StatisticsOutput(context, statistics);
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", name);
            document.putAll(output.document());
            Json.print(context.screen().out(), document);
        } else {
            context.screen().out().println("table " + name + ": " + output.summary());
            output.lines().forEach(context.screen().out()::println);
        }
        return CommandFailure.OK;
    }
}
