package io.sdds.cli.sql;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The failure of a statement.
 *
 * @param line what failed, as one line
 * @param state the SQLSTATE
 * @param exitCode exit code of a process that the failure ends
 * @param place where the statement is wrong
 */
record SqlFailure(String line, String state, int exitCode, Place place) {
    private static final int FAILED = 1;
    private static final int UNREACHABLE = 3;
    private static final int LINE_WIDTH_MIN = 20;

    /** SQLSTATE of a statement that was cancelled, for example by its time limit. */
    private static final String CANCELLED = "57014";

    private static final Pattern PLACE = Pattern.compile(
            "line (\\d{1,9}), column (\\d{1,9})(?: (?:to|through) line (\\d{1,9}), column (\\d{1,9}))?");

    /**
     * A place in a statement.
     *
     * @param line number of the line in the statement, from 1; 0 if the place is unknown
     * @param column number of the first column, from 1
     * @param columns number of columns
     */
    record Place(int line, int column, int columns) {
        static final Place UNKNOWN = new Place(0, 0, 0);
    }

    static SqlFailure of(SQLException failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), "the statement failed");
        String line = message.lines()
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse(message);
        String state = Objects.requireNonNullElse(failure.getSQLState(), "HY000");
        boolean isUnreachable = failure instanceof SQLTimeoutException
                || state.startsWith("08")
                || state.startsWith("HYT")
                || state.equals(CANCELLED);
        return new SqlFailure(line, state, isUnreachable ? UNREACHABLE : FAILED, place(message));
    }

    /** The message of the failure without the place in the statement in front of it. */
    String reason() {
        Matcher found = PLACE.matcher(line);
        return found.lookingAt() && line.startsWith(": ", found.end()) ? line.substring(found.end() + 2) : line;
    }

    private static Place place(String message) {
        Matcher found = PLACE.matcher(message);
        if (!found.find()) {
            return Place.UNKNOWN;
        }
        int line = Integer.parseInt(found.group(1));
        int column = Integer.parseInt(found.group(2));
        boolean isOneLine = found.group(3) != null && Integer.parseInt(found.group(3)) == line;
        int last = isOneLine ? Integer.parseInt(found.group(4)) : column;
        return new Place(line, column, Math.max(1, last - column + 1));
    }

    /**
     * The line of the statement that is wrong, and a line with carets below the wrong columns; empty if the place is
     * unknown.
     *
     * @param width columns of the terminal; 0 for no limit
     */
    List<String> excerpt(String statement, int width) {
        List<String> lines = statement.lines().toList();
        if (place.line < 1 || place.line > lines.size()) {
            return List.of();
        }
        String wrong = lines.get(place.line - 1).replace('\t', ' ');
        int at = place.column - 1;
        if (at < 0 || at > wrong.length()) {
            return List.of();
        }
        int room = width == 0 ? Integer.MAX_VALUE : Math.max(LINE_WIDTH_MIN, width - 3);
        int from = wrong.length() <= room ? 0 : Math.max(0, Math.min(at - room / 2, wrong.length() - room));
        int to = (int) Math.min(wrong.length(), (long) from + room);
        int carets = Math.max(1, Math.min(place.columns, to - at));
        String before = wrong.substring(from, at);
        return List.of(
                "  " + wrong.substring(from, to),
                "  " + " ".repeat(before.codePointCount(0, before.length())) + "^".repeat(carets));
    }
}
