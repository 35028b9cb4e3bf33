package io.sdds.sql.statement;

import io.sdds.core.row.NearNames;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsSchema;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of a statement that the engine's grammar lacks, word by word. */
final class DdlText {
    /** Blanks and comments, and then a word, a name in quotes, a text in quotes, a number or a sign. */
    private static final Pattern TOKEN = Pattern.compile(
            "(?:\\s|--[^\\n]*(?:\\n|$)|/\\*.*?\\*/)*"
                    + "([\\p{L}_][\\p{L}\\p{N}_.$-]*|\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|[0-9][0-9.]*|\\S|$)",
            Pattern.DOTALL);

    private final String sql;
    private int at;

    DdlText(String sql) {
        String stripped = sql.stripTrailing();
        this.sql = stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : stripped;
    }

    /** A part of a statement, which ends with the text. */
    private DdlText(String sql, int from) {
        this.sql = sql;
        this.at = from;
    }

    private Matcher next() {
        Matcher token = TOKEN.matcher(sql).region(at, sql.length());
        if (!token.lookingAt()) {
            throw wrong("a text or a comment has no end");
        }
        return token;
    }

    /** The next token; empty at the end. */
    String peek() {
        return next().group(1);
    }

    String take() {
        Matcher token = next();
        at = token.end();
        return token.group(1);
    }

    boolean accept(String word) {
        if (!peek().equalsIgnoreCase(word)) {
            return false;
        }
        take();
        return true;
    }

    void expect(String word) {
        if (!accept(word)) {
            throw wrong("expected " + word + ", found " + shown(peek()) + NearNames.hint(peek(), List.of(word)));
        }
    }

    /** The kind of object, such as TABLE: others are named, because they are not supported. */
    void expectKind(String word) {
        if (peek().matches("(?i)view|index|schema|sequence|function|trigger|type|temporary|database|user|role")) {
            throw unsupported(sql.strip().split("\\s+", 2)[0].toUpperCase(java.util.Locale.ROOT) + " "
                    + peek().toUpperCase(java.util.Locale.ROOT));
        }
        expect(word);
    }

    void expectEnd() {
        if (!peek().isEmpty()) {
            throw wrong("expected the end, found " + shown(peek()));
        }
    }

    private static String shown(String token) {
        return token.isEmpty() ? "the end" : "'" + token + "'";
    }

    /** A name, of which quotes are removed. */
    String name() {
        String token = peek();
        if (token.startsWith("\"")) {
            take();
            return token.substring(1, token.length() - 1).replace("\"\"", "\"");
        }
        if (token.isEmpty() || !Character.isLetter(token.charAt(0)) && token.charAt(0) != '_') {
            throw wrong("expected a name, found " + shown(token));
        }
        return take();
    }

    /**
     * The name of a table, of which the schema is removed. A point that stands in double quotes belongs to the name of
     * the table.
     */
    String qualifiedName() {
        int from = at;
        boolean isQuoted = peek().startsWith("\"");
        String name = name();
        int point = isQuoted ? -1 : name.indexOf('.');
        String schema = point < 0 ? name : name.substring(0, point);
        if (point < 0 && !accept(".")) {
            return name;
        }
        if (!schema.equalsIgnoreCase(SddsSchema.NAME)) {
            at = from;
            throw wrong("there is no schema '" + schema + "': the tables are in " + SddsSchema.NAME
                    + "; a name with a point stands in double quotes");
        }
        return point < 0 || point == name.length() - 1 ? name() : name.substring(point + 1);
    }

    /** The name of a table that exists. */
    String table(SddsSchema schema) {
        String name = qualifiedName();
        String found = schema.find(name);
        if (found == null) {
            throw noTable(name, schema);
        }
        return found;
    }

    StatementEnd noTable(String name, SddsSchema schema) {
        String hint = NearNames.hint(name, List.copyOf(schema.getTableMap().keySet()));
        return new StatementEnd("there is no table '" + name + "'" + hint, SqlErrors.SYNTAX);
    }

    /** All that is left, which is taken. */
    String rest() {
        String rest = remaining();
        at = sql.length();
        return rest;
    }

    /** All that is left. */
    String remaining() {
        return sql.substring(at).strip();
    }

    /** The text in parentheses that stands next, without them. */
    DdlText inParentheses() {
        expect("(");
        int from = at;
        int depth = 1;
        while (depth > 0) {
            int before = at;
            String token = take();
            if (token.isEmpty()) {
                throw wrong("expected ')'");
            }
            depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
            if (depth == 0) {
                return new DdlText(sql.substring(0, before), from);
            }
        }
        throw wrong("expected ')'");
    }

    /** The text up to the next comma outside parentheses, which is taken too. */
    DdlText untilComma() {
        int from = at;
        int depth = 0;
        while (!peek().isEmpty()) {
            int before = at;
            String token = take();
            depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
            if (depth == 0 && token.equals(",")) {
                return new DdlText(sql.substring(0, before), from);
            }
        }
        return new DdlText(sql, from);
    }

    StatementEnd wrong(String problem) {
        Matcher token = TOKEN.matcher(sql).region(at, sql.length());
        int place = token.lookingAt() ? token.start(1) : at;
        String before = sql.substring(0, place);
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        int column = place - before.lastIndexOf('\n');
        return new StatementEnd("line " + line + ", column " + column + ": " + problem, SqlErrors.SYNTAX);
    }

    StatementEnd unsupported(String what) {
        return new StatementEnd(what + " is not supported", SqlErrors.UNSUPPORTED);
    }
}
