package io.sdds.sql.statement;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.List;

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

    /** Characters of an INSERT or UPSERT; the nodes of its parts take some hundred times as many bytes. */
    private static final int CHARACTERS_MAX = 16 << 20;

    private static final List<String> IN_ROWS = List.of("AND", "OR", "UNION", "INTERSECT", "EXCEPT");
    private static final List<String> TERNARY = List.of("LIKE", "ILIKE", "RLIKE", "SIMILAR", "BETWEEN");

    private final String sql;
    private final Tokens tokens;
    private final int[] operators = new int[DEPTH_MAX + 1];
    private final int[] ternary = new int[DEPTH_MAX + 1];
    private int depth;

    private StatementLimits(String sql) {
        this.sql = sql;
        this.tokens = new Tokens(sql);
    }

    /** @throws StatementEnd if a statement is beyond a limit */
    public static void check(String sql) {
        if (sql.length() > DEPTH_MAX) {
            new StatementLimits(sql).check();
        }
        if (sql.length() > CHARACTERS_MAX) {
            Tokens first = Tokens.ofStatement(sql);
            if (first.is("INSERT") || first.is("UPSERT")) {
                throw new StatementEnd(
                        "a statement of " + sql.length() + " characters is longer than " + CHARACTERS_MAX
                                + ": rows can be sent by several statements, or as a batch of a prepared one",
                        SqlErrors.TOO_LARGE);
            }
        }
    }

    private void check() {
        while (tokens.next()) {
            switch (tokens.first()) {
                case '(' -> {
                    if (++depth > DEPTH_MAX) {
                        throw tooLarge("more than " + DEPTH_MAX + " parentheses are open here");
                    }
                    beginRow();
                }
                case ')' -> depth = Math.max(0, depth - 1);
                case ',' -> beginRow();
                case '+', '-', '*', '/', '|' -> count();
                default -> {
                    if (tokens.isWord()) {
                        word();
                    }
                }
            }
        }
    }

    private void beginRow() {
        operators[depth] = 0;
        ternary[depth] = 0;
    }

    private void word() {
        if (isOneOf(IN_ROWS)) {
            count();
        } else if (isOneOf(TERNARY) && ++ternary[depth] > TERNARY_MAX) {
            throw tooLarge(
                    "more than " + TERNARY_MAX + " of LIKE and BETWEEN in a row: put some of them into parentheses");
        }
    }

    private boolean isOneOf(List<String> words) {
        for (String word : words) {
            if (tokens.is(word)) {
                return true;
            }
        }
        return false;
    }

    private void count() {
        if (++operators[depth] > OPERATORS_MAX) {
            throw tooLarge("more than " + OPERATORS_MAX + " operators in a row: a list behind IN may be longer");
        }
    }

    private StatementEnd tooLarge(String what) {
        return new StatementEnd(
                StatementText.place(sql, tokens.begin()) + "the statement is too large: " + what, SqlErrors.TOO_LARGE);
    }
}
