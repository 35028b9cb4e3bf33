package io.sdds.sql.statement;

import io.sdds.core.row.NearNames;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsSchema;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Looks at the text of a statement without a parser: for what comes before parsing, and for what made it fail. */
public final class StatementText {
    private static final List<String> BEGINNINGS = List.of(
            "SELECT", "INSERT", "UPSERT", "UPDATE", "DELETE", "WITH", "VALUES", "EXPLAIN", "CREATE", "ALTER", "DROP",
            "ANALYZE", "TABLE");

    private StatementText() {}

    /** The statement without the semicolon behind it. */
    public static String withoutEnd(String sql) {
        String stripped = sql.stripTrailing();
        return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : sql;
    }

    /** Throws if a text begins no statement. */
    public static void checkBeginning(String sql) {
        Tokens first = new Tokens(sql);
        if (!first.next()) {
            throw new StatementEnd("the statement is empty", SqlErrors.SYNTAX);
        }
        String found = first.text();
        String word = found.toUpperCase(Locale.ROOT);
        if (!first.isWord() || BEGINNINGS.contains(word)) {
            return;
        }
        String place = place(sql, first.begin());
        switch (word) {
            case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "LOCK" ->
                throw new StatementEnd(
                        place + word + " is not supported: there are no transactions, each row is written by itself",
                        SqlErrors.UNSUPPORTED);
            case "SHOW",
                    "DESCRIBE",
                    "DESC",
                    "USE",
                    "SET",
                    "CALL",
                    "EXEC",
                    "EXECUTE",
                    "REPLACE",
                    "COPY",
                    "LOAD",
                    "TRUNCATE",
                    "GRANT",
                    "REVOKE",
                    "MERGE" ->
                throw new StatementEnd(place + word + " is not supported" + instead(word), SqlErrors.UNSUPPORTED);
            default ->
                throw new StatementEnd(
                        place + "'" + found + "' begins no statement" + NearNames.hint(found, BEGINNINGS),
                        SqlErrors.SYNTAX);
        }
    }

    private static String instead(String word) {
        return switch (word) {
            case "SHOW", "DESCRIBE", "DESC" -> ": DatabaseMetaData lists tables and columns, and \\d at the prompt";
            case "REPLACE", "MERGE" -> ": UPSERT replaces rows";
            case "USE", "SET" -> ": there is one schema, " + SddsSchema.NAME;
            default -> "";
        };
    }

    /** As {@code line 1, column 15: }. */
    static String place(String sql, int at) {
        int line = 1;
        int begin = 0;
        for (int k = 0; k < at; k++) {
            if (sql.charAt(k) == '\n') {
                line++;
                begin = k + 1;
            }
        }
        return SqlErrors.place(line, at - begin + 1);
    }

    /** The place of a part of a statement. */
    static String place(SqlNode node) {
        SqlParserPos position = node.getParserPosition();
        return SqlErrors.place(position.getLineNum(), position.getColumnNum());
    }

    /** The index of a line and a column, which count from 1. */
    static int index(String sql, int line, int column) {
        int at = 0;
        for (int k = 1; k < line; k++) {
            at = sql.indexOf('\n', at) + 1;
        }
        return Math.min(sql.length(), at + column - 1);
    }

    /** The last token before an index, if it is a word; else empty. */
    static String wordBefore(String sql, int index) {
        Tokens tokens = new Tokens(sql);
        String last = "";
        while (tokens.next() && tokens.begin() < index) {
            last = tokens.isWord() ? tokens.text() : "";
        }
        return last;
    }

    /** The place of a quote, a comment or a parenthesis that is not closed, and what it is; empty if there is none. */
    static String unclosed(String sql) {
        ArrayDeque<Integer> open = new ArrayDeque<>();
        Tokens tokens = new Tokens(sql);
        while (tokens.next()) {
            String unclosed = tokens.unclosed();
            if (!unclosed.isEmpty()) {
                String end = unclosed.equals("comment") ? " has no end" : " has no closing quote";
                return place(sql, tokens.begin()) + "the " + unclosed + " that begins here" + end;
            }
            if (tokens.is("(")) {
                open.push(tokens.begin());
            } else if (tokens.is(")") && open.poll() == null) {
                return place(sql, tokens.begin()) + "the parenthesis closes none";
            }
        }
        return open.isEmpty() ? "" : place(sql, open.peek()) + "the parenthesis is not closed";
    }
}
