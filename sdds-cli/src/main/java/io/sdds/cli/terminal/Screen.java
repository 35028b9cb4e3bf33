package io.sdds.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Standard streams of a command, in UTF-8 with every locale. Results go to {@code out}, which is flushed when the
 * command ends. Notices, progress and errors go to {@code err}.
 *
 * @param outIsTerminal whether {@code out} is a terminal
 * @param errIsTerminal whether {@code err} is a terminal
 * @param colour whether escape sequences for colours may be used on a terminal
 * @param in standard input
 * @param inIsTerminal whether {@code in} is a terminal
 */
public record Screen(
        PrintStream out,
        PrintStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        boolean colour,
        InputStream in,
        boolean inIsTerminal) {
    /**
     * Property of the launcher that lists the descriptors that are terminals: some of the digits {@code 012}, or none.
     */
    private static final String TERMINALS = "sdds.terminals";

    private static final int OUT_BUFFER_BYTES = 64 << 10;

    /** The streams of this process. */
    public static Screen system() {
        String terminals = System.getProperty(TERMINALS);
        boolean both = terminals == null && isInteractive(System.console());
        return new Screen(
                stream(FileDescriptor.out, OUT_BUFFER_BYTES, false),
                stream(FileDescriptor.err, 1024, true),
                both || terminals != null && terminals.contains("1"),
                both || terminals != null && terminals.contains("2"),
                System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM")),
                System.in,
                both || terminals != null && terminals.contains("0"));
    }

    private static boolean isInteractive(@Nullable Console console) {
        return console != null && console.isTerminal();
    }

    /** Creates a screen without terminals and without input. */
    public static Screen of(OutputStream out, OutputStream err) {
        return of(out, err, InputStream.nullInputStream(), false);
    }

    /**
     * Creates a screen without colours.
     *
     * @param isTerminal whether {@code err} and {@code in} are terminals
     */
    public static Screen of(OutputStream out, OutputStream err, InputStream in, boolean isTerminal) {
        return new Screen(
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                isTerminal,
                false,
                in,
                isTerminal);
    }

    private static PrintStream stream(FileDescriptor descriptor, int bufferBytes, boolean autoFlush) {
        OutputStream bytes = new java.io.BufferedOutputStream(new FileOutputStream(descriptor), bufferBytes);
        return new PrintStream(bytes, autoFlush, StandardCharsets.UTF_8);
    }
}
