package io.sdds.cli.sql;

import io.sdds.cli.terminal.Screen;
import io.sdds.cli.terminal.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jspecify.annotations.Nullable;

/** The prompt: reads statements from a terminal until the user leaves. */
final class SqlPrompt {
    private static final String PROMPT = "sdds> ";
    private static final String NEXT_LINE_PROMPT = "   -> ";
    private static final int HISTORY_ENTRIES = 2_000;
    private static final int INTERRUPTED = 130;

    private final SqlSession session;
    private final Screen screen;
    private final String server;
    private final @Nullable Path history;

    /**
     * @param server what the session is connected to
     * @param history file of the statements that users have typed; null to keep none
     */
    SqlPrompt(SqlSession session, Screen screen, String server, @Nullable Path history) {
        this.session = session;
        this.screen = screen;
        this.server = server;
        this.history = history;
    }

    /** The terminal of this process. */
    static Terminal terminal() throws IOException {
        return TerminalBuilder.builder()
                .system(true)
                .systemOutput(SystemOutput.SysOutOrSysErr)
                .nativeSignals(true)
                .signalHandler(Terminal.SignalHandler.SIG_IGN)
                .build();
    }

    /** Runs what the user types. Returns the exit code. */
    int run(Terminal terminal) throws IOException {
        SqlCompleter completer = new SqlCompleter(session);
        LineReader reader = reader(terminal, completer);
        terminal.handle(Signal.INT, signal -> interrupt());
        session.timed(true);
        screen.err().println("connected to " + server + "; \\? for help, \\q or Ctrl-D to leave");
        try {
            while (!session.isEnded()) {
                read(reader);
                completer.forget();
            }
        } catch (EndOfFileException e) {
            // Ctrl-D leaves.
        } finally {
            save(reader);
        }
        return 0;
    }

    private void read(LineReader reader) {
        String typed;
        try {
            typed = reader.readLine(Style.BOLD.on(PROMPT, screen.colour()));
        } catch (UserInterruptException e) {
            return;
        }
        for (SqlStatement statement : StatementScanner.statements(typed)) {
            if (session.isEnded() || !run(statement)) {
                return;
            }
        }
    }

    private boolean run(SqlStatement statement) {
        try {
            session.run(statement);
            return true;
        } catch (SQLException e) {
            screen.out().flush();
            SqlFailure failure = SqlFailure.of(e);
            boolean wasCancelled = session.wasCancelled();
            String line = wasCancelled ? "cancelled" : failure.line() + " (" + failure.state() + ")";
            screen.err().println(Style.RED.on(wasCancelled ? line : "error: " + line, screen.colour()));
            if (!wasCancelled) {
                failure.excerpt(statement.text(), 0).forEach(screen.err()::println);
            }
            return false;
        } finally {
            screen.out().flush();
        }
    }

    /** The first Ctrl-C cancels the statement. The second one ends the process, in case the statement goes on. */
    private void interrupt() {
        if (session.wasCancelled()) {
            Runtime.getRuntime().halt(INTERRUPTED);
        }
        session.cancel();
    }

    // ---- the line editor

    private LineReader reader(Terminal terminal, SqlCompleter completer) {
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .appName("sdds")
                .terminal(terminal)
                .parser(new SqlWords())
                .completer(completer)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, NEXT_LINE_PROMPT)
                .variable(LineReader.HISTORY_SIZE, HISTORY_ENTRIES)
                .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_ENTRIES);
        if (history != null && isPrivate(history)) {
            builder.variable(LineReader.HISTORY_FILE, history);
        }
        return builder.build();
    }

    /** Creates the file for its owner alone, because statements have data in them. */
    private static boolean isPrivate(Path file) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            if (!Files.exists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            return Files.isWritable(file);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private void save(LineReader reader) {
        try {
            reader.getHistory().save();
        } catch (IOException e) {
            screen.err().println("cannot write the history to " + history + ": " + e.getMessage());
        }
    }
}
