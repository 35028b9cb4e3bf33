package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.quick.QuickClient;
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
    private final CommandContext sdds;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    TableAnalyzeCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() {
        TableStatistics statistics;
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            statistics = client.await(connected -> connected.analyzeAsync(name));
        }
        StatisticsOutput output = new StatisticsOutput(sdds, statistics);
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", name);
            document.putAll(output.document());
            Json.print(sdds.screen().out(), document);
        } else {
            sdds.screen().out().println("table " + name + ": " + output.summary());
            output.lines().forEach(sdds.screen().out()::println);
        }
        return CommandFailure.OK;
    }
}
