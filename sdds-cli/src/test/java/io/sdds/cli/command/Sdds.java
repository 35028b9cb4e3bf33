package io.sdds.cli.command;

import io.sdds.cli.terminal.Screen;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A command that was run in this process. */
record Sdds(int exitCode, String out, String err) {
    static Sdds run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Screen screen = Screen.of(out, err);
        int exitCode = new SddsCommand(screen).run(args);
        screen.out().flush();
        return new Sdds(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
