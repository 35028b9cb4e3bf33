package io.sdds.cli.command;

import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Converters;
import io.sdds.cli.config.EnumNames;
import io.sdds.cli.config.Quantities;
import io.sdds.cli.format.Format;
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
import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Parses the arguments with picocli, and runs the command that the arguments name. */
final class Parsing {
    private Parsing() {}

    static int run(SddsCommand sdds, String... args) {
        CommandLine line = new CommandLine(sdds);
        Commands.addTo(line, sdds, args);
        Screen screen = sdds.screen();
        line.registerConverter(Duration.class, Converters.of(Quantities::time));
        line.registerConverter(TableKind.class, Converters.of(word -> EnumNames.constant(TableKind.class, word)));
        line.registerConverter(SplitControl.class, Converters.of(word -> EnumNames.constant(SplitControl.class, word)));
        line.registerConverter(Splitting.class, Converters.of(word -> EnumNames.constant(Splitting.class, word)));
        line.registerConverter(Shipping.class, Converters.of(word -> EnumNames.constant(Shipping.class, word)));
        line.registerConverter(Format.class, Converters.of(word -> EnumNames.constant(Format.class, word)));
        line.registerConverter(Level.class, Converters.of(word -> EnumNames.constant(Level.class, word)));
        line.registerConverter(int.class, Converters.of(Parsing::integer));
        line.registerConverter(Integer.class, Converters.of(Parsing::integer));
        line.registerConverter(long.class, Converters.of(Parsing::number));
        line.registerConverter(Long.class, Converters.of(Parsing::number));
        line.registerConverter(Double.class, Converters.of(Parsing::decimal));
        line.setExpandAtFiles(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new PrintWriter(screen.out(), true, StandardCharsets.UTF_8));
        line.setColorScheme(
                Help.defaultColorScheme(screen.outIsTerminal() && screen.colour() ? Help.Ansi.ON : Help.Ansi.OFF));
        HelpText.arrange(line);
        line.setParameterExceptionHandler((failure, wrong) -> onWrongUsage(sdds, failure, Arrays.asList(wrong)));
        line.setExecutionExceptionHandler((failure, command, parsed) -> sdds.onFailure(nameOf(parsed), failure));
        return line.execute(args);
    }

    private static int integer(String text) {
        long number = number(text);
        if (number != (int) number) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number up to " + Integer.MAX_VALUE);
        }
        return (int) number;
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
        }
    }

    private static double decimal(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number", e);
        }
    }

    // ---- wrong usage

    private static int onWrongUsage(SddsCommand sdds, ParameterException failure, List<String> args) {
        WrongUsage wrong = new WrongUsage(failure, args);
        return sdds.report(
                wrong.name(),
                wrong.line(),
                CommandFailure.USAGE,
                failure,
                args.contains("--json"),
                args.contains("--verbose"));
    }

    private static String nameOf(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.commandSpec().qualifiedName();
    }
}
