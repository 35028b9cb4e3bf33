package io.sdds.cli.command;

import io.sdds.cli.terminal.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A command that was run in this process. */
record Sdds(int exitCode, byte[] bytes, String err) {
    static Sdds run(String... args) {
        return run(new byte[0], false, args);
    }

    /** The same with bytes on standard input. */
    static Sdds fed(byte[] in, String... args) {
        return run(in, false, args);
    }

    /** The same for a person at a terminal, who types. */
    static Sdds typed(String in, String... args) {
        return run(in.getBytes(StandardCharsets.UTF_8), true, args);
    }

    private static Sdds run(byte[] in, boolean isTerminal, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Screen screen = Screen.of(out, err, new ByteArrayInputStream(in), isTerminal);
        int exitCode = new SddsCommand(screen).run(args);
        screen.out().flush();
        return new Sdds(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** What it printed on standard output. */
    String out() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
