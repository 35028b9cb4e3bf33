package io.sdds.cli.sql;

import io.sdds.cli.format.RowCells;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.OutputClosedException;
import io.sdds.cli.terminal.Screen;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs statements on a connection one after the other, and prints their results. */
final class SqlSession implements AutoCloseable {
    private static final int CHECK_EVERY_ROWS = 4_096;
    private static final Pattern EXPLAIN = Pattern.compile("\\s*explain\\b", Pattern.CASE_INSENSITIVE);

    private final SqlConnector connector;
    private final Screen screen;
    private final ResultPrinter printer;
    private final RowCells cells;
    private final int timeoutSeconds;
    private final SqlCommands commands;
    private Connection connection;
    private boolean isTimed;

    private @Nullable Statement running;
    private @Nullable Spinner spinner;
    private boolean isCancelled;

    /**
     * Connects to the database.
     *
     * @param timeout limit of the time of a statement; null for none
     */
    SqlSession(SqlConnector connector, Screen screen, ResultPrinter printer, RowCells cells, @Nullable Duration timeout)
            throws SQLException {
        this.connector = connector;
        this.screen = screen;
        this.printer = printer;
        this.cells = cells;
        this.timeoutSeconds =
                timeout == null ? 0 : (int) Math.min(Integer.MAX_VALUE, (timeout.toMillis() + 999) / 1000);
        this.connection = connector.connect();
        this.commands = new SqlCommands(this, screen.out());
    }

    /** The connection. A connection that the driver has closed is replaced. */
    Connection connection() throws SQLException {
        if (connection.isClosed()) {
            connection = connector.connect();
        }
        return connection;
    }

    ResultPrinter printer() {
        return printer;
    }

    /** Prints the time of each statement from now on, or no longer. */
    void timed(boolean wanted) {
        isTimed = wanted;
    }

    boolean isTimed() {
        return isTimed;
    }

    /** Whether a command has ended the session. */
    boolean isEnded() {
        return commands.isEnded();
    }

    /** Runs a statement or a command of the prompt, and prints its result. */
    void run(SqlStatement statement) throws SQLException {
        if (statement.isCommand()) {
            commands.run(statement.text());
        } else {
            execute(statement.text());
        }
    }

    private void execute(String sql) throws SQLException {
        long beganNanos = System.nanoTime();
        String outcome;
        try (Statement statement = connection().createStatement();
                Spinner waiting = new Spinner(screen)) {
            begin(statement, waiting);
            if (timeoutSeconds > 0) {
                statement.setQueryTimeout(timeoutSeconds);
            }
            outcome = statement.execute(sql) ? print(statement, sql, waiting) : updated(statement.getUpdateCount());
            waiting.close();
            printWarnings(statement.getWarnings());
        } finally {
            end();
        }
        screen.out().flush();
        if (screen.errIsTerminal() || isTimed) {
            String time = isTimed ? " (" + Numbers.duration(System.nanoTime() - beganNanos) + ")" : "";
            screen.err().println(outcome + time);
        }
    }

    private String updated(long rows) {
        printer.updated(Math.max(0, rows));
        return rows <= 0 ? "done" : Numbers.plural(rows, "row") + " changed";
    }

    private String print(Statement statement, String sql, Spinner waiting) throws SQLException {
        long count = 0;
        try (ResultSet rows = statement.getResultSet()) {
            if (EXPLAIN.matcher(sql).lookingAt() && printer.showsPlansAsLines()) {
                return printPlan(rows, waiting);
            }
            ResultCells current = new ResultCells(cells, rows);
            printer.begin(current);
            try {
                while (rows.next()) {
                    if (screen.outIsTerminal() && count == printer.keptRows()) {
                        waiting.close();
                    }
                    printer.row(current);
                    waiting.rows(++count);
                    if (count % CHECK_EVERY_ROWS == 0) {
                        OutputClosedException.check(screen.out());
                    }
                }
            } finally {
                waiting.close();
                printer.end(count);
            }
        }
        String cut =
                printer instanceof AlignedPrinter aligned && aligned.wasCut() ? "; \\x prints long cells whole" : "";
        return Numbers.plural(count, "row") + cut;
    }

    private String printPlan(ResultSet rows, Spinner waiting) throws SQLException {
        waiting.close();
        while (rows.next()) {
            String plan = Objects.requireNonNullElse(rows.getString(1), "");
            plan.stripTrailing().lines().forEach(line -> screen.out().print(line + "\n"));
        }
        return "planned";
    }

    private void printWarnings(@Nullable SQLWarning first) {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            screen.err().println("warning: " + warning.getMessage());
        }
    }

    private synchronized void begin(Statement statement, Spinner waiting) {
        running = statement;
        spinner = waiting;
        isCancelled = false;
    }

    private synchronized void end() {
        running = null;
        spinner = null;
    }

    /** Cancels the statement that runs, from any thread. Returns false if no statement runs. */
    boolean cancel() {
        Statement cancelled;
        synchronized (this) {
            cancelled = running;
            isCancelled = cancelled != null;
            if (spinner != null) {
                spinner.cancelled();
            }
        }
        if (cancelled == null) {
            return false;
        }
        try {
            cancelled.cancel();
        } catch (SQLException e) {
            screen.err().println("cannot cancel: " + SqlFailure.of(e).line());
        }
        return true;
    }

    /** Whether the user has cancelled the last statement. */
    synchronized boolean wasCancelled() {
        return isCancelled;
    }

    @Override
    public void close() throws SQLException {
        printer.close();
        screen.out().flush();
        connection.close();
    }
}
