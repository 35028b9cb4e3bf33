package io.sdds.cli.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * All commands, in the order in which help tells them. Of these classes only the one that is run is loaded: a short
 * command is over before the rest would be.
 */
final class Commands {
    private static final List<String> OPTIONS_WITH_VALUE = List.of("--connect", "--timeout");

    /** Commands that tell about all commands. */
    private static final List<String> OF_ALL_COMMANDS = List.of("help", "completion");

    private static final List<String> SERVERS = List.of("coordinator", "brick", "aot-training");

    /** Commands under their headings. */
    static final Map<String, List<String>> GROUPS = groups();

    private Commands() {}

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("See what it does", List.of("demo"));
        groups.put("Run a cluster", List.of("up", "coordinator", "brick", "brick-drain"));
        groups.put("Tables and records", List.of("table", "put", "get", "delete", "scan", "range", "load", "dump"));
        groups.put("Look at it, measure it", List.of("status", "brick-list", "bench", "chaos"));
        groups.put("Other", List.of("completion", "version", "help"));
        return groups;
    }

    private static @Nullable Function<SddsCommand, Object> maker(String name) {
        return switch (name) {
            case "demo" -> DemoCommand::new;
            case "up" -> UpCommand::new;
            case "coordinator" -> CoordinatorCommand::new;
            case "brick" -> BrickCommand::new;
            case "table" -> TableCommand::new;
            case "put" -> PutCommand::new;
            case "get" -> GetCommand::new;
            case "delete" -> DeleteCommand::new;
            case "scan" -> ScanCommand::new;
            case "range" -> RangeCommand::new;
            case "load" -> LoadCommand::new;
            case "dump" -> DumpCommand::new;
            case "status" -> StatusCommand::new;
            case "brick-list" -> BrickListCommand::new;
            case "brick-drain" -> BrickDrainCommand::new;
            case "version" -> VersionCommand::new;
            case "completion" -> CompletionCommand::new;
            case "help" -> HelpCommand::new;
            case "bench" -> BenchCommand::new;
            case "chaos" -> ChaosCommand::new;
            case "chaos-client" -> ChaosClientCommand::new;
            case "aot-training" -> TrainingCommand::new;
            default -> null;
        };
    }

    /** Adds the command that the arguments name; all commands when they name none, or one that tells about all. */
    static void addTo(CommandLine line, SddsCommand sdds, String[] args) {
        String name = nameIn(args);
        if (name != null && !OF_ALL_COMMANDS.contains(name) && maker(name) != null) {
            add(line, sdds, name);
        } else {
            GROUPS.values()
                    .forEach(names ->
                            names.stream().filter(each -> maker(each) != null).forEach(each -> add(line, sdds, each)));
        }
    }

    private static void add(CommandLine line, SddsCommand sdds, String name) {
        Function<SddsCommand, Object> maker = maker(name);
        if (maker == null) {
            throw new IllegalStateException("no command " + name);
        }
        switch (maker.apply(sdds)) {
            case TableCommand table -> table.addTo(line);
            case BenchCommand bench -> bench.addTo(line);
            case Object command -> line.addSubcommand(name, command);
        }
    }

    /** Whether the arguments name a process that serves, which keeps a log. */
    static boolean isServer(String[] args) {
        String name = nameIn(args);
        return name != null && SERVERS.contains(name) && !List.of(args).contains("--short");
    }

    private static @Nullable String nameIn(String[] args) {
        for (int k = 0; k < args.length; k++) {
            if (OPTIONS_WITH_VALUE.contains(args[k])) {
                k++;
            } else if (!args[k].startsWith("-")) {
                return args[k];
            }
        }
        return null;
    }
}
