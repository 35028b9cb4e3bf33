package io.sdds.cli.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cuts lines of SQL into statements. A statement ends at a semicolon outside quotes and comments. A command of the
 * prompt begins with a backslash at the beginning of a statement, and ends with its line. The words help, quit and exit
 * alone in a line are commands, too.
 */
final class StatementScanner {
    /** Characters of the longest statement. */
    static final int STATEMENT_CHARS_MAX = 16 << 20;

    private enum Place {
        OUTSIDE,
        IN_TEXT,
        IN_NAME,
        IN_COMMENT
    }

    private final StringBuilder pending = new StringBuilder();
    private final List<SqlStatement> found = new ArrayList<>();
    private Place place = Place.OUTSIDE;
    private boolean hasCode;
    private int beginLine;
    private int beginColumn;
    private int line;
    private int column;

    /** Statements of a whole text. A statement at the end of the text needs no semicolon. */
    static List<SqlStatement> statements(String text) {
        StatementScanner scanner = new StatementScanner();
        List<SqlStatement> statements = new ArrayList<>();
        text.lines().forEach(each -> statements.addAll(scanner.line(each)));
        statements.addAll(scanner.end());
        return statements;
    }

    /** Whether the last statement of a text that a user types has its semicolon. */
    static boolean isComplete(String text) {
        StatementScanner scanner = new StatementScanner();
        text.lines().forEach(scanner::line);
        return !scanner.isInside();
    }

    /**
     * Reads a line, and returns the statements that end in the line.
     *
     * @throws IllegalArgumentException if a statement is too long
     */
    List<SqlStatement> line(String text) {
        line++;
        found.clear();
        String command = isInside() ? "" : command(withoutSemicolon(text.strip()));
        if (!command.isEmpty()) {
            pending.setLength(0);
            found.add(new SqlStatement(command, line, 1 + text.indexOf(text.strip())));
        } else {
            scan(text);
            append('\n');
        }
        return List.copyOf(found);
    }

    /** The command of a line outside statements; empty: there is none. */
    private static String command(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "help" -> SqlCommands.HELP_COMMAND;
            case "quit", "exit" -> SqlCommands.QUIT_COMMAND;
            default -> text.startsWith("\\") ? text : "";
        };
    }

    /** The statement that the end of the input ends; empty if there is none. */
    List<SqlStatement> end() {
        found.clear();
        if (hasCode) {
            cut();
        }
        return List.copyOf(found);
    }

    /** Whether a statement has begun and has not ended. */
    boolean isInside() {
        return hasCode || place == Place.IN_COMMENT;
    }

    private void scan(String text) {
        for (int k = 0; k < text.length(); k++) {
            char c = text.charAt(k);
            char next = k + 1 < text.length() ? text.charAt(k + 1) : ' ';
            column = k + 1;
            if (place == Place.OUTSIDE && c == ';') {
                cut();
                continue;
            }
            if (place == Place.OUTSIDE && c == '-' && next == '-') {
                text.substring(k).chars().forEach(each -> append((char) each));
                return;
            }
            boolean isPair = place == Place.OUTSIDE && c == '/' && next == '*'
                    || place == Place.IN_COMMENT && c == '*' && next == '/';
            append(c);
            if (isPair) {
                append(next);
                k++;
                place = place == Place.OUTSIDE ? Place.IN_COMMENT : Place.OUTSIDE;
            } else {
                step(c);
            }
        }
    }

    /** Two quotes inside a quoted text end the text and begin another one, which gives the same statement. */
    private void step(char c) {
        switch (place) {
            case OUTSIDE -> {
                hasCode |= !Character.isWhitespace(c);
                place = c == '\'' ? Place.IN_TEXT : c == '"' ? Place.IN_NAME : Place.OUTSIDE;
            }
            case IN_TEXT -> place = c == '\'' ? Place.OUTSIDE : Place.IN_TEXT;
            case IN_NAME -> place = c == '"' ? Place.OUTSIDE : Place.IN_NAME;
            case IN_COMMENT -> {}
        }
    }

    private void append(char c) {
        if (pending.isEmpty()) {
            if (Character.isWhitespace(c)) {
                return;
            }
            beginLine = line;
            beginColumn = column;
        }
        if (pending.length() == STATEMENT_CHARS_MAX) {
            throw new IllegalArgumentException("the statement of line " + beginLine + " is longer than "
                    + STATEMENT_CHARS_MAX + " characters; end it with a semicolon");
        }
        pending.append(c);
    }

    private void cut() {
        if (hasCode) {
            found.add(new SqlStatement(pending.toString().stripTrailing(), beginLine, beginColumn));
        }
        pending.setLength(0);
        hasCode = false;
        place = Place.OUTSIDE;
    }

    private static String withoutSemicolon(String command) {
        return command.endsWith(";")
                ? command.substring(0, command.length() - 1).stripTrailing()
                : command;
    }
}
