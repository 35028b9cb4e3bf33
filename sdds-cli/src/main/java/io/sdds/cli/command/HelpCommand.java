package io.sdds.cli.command;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Screen;
import io.sdds.cli.terminal.Style;
import io.sdds.cli.terminal.TextTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(description = "Print all commands, or the usage of one.")
final class HelpCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Name the command.")
    private List<String> path = List.of();

    HelpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        CommandLine command = spec.root().commandLine();
        if (path.isEmpty()) {
            printAll(command.getSubcommands());
            return CommandFailure.OK;
        }
        for (String name : path) {
            CommandLine next = command.getSubcommands().get(name);
            if (next == null) {
                throw CommandFailure.usage(WrongUsage.noCommand(name, command) + "; see: " + Hint.sdds("help"));
            }
            command = next;
        }
        command.usage(context.screen().out(), command.getColorScheme());
        return CommandFailure.OK;
    }

    private void printAll(Map<String, CommandLine> commands) {
        Screen screen = context.screen();
        PrintStream out = screen.out();
        boolean colour = screen.outIsTerminal() && screen.colour();
        out.println("Scalable distributed data structures: tables in the memory of many machines.");
        out.println();
        out.println("  sdds COMMAND [OPTIONS]");
        Commands.GROUPS.forEach((heading, names) -> {
            out.println();
            out.println(Style.BOLD.on(heading, colour));
            TextTable table = new TextTable(2);
            for (String name : names) {
                CommandLine command = commands.get(name);
                if (command != null) {
                    String[] description =
                            command.getCommandSpec().usageMessage().description();
                    table.row(String.format("  %-12s", name), description.length == 0 ? "" : description[0]);
                }
            }
            table.lines().forEach(out::println);
        });
        out.println();
        out.println("Options of all commands, before or after the command");
        out.println("  --connect H:P[,H:P...]  coordinators or bricks (SDDS_CONNECT, 127.0.0.1:7400)");
        out.println("  --json                  print only one JSON document on stdout");
        out.println("  --timeout 5s            limit the wait for the cluster");
        out.println("  --hex                   read and print keys and values as hexadecimal digits");
        out.println("  --verbose               print errors with their stack trace");
        out.println();
        out.println("Exit codes: 0 success, 1 not found or failed, 2 wrong usage, 3 no answer.");
        out.println("Usage of a command: " + Hint.sdds("help COMMAND") + ". Demo: " + Hint.sdds("demo"));
    }
}
