package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Numbers;
import io.sdds.client.TableInfo;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "drop", description = "Drop a table with all its records.")
final class TableDropCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    @Mixin
    private ConfirmationPrompt confirmation = new ConfirmationPrompt();

    TableDropCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (confirmation.isAsked(context)) {
            confirmation.require(context, question(), "table " + name + " was not dropped");
        }
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            client.await(connected -> connected.dropTableAsync(name));
        }
        context.result("dropped table " + name, Map.of("dropped", name));
        return CommandFailure.OK;
    }

    private String question() {
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            TableInfo table = TableText.named(name, client.await(connected -> connected.statusAsync(false)));
            return "Drop table " + name + " with its " + Numbers.plural(table.records(), "record") + "?";
        }
    }
}
