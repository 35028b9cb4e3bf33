package io.sdds.cli.sql;

import io.sdds.cli.terminal.Screen;
import io.sdds.cli.terminal.Style;
import java.io.BufferedReader;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Runs the statements of a text. The first failure ends the run, unless the user wants to go on. */
final class SqlScript {
    private static final int OK = 0;

    private final SqlSession session;
    private final Screen screen;
    private final String name;
    private final boolean hasLines;
    private final boolean goesOn;
    private int exitCode = OK;
    private boolean isEnded;

    /**
     * @param name begins the messages of failures
     * @param hasLines whether the name is a file, so that messages have line numbers
     * @param goesOn whether the statements after a failure run too
     */
    SqlScript(SqlSession session, Screen screen, String name, boolean hasLines, boolean goesOn) {
        this.session = session;
        this.screen = screen;
        this.name = name;
        this.hasLines = hasLines;
        this.goesOn = goesOn;
    }

    /** Runs statements, and returns the exit code. */
    int run(List<SqlStatement> statements) {
        statements.forEach(this::step);
        return exitCode;
    }

    /** Runs the statements of a script line by line, so that a pipe may feed it. Returns the exit code. */
    int run(BufferedReader script) throws IOException {
        StatementScanner scanner = new StatementScanner();
        for (String line = script.readLine(); line != null && !isEnded; line = script.readLine()) {
            scanner.line(line).forEach(this::step);
        }
        scanner.end().forEach(this::step);
        return exitCode;
    }

    private void step(SqlStatement statement) {
        if (isEnded) {
            return;
        }
        try {
            session.run(statement);
            isEnded = session.isEnded();
        } catch (SQLException e) {
            SqlFailure failure = SqlFailure.of(e);
            session.printer().failed(statement, failure);
            report(statement, failure);
            exitCode = Math.max(exitCode, failure.exitCode());
            isEnded = !goesOn;
        } finally {
            session.printer().endStatement();
        }
    }

    private void report(SqlStatement statement, SqlFailure failure) {
        screen.out().flush();
        String place = name + ": " + (hasLines ? place(statement, failure.place()) + ": " : "");
        String what = hasLines ? failure.reason() : failure.line();
        screen.err()
                .println(place + Style.RED.on(what, screen.errIsTerminal() && screen.colour()) + " (" + failure.state()
                        + ")");
        if (screen.errIsTerminal()) {
            failure.excerpt(statement.text(), 0).forEach(screen.err()::println);
        }
    }

    /** The place in the script: of the wrong word if it is known, else the line where the statement begins. */
    private static String place(SqlStatement statement, SqlFailure.Place wrong) {
        if (wrong.line() == 0) {
            return "line " + statement.line();
        }
        int column = wrong.line() == 1 ? statement.column() + wrong.column() - 1 : wrong.column();
        return "line " + (statement.line() + wrong.line() - 1) + ", column " + column;
    }
}
