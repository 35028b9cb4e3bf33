package io.sdds.cli.command;

import io.sdds.cli.command.bench.BenchCommand;
import io.sdds.cli.command.cluster.BrickCommand;
import io.sdds.cli.command.cluster.BrickDrainCommand;
import io.sdds.cli.command.cluster.BrickListCommand;
import io.sdds.cli.command.cluster.CoordinatorCommand;
import io.sdds.cli.command.cluster.ServerCommand;
import io.sdds.cli.command.cluster.StatusCommand;
import io.sdds.cli.command.cluster.UpCommand;
import io.sdds.cli.command.record.DeleteCommand;
import io.sdds.cli.command.record.DumpCommand;
import io.sdds.cli.command.record.GetCommand;
import io.sdds.cli.command.record.LoadCommand;
import io.sdds.cli.command.record.PutCommand;
import io.sdds.cli.command.record.RangeCommand;
import io.sdds.cli.command.record.ScanCommand;
import io.sdds.cli.command.record.SqlCommand;
import io.sdds.cli.command.record.UpdateCommand;
import io.sdds.cli.command.table.TableCommand;
import io.sdds.cli.command.trial.ChaosClientCommand;
import io.sdds.cli.command.trial.ChaosCommand;
import io.sdds.cli.command.trial.DemoCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * All commands, in the order of the help. Only the class of the command to run is loaded, because loading all classes
 * would take longer than a short command does.
 */
public final class Commands {
    private static final List<String> OPTIONS_WITH_VALUE = List.of("--connect", "--timeout");

    /** Commands that need the list of all commands. */
    private static final List<String> OF_ALL_COMMANDS = List.of("help", "completion");

    private static final List<String> SERVERS = List.of("coordinator", "brick", "aot-training");

    /** Commands by heading. */
    static final Map<String, List<String>> GROUPS = groups();

    private Commands() {}

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("See SDDS at work", List.of("demo"));
        groups.put("Run a cluster", List.of("up", "coordinator", "brick", "brick-drain"));
        groups.put(
                "Tables and records",
                List.of("table", "put", "get", "update", "delete", "scan", "range", "load", "dump", "sql"));
        groups.put("Inspect and measure a cluster", List.of("status", "brick-list", "bench", "chaos"));
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
            case "update" -> UpdateCommand::new;
            case "delete" -> DeleteCommand::new;
            case "scan" -> ScanCommand::new;
            case "range" -> RangeCommand::new;
            case "load" -> LoadCommand::new;
            case "dump" -> DumpCommand::new;
            case "sql" -> SqlCommand::new;
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

    /**
     * Adds the command that the arguments name. Adds all commands if the arguments name no command, or a command that
     * needs the list of all commands.
     */
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
            case ServerCommand<?> server -> server.addTo(line);
            case Object command -> line.addSubcommand(name, command);
        }
    }

    /** Whether the arguments name a server process, which writes a log. */
    static boolean isServer(String[] args) {
        String name = nameIn(args);
        return name != null
                && SERVERS.contains(name)
                && !List.of(args).contains("--short")
                && !List.of(args).contains("--sql");
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
