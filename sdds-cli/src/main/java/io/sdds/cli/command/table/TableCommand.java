package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(description = "Create, list, describe, analyze, alter and drop tables.")
public final class TableCommand implements Callable<Integer> {
    private final CommandContext sdds;

    public TableCommand(CommandContext sdds) {
        this.sdds = sdds;
    }

    public void addTo(CommandLine line) {
        CommandLine table = new CommandLine(this);
        table.addSubcommand("create", new TableCreateCommand(sdds));
        table.addSubcommand("list", new TableListCommand(sdds));
        table.addSubcommand("describe", new TableDescribeCommand(sdds));
        table.addSubcommand("analyze", new TableAnalyzeCommand(sdds));
        table.addSubcommand("alter", new TableAlterCommand(sdds));
        table.addSubcommand("drop", new TableDropCommand(sdds));
        table.addSubcommand("accept-loss", new TableAcceptLossCommand(sdds));
        line.addSubcommand("table", table);
    }

    @Override
    public Integer call() {
        throw CommandFailure.usage(
                "name an action: create, list, describe, analyze, alter, drop or accept-loss; see: sdds table --help");
    }
}
