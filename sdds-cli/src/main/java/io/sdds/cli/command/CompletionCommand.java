package io.sdds.cli.command;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Print a script for the completion of commands in a shell.",
        footer = {
            "",
            "Run this line in a shell, or put it into ~/.bashrc or ~/.zshrc:",
            "  source <(sdds completion bash)",
        })
final class CompletionCommand implements Callable<Integer> {
    private static final String CHOICES = "[a-z+]+(\\|[a-z+]+)+";
    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final CommandContext context;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "bash|zsh", description = "Name the shell. Both shells use the same script.")
    private String shell = "";

    CompletionCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (!SHELLS.contains(shell)) {
            throw CommandFailure.usage("'" + shell + "' is not " + String.join(" or ", SHELLS));
        }
        CommandLine line = spec.root().commandLine();
        nameChoices(line);
        context.screen().out().print(AutoComplete.bash("sdds", line));
        return CommandFailure.OK;
    }

    /** Returns the values that a label such as {@code hash|range} lists. */
    private static void nameChoices(CommandLine line) {
        CommandSpec command = line.getCommandSpec();
        for (OptionSpec option : List.copyOf(command.options())) {
            if (hasChoices(option)) {
                command.remove(option);
                command.addOption(OptionSpec.builder(option)
                        .completionCandidates(choices(option))
                        .build());
            }
        }
        for (PositionalParamSpec word : List.copyOf(command.positionalParameters())) {
            if (hasChoices(word)) {
                command.remove(word);
                command.addPositional(PositionalParamSpec.builder(word)
                        .completionCandidates(choices(word))
                        .build());
            }
        }
        line.getSubcommands().values().forEach(CompletionCommand::nameChoices);
    }

    private static boolean hasChoices(ArgSpec argument) {
        return argument.paramLabel().matches(CHOICES);
    }

    private static List<String> choices(ArgSpec argument) {
        return List.of(argument.paramLabel().split("\\|"));
    }
}
