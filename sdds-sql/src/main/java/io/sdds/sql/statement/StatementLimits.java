package io.sdds.sql.statement;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;

/**
 * Refuses statements that would take the parser and those behind it too long or too deep, before they are parsed: each
 * operator in a row and each parenthesis is a level of their recursion. Lists, as behind IN, are no levels.
 */
public final class StatementLimits {
    /** Operators between two parentheses or commas, without comparisons: {@code a = 1 OR a = 2} has one. */
    static final int OPERATORS_MAX = 2_000;

    /** LIKE and BETWEEN between two parentheses or commas. The parser's time grows with their cube. */
    static final int TERNARY_MAX = 200;

    /** Parentheses that are open at one place. */
    static final int DEPTH_MAX = 200;

    private final String sql;
    private final int[] operators = new int[DEPTH_MAX + 1];
    private final int[] ternary = new int[DEPTH_MAX + 1];
    private int depth;

    private StatementLimits(String sql) {
        this.sql = sql;
    }

    /** @throws StatementEnd if a statement is beyond a limit */
    public static void check(String sql) {
        if (sql.length() > DEPTH_MAX) {
            new StatementLimits(sql).check();
        }
    }

    private void check() {
        int at = 0;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            int begin = at;
            at = switch (c) {
                case '\'', '"' -> behindQuotes(at, c);
                case '(' -> deeper(at);
                case ')' -> {
                    depth = Math.max(0, depth - 1);
                    yield at + 1;
                }
                case ',' -> {
                    beginRow();
                    yield at + 1;
                }
                case '+', '-', '*', '/' -> operator(at);
                case '|' -> {
                    count(at);
                    yield at + 2;
                }
                default -> Character.isLetter(c) ? word(at) : at + 1;
            };
            if (at <= begin) {
                throw new IllegalStateException("no progress at " + begin);
            }
        }
    }

    private int behindQuotes(int at, char quote) {
        int end = sql.indexOf(quote, at + 1);
        return end < 0 ? sql.length() : end + 1;
    }

    private int deeper(int at) {
        if (++depth > DEPTH_MAX) {
            throw tooLarge(at, "more than " + DEPTH_MAX + " parentheses are open here");
        }
        beginRow();
        return at + 1;
    }

    private void beginRow() {
        operators[depth] = 0;
        ternary[depth] = 0;
    }

    private int operator(int at) {
        if (sql.startsWith("--", at)) {
            int end = sql.indexOf('\n', at);
            return end < 0 ? sql.length() : end + 1;
        }
        if (sql.startsWith("/*", at)) {
            int end = sql.indexOf("*/", at + 2);
            return end < 0 ? sql.length() : end + 2;
        }
        count(at);
        return at + 1;
    }

    private int word(int at) {
        int end = at + 1;
        while (end < sql.length() && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '_')) {
            end++;
        }
        boolean isOperator = is("AND", at, end)
                || is("OR", at, end)
                || is("UNION", at, end)
                || is("INTERSECT", at, end)
                || is("EXCEPT", at, end);
        if (isOperator) {
            count(at);
        }
        boolean isTernary = is("LIKE", at, end)
                || is("ILIKE", at, end)
                || is("RLIKE", at, end)
                || is("SIMILAR", at, end)
                || is("BETWEEN", at, end);
        if (isTernary && ++ternary[depth] > TERNARY_MAX) {
            throw tooLarge(
                    at,
                    "more than " + TERNARY_MAX + " of LIKE and BETWEEN in a row: put some of them into parentheses");
        }
        return end;
    }

    private boolean is(String word, int at, int end) {
        return end - at == word.length() && sql.regionMatches(true, at, word, 0, word.length());
    }

    private void count(int at) {
        if (++operators[depth] > OPERATORS_MAX) {
            throw tooLarge(at, "more than " + OPERATORS_MAX + " operators in a row: a list behind IN may be longer");
        }
    }

    private StatementEnd tooLarge(int at, String what) {
        return new StatementEnd(
                StatementText.place(sql, at) + "the statement is too large: " + what, SqlErrors.TOO_LARGE);
    }
}
