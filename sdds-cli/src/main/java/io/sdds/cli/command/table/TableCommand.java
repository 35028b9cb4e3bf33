package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(description = "Create, list, describe, analyze, alter and drop tables.")
public final class TableCommand implements Callable<Integer> {
    private final CommandContext context;

    public TableCommand(CommandContext context) {
        this.context = context;
    }

    public void addTo(CommandLine line) {
        CommandLine table = new CommandLine(this);
        table.addSubcommand("create", new TableCreateCommand(context));
        table.addSubcommand("list", new TableListCommand(context));
        table.addSubcommand("describe", new TableDescribeCommand(context));
        table.addSubcommand("analyze", new TableAnalyzeCommand(context));
        table.addSubcommand("alter", new TableAlterCommand(context));
        table.addSubcommand("drop", new TableDropCommand(context));
        table.addSubcommand("accept-loss", new TableAcceptLossCommand(context));
        line.addSubcommand("table", table);
    }

    @Override
    public Integer call() {
        throw CommandFailure.usage(
                "name an action: create, list, describe, analyze, alter, drop or accept-loss; see: sdds table --help");
    }
}
