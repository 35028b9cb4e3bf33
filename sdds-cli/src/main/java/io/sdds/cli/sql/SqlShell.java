package io.sdds.cli.sql;

import io.sdds.cli.format.RowCells;
import io.sdds.cli.format.Text;
import io.sdds.cli.terminal.Screen;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** Runs statements from arguments, a script or a terminal. */
public final class SqlShell {
    private static final String NAME = "sdds sql";

    private final SqlConnector connector;
    private final Screen screen;
    private final Settings settings;

    /**
     * How statements run and what is printed.
     *
     * @param json whether results are one JSON document
     * @param csv whether results are CSV
     * @param goesOn whether the statements after a failure run too
     * @param timeout limit of the time of a statement; null for none
     * @param text the notation of bytes
     */
    public record Settings(
            boolean json,
            boolean csv,
            boolean goesOn,
            @Nullable Duration timeout,
            Text text) {}

    public SqlShell(SqlConnector connector, Screen screen, Settings settings) {
        this.connector = connector;
        this.screen = screen;
        this.settings = settings;
    }

    /** Runs the statements of arguments, and returns the exit code. */
    public int run(List<String> arguments) throws SQLException {
        List<SqlStatement> statements = new ArrayList<>();
        arguments.forEach(each -> statements.addAll(StatementScanner.statements(each)));
        if (statements.isEmpty()) {
            throw new IllegalArgumentException("the argument has no statement");
        }
        try (SqlSession session = session(printer(statements.size() > 1, () -> 0))) {
            return new SqlScript(session, screen, NAME, false, settings.goesOn).run(statements);
        }
    }

    /**
     * Runs the statements of a script, and returns the exit code.
     *
     * @param name begins the messages of failures
     */
    public int run(InputStream script, String name) throws SQLException, IOException {
        try (SqlSession session = session(printer(true, () -> 0));
                BufferedReader reader = new BufferedReader(new InputStreamReader(script, StandardCharsets.UTF_8))) {
            return new SqlScript(session, screen, NAME + ": " + name, true, settings.goesOn).run(reader);
        }
    }

    /**
     * Runs what the user types on the terminal, and returns the exit code.
     *
     * @param server what the connection leads to
     * @param history file of the statements that users have typed
     */
    public int prompt(String server, Path history) throws SQLException, IOException {
        try (Terminal terminal = SqlPrompt.terminal();
                SqlSession session = session(printer(true, terminal::getWidth))) {
            return new SqlPrompt(session, screen, server, history).run(terminal);
        }
    }

    private SqlSession session(ResultPrinter printer) throws SQLException {
        return new SqlSession(connector, screen, printer, new RowCells(settings.text), settings.timeout);
    }

    private ResultPrinter printer(boolean isArray, IntSupplier lineWidth) {
        if (settings.json) {
            return new JsonPrinter(screen.out(), isArray);
        }
        return settings.csv || !screen.outIsTerminal()
                ? new LinePrinter(screen.out(), settings.csv)
                : new AlignedPrinter(screen.out(), lineWidth);
    }
}
