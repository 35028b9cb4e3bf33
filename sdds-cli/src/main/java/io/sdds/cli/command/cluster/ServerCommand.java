package io.sdds.cli.command.cluster;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.config.ConfigFile;
import io.sdds.cli.config.RecordOptions;
import io.sdds.cli.process.Health;
import io.sdds.cli.process.Stop;
import io.sdds.core.node.Readiness;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * A command that runs a coordinator or a brick in the foreground. Its options are the settings of its configuration
 * file.
 *
 * @param <O> type of the settings
 */
public abstract class ServerCommand<O extends Record> implements Callable<Integer> {
    final CommandContext context;
    private final String role;
    private final RecordOptions<O> options;

    /** Flags that were set without the parser; null: the parser has them. */
    private @Nullable O taken;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Read settings from a YAML file, as those in conf. Flags override settings.")
    private @Nullable Path config;

    @Option(names = "--attached", hidden = true, description = "End when standard input ends.")
    private boolean attached;

    ServerCommand(CommandContext context, String role, RecordOptions<O> options) {
        this.context = context;
        this.role = role;
        this.options = options;
    }

    /** Adds the command to the parser. */
    public void addTo(CommandLine line) {
        CommandLine command = new CommandLine(this);
        options.addTo(command.getCommandSpec());
        line.addSubcommand(role, command);
    }

    /** Takes flags as {@code sdds up} passes them. Returns false if there are others, for the parser. */
    boolean take(Map<String, String> given, List<String> known) {
        Map<String, String> flags = new LinkedHashMap<>(given);
        attached = flags.remove("--attached") != null;
        try {
            taken = known.containsAll(flags.keySet()) ? options.parsed(flags) : null;
        } catch (IllegalArgumentException e) {
            taken = null;
        }
        return taken != null;
    }

    boolean isAttached() {
        return attached;
    }

    /** The settings of the flags. */
    private O flags() {
        return taken == null ? options.settings(Map.of()) : taken;
    }

    /** The settings of the flags, then of the file, then the defaults. */
    O settings(O defaults) {
        O flags = flags();
        @SuppressWarnings("unchecked")
        Class<O> type = (Class<O>) flags.getClass();
        O said = config == null ? flags : RecordOptions.merged(flags, ConfigFile.read(config, type));
        return RecordOptions.merged(said, defaults);
    }

    /**
     * The configuration of the process.
     *
     * @throws IllegalArgumentException if a setting is wrong; the message names file and line, or the flag
     */
    <C> C checked(O settings, Function<O, C> configuration) {
        try {
            return configuration.apply(settings);
        } catch (IllegalArgumentException e) {
            throw ConfigFile.located(config, flags(), e);
        }
    }

    /** Stops on a signal, and at the end of the input if another process has started this one. */
    Stop stop() {
        Stop stop = Stop.onSignal();
        if (attached) {
            stop.onEndOfInput();
        }
        return stop;
    }

    /** Answers questions about the health of a process, which may not have started yet; null if the port is 0. */
    static <P> @Nullable Health health(
            String host,
            int port,
            CompletableFuture<P> started,
            Function<P, Readiness> live,
            Function<P, Readiness> ready)
            throws IOException {
        return port == 0
                ? null
                : Health.serve(
                        host,
                        port,
                        () -> started.isDone() ? live.apply(started.join()) : new Readiness(true, "starting"),
                        () -> started.isDone() ? ready.apply(started.join()) : Readiness.no("starting"));
    }

    /**
     * Says that the process is ready.
     *
     * @param more further entries of the document
     * @param rest of the line
     */
    void announce(String id, String address, Map<String, ?> more, String rest) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("ready", true);
        document.put(role, id);
        document.put("address", address);
        document.putAll(more);
        context.result("ready: " + role + " " + id + " at " + address + rest, document);
        context.screen().out().flush();
    }
}
