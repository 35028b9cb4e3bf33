package io.sdds.cli.command;

import io.sdds.cli.command.cluster.BrickCommand;
import io.sdds.cli.command.cluster.BrickListCommand;
import io.sdds.cli.command.cluster.CoordinatorCommand;
import io.sdds.cli.command.cluster.StatusCommand;
import io.sdds.cli.command.cluster.UpCommand;
import io.sdds.cli.command.record.DeleteCommand;
import io.sdds.cli.command.record.GetCommand;
import io.sdds.cli.command.record.PutCommand;
import io.sdds.cli.command.record.SqlCommand;
import io.sdds.cli.config.Quantities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Parses simple command lines without picocli, because loading picocli takes as long as everything else that
 * {@code sdds get} does. Knows short commands, {@code sdds up} and the processes that {@code sdds up} starts. Leaves
 * every other command line to picocli, errors and help included. Both parsers give the same arguments the same meaning.
 */
final class Shortcut {
    private static final List<String> SERVERS = List.of("up", "brick", "coordinator");

    private final List<String> words = new ArrayList<>();
    private final Map<String, String> serverOptions = new LinkedHashMap<>();
    private @Nullable String connect;
    private @Nullable Duration timeout;
    private boolean json;
    private boolean hex;
    private boolean verbose;

    private Shortcut() {}

    /**
     * A command whose shared options are set.
     *
     * @param isShort whether the command leaves no thread and no file behind
     */
    record Found(String name, Callable<Integer> command, boolean isShort) {}

    /** Returns the command that the arguments name; null, without any effect, if picocli must parse the arguments. */
    static @Nullable Found find(SddsCommand sdds, String... args) {
        Shortcut shortcut = new Shortcut();
        for (int at = 0; at < args.length; ) {
            int taken = shortcut.take(args, at);
            if (taken == 0) {
                return null;
            }
            at += taken;
        }
        Callable<Integer> command = shortcut.command(sdds);
        boolean isServer = command != null && SERVERS.contains(shortcut.words.get(0));
        if (command == null || !isServer && !shortcut.serverOptions.isEmpty()) {
            return null;
        }
        sdds.share(shortcut.connect, shortcut.timeout, shortcut.json, shortcut.hex, shortcut.verbose);
        String name = shortcut.words.get(0);
        // The database at the client removes its library's file when the process exits in order.
        boolean isShort = !isServer && !name.equals("sql");
        return new Found(name, command, isShort);
    }

    private @Nullable Callable<Integer> command(SddsCommand sdds) {
        String name = words.isEmpty() ? "" : words.get(0);
        return switch (name + " " + words.size()) {
            case "get 3" -> new GetCommand(sdds, words.get(1), words.get(2));
            case "put 4" -> new PutCommand(sdds, words.get(1), words.get(2), words.get(3));
            case "delete 3" -> new DeleteCommand(sdds, words.get(1), words.get(2));
            case "sql 2" -> SqlCommand.of(sdds, words.get(1));
            case "status 1" -> new StatusCommand(sdds);
            case "brick-list 1" -> new BrickListCommand(sdds);
            case "brick 1" -> BrickCommand.of(sdds, serverOptions);
            case "up 1" -> UpCommand.of(sdds, serverOptions);
            case "coordinator 1" -> CoordinatorCommand.of(sdds, serverOptions);
            default -> null;
        };
    }

    /** Reads a word or a shared option. Returns the number of arguments read; 0 for another option. */
    private int take(String[] args, int at) {
        String arg = args[at];
        if (!arg.startsWith("-")) {
            words.add(arg);
            return 1;
        }
        switch (arg) {
            case "--json" -> json = true;
            case "--hex" -> hex = true;
            case "--verbose" -> verbose = true;
            case "--attached", "--respawn" -> serverOptions.put(arg, "");
            default -> {
                int equals = arg.indexOf('=');
                if (equals > 0) {
                    return takeValue(arg.substring(0, equals), arg.substring(equals + 1)) ? 1 : 0;
                }
                return at + 1 < args.length && takeValue(arg, args[at + 1]) ? 2 : 0;
            }
        }
        return 1;
    }

    private boolean takeValue(String option, String value) {
        if (option.equals("--connect") && !value.startsWith("-")) {
            connect = value;
            return true;
        }
        if (option.equals("--timeout")) {
            try {
                timeout = Quantities.time(value);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
        boolean ofServer = words.size() == 1 && SERVERS.contains(words.get(0)) && !value.startsWith("-");
        return ofServer && serverOptions.put(option, value) == null;
    }
}
