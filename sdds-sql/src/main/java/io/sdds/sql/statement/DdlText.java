package io.sdds.sql.statement;

import io.sdds.core.row.NearNames;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsSchema;
import java.util.List;
import java.util.Locale;

/**
 * Reads a statement about a table, token by token. The grammar that the driver has of Calcite reads of a CREATE TABLE
 * no more than names and types, and no grammar of Calcite has ALTER TABLE, options, and keys beside a column.
 */
final class DdlText {
    private static final List<String> OTHER_KINDS = List.of(
            "VIEW",
            "INDEX",
            "SCHEMA",
            "SEQUENCE",
            "FUNCTION",
            "TRIGGER",
            "TYPE",
            "TEMPORARY",
            "DATABASE",
            "USER",
            "ROLE");

    private final String sql;
    private final Tokens tokens;

    /** The end of the token that was taken last. */
    private int end;

    DdlText(String sql) {
        this.sql = StatementText.withoutEnd(sql);
        this.tokens = new Tokens(this.sql, ".-");
        tokens.next();
    }

    /** The next token; empty at the end. */
    String peek() {
        return tokens.text();
    }

    boolean isNext(String word) {
        return tokens.is(word);
    }

    /** Where the next token stands. */
    int at() {
        return tokens.begin();
    }

    String take() {
        String token = peek();
        end = tokens.end();
        tokens.next();
        return token;
    }

    /** Takes the next token, behind a blank if the text has one or a comment there. */
    String takeSpaced() {
        return (at() > end ? " " : "") + take();
    }

    /** Goes back to a token. */
    void moveTo(int at) {
        tokens.moveTo(at);
    }

    /** Takes words if they are next. */
    boolean accept(String... words) {
        int from = at();
        int last = end;
        for (String word : words) {
            if (!isNext(word)) {
                moveTo(from);
                return false;
            }
            last = tokens.end();
            tokens.next();
        }
        end = last;
        return true;
    }

    void expect(String word) {
        if (!accept(word)) {
            throw wrong("expected " + word + ", found " + shown() + NearNames.hint(peek(), List.of(word)));
        }
    }

    /** What is done, and that it is done to a table. Other kinds of objects are named, as they are not supported. */
    void expectOfTable(String verb) {
        expect(verb);
        String kind = peek().toUpperCase(Locale.ROOT);
        if (OTHER_KINDS.contains(kind)) {
            throw unsupported(verb + " " + kind);
        }
        expect("TABLE");
    }

    void expectEnd() {
        if (!isNext("")) {
            throw wrong("expected the end, found " + shown());
        }
    }

    /** Whether an item of a list is over, or the statement. */
    boolean isItemOver() {
        return isNext(",") || isNext(")") || isNext("");
    }

    /** Reads a list in parentheses. */
    void list(Runnable item) {
        expect("(");
        while (!accept(")")) {
            item.run();
            if (!accept(",") && !isNext(")")) {
                throw wrong("expected ')', found " + shown());
            }
        }
    }

    private String shown() {
        return isNext("") ? "the end" : "'" + peek() + "'";
    }

    /** A name, of which quotes are removed. */
    String name() {
        String token = peek();
        if (token.startsWith("\"")) {
            take();
            return token.substring(1, token.length() - 1).replace("\"\"", "\"");
        }
        if (!tokens.isWord()) {
            throw wrong("expected a name, found " + shown());
        }
        return take();
    }

    /**
     * The name of a table, of which the schema is removed. A point that stands in double quotes belongs to the name of
     * the table.
     */
    String qualifiedName() {
        int from = at();
        boolean isQuoted = peek().startsWith("\"");
        String name = name();
        int point = isQuoted ? -1 : name.indexOf('.');
        String schema = point < 0 ? name : name.substring(0, point);
        if (point < 0 && !accept(".")) {
            return name;
        }
        if (!schema.equalsIgnoreCase(SddsSchema.NAME)) {
            throw wrong(
                    from,
                    "there is no schema '" + schema + "': the tables are in " + SddsSchema.NAME
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

    StatementEnd wrong(String problem) {
        return wrong(at(), problem);
    }

    /** @param at where the text is wrong */
    StatementEnd wrong(int at, String problem) {
        return new StatementEnd(StatementText.place(sql, at) + problem, SqlErrors.SYNTAX);
    }

    StatementEnd unsupported(String what) {
        return new StatementEnd(what + " is not supported", SqlErrors.UNSUPPORTED);
    }
}
