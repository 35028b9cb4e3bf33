package io.sdds.sql.statement;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsSchema;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Looks at the text of a statement without a parser: for what comes before parsing, and for what made it fail. */
public final class StatementText {
    private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");

    /** Texts and names in quotes, comments, words, and single signs. */
    private static final Pattern PART = Pattern.compile(
            "'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\"|--[^\\n]*|/\\*.*?\\*/|[\\p{L}_][\\p{L}\\p{N}_$]*|\\S",
            Pattern.DOTALL);

    private static final List<String> BEGINNINGS = List.of(
            "SELECT", "INSERT", "UPSERT", "UPDATE", "DELETE", "WITH", "VALUES", "EXPLAIN", "CREATE", "ALTER", "DROP",
            "ANALYZE", "TABLE");

    private StatementText() {}

    /** The statement without the semicolon behind it. */
    public static String withoutEnd(String sql) {
        String stripped = sql.stripTrailing();
        return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : sql;
    }

    /** The index of what follows blanks and comments. A comment without an end goes on to the end of the text. */
    static int skipBlanks(String sql, int from) {
        int at = from;
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else if (sql.startsWith("--", at)) {
                at = after(sql, "\n", at);
            } else if (sql.startsWith("/*", at)) {
                at = after(sql, "*/", at + 2);
            } else {
                return at;
            }
        }
        return at;
    }

    private static int after(String sql, String end, int from) {
        int found = sql.indexOf(end, from);
        return found < 0 ? sql.length() : found + end.length();
    }

    /** The word that begins at an index; empty: none does. */
    static String wordAt(String sql, int at) {
        Matcher found = WORD.matcher(sql).region(at, sql.length());
        return found.lookingAt() ? found.group() : "";
    }

    /** Throws if a text begins no statement. */
    public static void checkBeginning(String sql) {
        int begin = skipBlanks(sql, 0);
        if (begin == sql.length()) {
            throw new StatementEnd("the statement is empty", SqlErrors.SYNTAX);
        }
        String found = wordAt(sql, begin);
        String word = found.toUpperCase(Locale.ROOT);
        if (word.isEmpty() || BEGINNINGS.contains(word)) {
            return;
        }
        String place = place(sql, begin);
        switch (word) {
            case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "LOCK" ->
                throw new StatementEnd(
                        place + word + " is not supported: there are no transactions, each row is written by itself",
                        SqlErrors.UNSUPPORTED);
            case "SHOW", "DESCRIBE", "DESC", "USE", "SET", "CALL", "EXEC", "EXECUTE", "REPLACE", "COPY", "LOAD" ->
                throw new StatementEnd(place + word + " is not supported" + instead(word), SqlErrors.UNSUPPORTED);
            default ->
                throw new StatementEnd(
                        place + "'" + found + "' begins no statement"
                                + io.sdds.core.row.NearNames.hint(found, BEGINNINGS),
                        SqlErrors.SYNTAX);
        }
    }

    private static String instead(String word) {
        return switch (word) {
            case "SHOW", "DESCRIBE", "DESC" -> ": DatabaseMetaData lists tables and columns, and \\d at the prompt";
            case "REPLACE" -> ": UPSERT replaces rows";
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
        return "line " + line + ", column " + (at - begin + 1) + ": ";
    }

    /** The place of a part of a statement. */
    static String place(SqlNode node) {
        SqlParserPos position = node.getParserPosition();
        return "line " + position.getLineNum() + ", column " + position.getColumnNum() + ": ";
    }

    /** The index of a line and a column, which count from 1. */
    static int index(String sql, int line, int column) {
        int at = 0;
        for (int k = 1; k < line; k++) {
            at = sql.indexOf('\n', at) + 1;
        }
        return Math.min(sql.length(), at + column - 1);
    }

    /** The last word that ends before an index; empty if another sign is between. */
    static String wordBefore(String sql, int index) {
        String before = sql.substring(0, index).stripTrailing();
        int begin = before.length();
        while (begin > 0 && isPartOfWord(before.charAt(begin - 1))) {
            begin--;
        }
        return before.substring(begin);
    }

    private static boolean isPartOfWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    /** The place of a quote or a parenthesis that is not closed, and what it is; empty if there is none. */
    static String unclosed(String sql) {
        java.util.ArrayDeque<Integer> open = new java.util.ArrayDeque<>();
        Matcher part = PART.matcher(sql);
        while (part.find()) {
            switch (part.group()) {
                case "'" -> {
                    return place(sql, part.start()) + "the text that begins here has no closing quote";
                }
                case "\"" -> {
                    return place(sql, part.start()) + "the name that begins here has no closing quote";
                }
                case "(" -> open.push(part.start());
                case ")" -> {
                    if (open.poll() == null) {
                        return place(sql, part.start()) + "the parenthesis closes none";
                    }
                }
                default -> {}
            }
        }
        return open.isEmpty() ? "" : place(sql, open.peek()) + "the parenthesis is not closed";
    }
}
