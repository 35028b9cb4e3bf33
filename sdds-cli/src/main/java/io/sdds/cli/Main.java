package io.sdds.cli;

import io.sdds.cli.command.SddsCommand;
import io.sdds.cli.process.JvmSettings;
import io.sdds.cli.terminal.Screen;

/** Main class of {@code sdds}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        JvmSettings.ofNetty();
        Screen screen = Screen.system();
        SddsCommand sdds = new SddsCommand(screen);
        int exitCode = sdds.run(args);
        screen.out().flush();
        screen.err().flush();
        if (sdds.leavesNothing()) {
            // An orderly exit would take a large part of the time of a short command.
            Runtime.getRuntime().halt(exitCode);
        }
        System.exit(exitCode);
    }
}
