package io.sdds.cli.command;

import io.sdds.cli.terminal.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A command that was run in this process. */
public record Sdds(int exitCode, byte[] bytes, String err) {
    public static Sdds run(String... args) {
        return run(new byte[0], false, args);
    }

    /** The same with bytes on standard input. */
    public static Sdds fed(byte[] in, String... args) {
        return run(in, false, args);
    }

    /** The same for a person at a terminal, who types. */
    public static Sdds typed(String in, String... args) {
        return run(in.getBytes(StandardCharsets.UTF_8), true, args);
    }

    private static Sdds run(byte[] in, boolean isTerminal, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = run(Screen.of(out, err, new ByteArrayInputStream(in), isTerminal), args);
        return new Sdds(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** A command whose standard output nobody reads any more. */
    public static Sdds withoutReader(String... args) {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = run(Screen.of(closed, err), args);
        return new Sdds(exitCode, new byte[0], err.toString(StandardCharsets.UTF_8));
    }

    private static int run(Screen screen, String... args) {
        int exitCode = new SddsCommand(screen).run(args);
        screen.out().flush();
        return exitCode;
    }

    /** What it printed on standard output. */
    public String out() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
