package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.ClusterStatus;
import io.sdds.client.SddsClient;
import io.sdds.client.TableInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "list", description = "List the tables.")
final class TableListCommand implements Callable<Integer> {
    private final CommandContext context;

    TableListCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        ClusterStatus status;
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            status = client.await((SddsClient connected) -> connected.statusAsync(false));
        }
        List<TableInfo> tables = status.tables().stream()
                .sorted(Comparator.comparing(table -> table.name()))
                .toList();
        if (context.json()) {
            Json.print(
                    context.screen().out(),
                    Map.of("tables", tables.stream().map(TableText::document).toList()));
        } else if (tables.isEmpty()) {
            context.notice("there are no tables yet; create one: " + Hint.sdds("table create NAME --kind hash"));
        } else {
            TextTable text = new TextTable(3, "TABLE", "KIND", "COPIES", "PARTITIONS", "RECORDS", "BYTES");
            for (TableInfo table : tables) {
                text.row(
                        table.name(),
                        table.kind().name().toLowerCase(Locale.ROOT),
                        TableText.protection(table),
                        Numbers.count(table.partitions()),
                        Numbers.count(table.records()),
                        Numbers.bytes(table.bytes()));
            }
            text.lines().forEach(context.screen().out()::println);
        }
        return CommandFailure.OK;
    }
}
