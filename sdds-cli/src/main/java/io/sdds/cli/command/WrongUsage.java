package io.sdds.cli.command;

import io.sdds.cli.terminal.Hint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes wrong arguments in one line. */
final class WrongUsage {
    private static final String END_OF_OPTIONS = "--";

    private final ParameterException failure;
    private final CommandSpec command;
    private final List<String> args;

    /** @param args all arguments of {@code sdds} */
    WrongUsage(ParameterException failure, List<String> args) {
        this.failure = failure;
        this.command = failure.getCommandLine().getCommandSpec();
        this.args = args;
    }

    /** The command whose arguments are wrong. */
    String name() {
        return command.qualifiedName();
    }

    String line() {
        return problem() + "; see: " + help();
    }

    private String help() {
        return command.parent() == null
                ? Hint.sdds("help")
                : Hint.sdds(name().substring(command.root().name().length() + 1) + " --help");
    }

    private String problem() {
        String word = firstWord();
        if (word != null
                && !command.subcommands().isEmpty()
                && !command.subcommands().containsKey(word)) {
            return noCommand(word, command.commandLine());
        }
        String option = unknownOption();
        if (option != null) {
            return "there is no option '" + option + "'"
                    + Similar.hint(option, command.optionsMap().keySet()) + hintAtEndOfOptions(option);
        }
        if (failure instanceof UnmatchedArgumentException unmatched) {
            return "'" + unmatched.getUnmatched().get(0) + "' is an argument too many";
        }
        String message =
                String.valueOf(failure.getMessage()).lines().findFirst().orElse("wrong usage");
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    /** {@code there is no command 'stauts' (did you mean status?)} */
    static String noCommand(String word, CommandLine parent) {
        return "there is no command '" + word + "'"
                + Similar.hint(word, parent.getSubcommands().keySet());
    }

    /**
     * The first argument of the command that is neither an option nor the value of an option; null if there is none.
     */
    private @Nullable String firstWord() {
        return ownArguments().stream()
                .filter(arg -> !arg.startsWith("-") && !isValueOfOption(arg))
                .findFirst()
                .orElse(null);
    }

    /** The first argument of the command that looks like an option but is unknown; null if there is none. */
    private @Nullable String unknownOption() {
        for (String arg : ownArguments()) {
            if (arg.equals(END_OF_OPTIONS)) {
                return null;
            }
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            if (name.startsWith("-")
                    && name.length() > 1
                    && !command.optionsMap().containsKey(name)) {
                return isValueOfOption(arg) ? null : name;
            }
        }
        return null;
    }

    /** The arguments after the name of the command. */
    private List<String> ownArguments() {
        List<String> own = new ArrayList<>(args);
        Deque<String> path = new ArrayDeque<>();
        for (CommandSpec each = command; each.parent() != null; each = each.parent()) {
            path.addFirst(each.name());
        }
        for (String word : path) {
            own.subList(0, own.indexOf(word) + 1).clear();
        }
        return own;
    }

    /** Whether the argument is the value of an option. */
    private boolean isValueOfOption(String arg) {
        int at = args.indexOf(arg);
        OptionSpec option = at > 0 ? command.optionsMap().get(args.get(at - 1)) : null;
        return option != null && option.arity().max() > 0;
    }

    /** Explains {@code --} if the command takes keys or values, which may begin with a hyphen. */
    private String hintAtEndOfOptions(String option) {
        boolean takesWords = command.positionalParameters().stream()
                .anyMatch(each -> List.of("KEY", "VALUE", "FROM", "FILE").contains(each.paramLabel()));
        return takesWords && (!option.startsWith(END_OF_OPTIONS) || isNotNear(option))
                ? "; put -- before arguments that begin with a hyphen: " + name() + " -- ..."
                : "";
    }

    private boolean isNotNear(String option) {
        return Similar.to(option, command.optionsMap().keySet()).isEmpty();
    }
}
