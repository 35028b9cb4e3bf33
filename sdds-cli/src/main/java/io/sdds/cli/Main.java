package io.sdds.cli;

import io.sdds.cli.command.SddsCommand;
import io.sdds.cli.terminal.Screen;

/** The process of {@code sdds}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Screen screen = Screen.system();
        int exitCode = SddsCommand.run(screen, args);
        screen.out().flush();
        screen.err().flush();
        System.exit(exitCode);
    }
}
