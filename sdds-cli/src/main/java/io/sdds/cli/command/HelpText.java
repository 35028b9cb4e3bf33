package io.sdds.cli.command;

import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help of a command: first the options of the command, then the shared options. */
final class HelpText {
    private static final String COMMON = "Options of all commands:";

    private HelpText() {}

    static void arrange(CommandLine line) {
        for (CommandLine command : line.getSubcommands().values()) {
            UsageMessageSpec usage = command.getCommandSpec().usageMessage();
            usage.abbreviateSynopsis(true);
            usage.sortOptions(false);
            command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpText::options);
            arrange(command);
        }
    }

    private static String options(Help help) {
        return list(help, option -> !option.inherited())
                + System.lineSeparator()
                + COMMON
                + System.lineSeparator()
                + list(help, OptionSpec::inherited);
    }

    private static String list(Help help, Predicate<OptionSpec> which) {
        List<OptionSpec> options = help.commandSpec().options().stream()
                .filter(which)
                .filter(option -> !option.hidden())
                .toList();
        Layout layout = help.createDefaultLayout();
        layout.addOptions(options, help.parameterLabelRenderer());
        return layout.toString();
    }
}
