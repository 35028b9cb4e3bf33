package io.sdds.cli.command;

import io.sdds.cli.config.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The way of short commands past the parser: loading picocli takes as long as all else that {@code sdds get} does. Takes what is right and simple; whatever
 * it does not know, errors and help included, is left to the parser, which means the same by the same words.
 *
 * @param name of the command
 */
record Shortcut(String name, Callable<Integer> command) {

    /** The command that the arguments name; null when the parser has to look at them. */
    static @Nullable Shortcut of(SddsCommand sdds, String... args) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < args.length) {
            int taken = args[at].startsWith("-") ? option(sdds, args, at) : 0;
            if (taken < 0) {
                return null;
            }
            if (taken == 0) {
                words.add(args[at]);
            }
            at += Math.max(1, taken);
        }
        return of(sdds, words);
    }

    private static @Nullable Shortcut of(SddsCommand sdds, List<String> words) {
        String name = words.isEmpty() ? "" : words.get(0);
        Callable<Integer> command =
                switch (name + " " + words.size()) {
                    case "get 3" -> new GetCommand(sdds, words.get(1), words.get(2));
                    case "put 4" -> new PutCommand(sdds, words.get(1), words.get(2), words.get(3));
                    case "delete 3" -> new DeleteCommand(sdds, words.get(1), words.get(2));
                    case "status 1" -> new StatusCommand(sdds);
                    case "brick-list 1" -> new BrickListCommand(sdds);
                    default -> null;
                };
        return command == null ? null : new Shortcut(name, command);
    }

    /** Takes an option that all commands share; how many arguments that were, -1 when it is another one or wrong. */
    private static int option(SddsCommand sdds, String[] args, int at) {
        String option = args[at];
        switch (option) {
            case "--json" -> sdds.json(true);
            case "--hex" -> sdds.hex(true);
            case "--verbose" -> sdds.verbose(true);
            default -> {
                int equals = option.indexOf('=');
                if (equals > 0) {
                    return valued(sdds, option.substring(0, equals), option.substring(equals + 1)) ? 1 : -1;
                }
                return at + 1 < args.length && valued(sdds, option, args[at + 1]) ? 2 : -1;
            }
        }
        return 1;
    }

    private static boolean valued(SddsCommand sdds, String option, String value) {
        try {
            switch (option) {
                case "--connect" -> sdds.connect(value);
                case "--timeout" -> sdds.timeout(Quantities.time(value));
                default -> {
                    return false;
                }
            }
            return !value.startsWith("-");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
