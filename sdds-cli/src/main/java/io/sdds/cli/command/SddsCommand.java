package io.sdds.cli.command;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.terminal.Screen;
import io.sdds.cli.terminal.Silence;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code sdds}: finds the command that the arguments name, and runs it. */
@Command(
        name = "sdds",
        description = "Scalable distributed data structures: hash tables in the memory of many machines.")
public final class SddsCommand extends CommandContext implements Callable<Integer> {
    @Option(names = "--version", description = "Print the version.")
    private boolean version;

    private boolean leavesNothing;

    public SddsCommand(Screen screen) {
        super(screen);
    }

    /** Runs the command that the arguments name, and returns the exit code. */
    public int run(String... args) {
        if (!Commands.isServer(args) && !Arrays.asList(args).contains("--verbose")) {
            Silence.keep();
        }
        Shortcut.Found shortcut = Shortcut.find(this, args);
        if (shortcut == null) {
            return Parsing.run(this, args);
        }
        leavesNothing = shortcut.isShort();
        return run(shortcut.name(), shortcut.command());
    }

    /** Whether the command has left no thread and no file behind, so that the process may halt at once. */
    public boolean leavesNothing() {
        return leavesNothing;
    }

    /** Runs a command and reports its failure. */
    private int run(String name, Callable<Integer> command) {
        try {
            return command.call();
        } catch (Exception e) {
            return onFailure("sdds " + name, e);
        }
    }

    /** Runs without a command: prints the version if --version is set, else the list of commands. */
    @Override
    public Integer call() {
        return version ? new VersionCommand(this).call() : run("help");
    }
}
