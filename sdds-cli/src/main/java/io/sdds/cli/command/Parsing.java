package io.sdds.cli.command;

import io.sdds.cli.config.Quantities;
import io.sdds.cli.format.Format;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Screen;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.Splitting;
import io.sdds.core.model.TableKind;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads arguments by picocli, and runs the command they name. */
final class Parsing {
    private Parsing() {}

    static int run(SddsCommand sdds, String... args) {
        CommandLine line = new CommandLine(sdds);
        Commands.addTo(line, sdds, args);
        Screen screen = sdds.screen();
        line.registerConverter(Duration.class, converter(Quantities::time));
        line.registerConverter(TableKind.class, converter(word -> Words.constant(TableKind.class, word)));
        line.registerConverter(SplitControl.class, converter(word -> Words.constant(SplitControl.class, word)));
        line.registerConverter(Splitting.class, converter(word -> Words.constant(Splitting.class, word)));
        line.registerConverter(Shipping.class, converter(word -> Words.constant(Shipping.class, word)));
        line.registerConverter(Format.class, converter(word -> Words.constant(Format.class, word)));
        line.setExpandAtFiles(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new PrintWriter(screen.out(), true, StandardCharsets.UTF_8));
        line.setColorScheme(
                Help.defaultColorScheme(screen.outIsTerminal() && screen.colour() ? Help.Ansi.ON : Help.Ansi.OFF));
        tellOwnOptionsOnly(line);
        line.setParameterExceptionHandler((failure, wrong) -> onWrongUsage(sdds, failure, Arrays.asList(wrong)));
        line.setExecutionExceptionHandler((failure, command, parsed) -> sdds.onFailure(nameOf(parsed), failure));
        return line.execute(args);
    }

    private interface Parser<T> {
        T parse(String text);
    }

    private static <T> ITypeConverter<T> converter(Parser<T> parser) {
        return text -> {
            try {
                return parser.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }

    // ---- help

    /** The help of a command tells what is its own; what all commands share stands in the help of {@code sdds}. */
    private static void tellOwnOptionsOnly(CommandLine line) {
        for (CommandLine command : line.getSubcommands().values()) {
            UsageMessageSpec usage = command.getCommandSpec().usageMessage();
            usage.abbreviateSynopsis(true);
            usage.sortOptions(false);
            command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, Parsing::ownOptions);
            if (usage.footer().length == 0) {
                usage.footer("", "Options that all commands share: sdds help");
            }
            tellOwnOptionsOnly(command);
        }
    }

    private static String ownOptions(Help help) {
        List<OptionSpec> own = help.commandSpec().options().stream()
                .filter(option -> !option.inherited() && !option.hidden())
                .toList();
        Layout layout = help.createDefaultLayout();
        layout.addOptions(own, help.parameterLabelRenderer());
        return layout.toString();
    }

    // ---- wrong usage

    private static int onWrongUsage(SddsCommand sdds, ParameterException failure, List<String> args) {
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String toSee = command.getParent() == null
                ? Hint.sdds("help")
                : Hint.sdds(name.substring("sdds ".length()) + " --help");
        return sdds.report(
                name,
                whatIsWrong(failure) + "; see: " + toSee,
                CommandFailure.USAGE,
                failure,
                args.contains("--json"),
                args.contains("--verbose"));
    }

    private static String whatIsWrong(ParameterException failure) {
        if (failure instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            String word = unmatched.getUnmatched().get(0);
            boolean hasCommands = !failure.getCommandLine().getSubcommands().isEmpty();
            List<String> similar = unmatched.getSuggestions();
            String meant = similar.isEmpty() ? "" : " (did you mean " + String.join(" or ", similar) + "?)";
            return hasCommands
                    ? "there is no command '" + word + "'" + meant
                    : "'" + word + "' is one argument too many";
        }
        String message =
                String.valueOf(failure.getMessage()).lines().findFirst().orElse("wrong usage");
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private static String nameOf(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.commandSpec().qualifiedName();
    }
}
