package io.sdds.sql.statement;

import java.util.Locale;
import java.util.Set;

/**
 * What a statement does, by its first word. Parts of the driver have to know it before the statement is parsed, or
 * where the engine does not tell it.
 *
 * @param word the first word in upper case, behind {@code EXPLAIN PLAN ... FOR} if that is there; empty: no word is
 *     there
 * @param at where the word begins in the text
 */
public record StatementKind(String word, int at, boolean isExplained) {
    /** Words between EXPLAIN PLAN and FOR. */
    private static final Set<String> OF_EXPLAIN = Set.of(
            "EXCLUDING",
            "INCLUDING",
            "ALL",
            "ATTRIBUTES",
            "WITH",
            "WITHOUT",
            "TYPE",
            "IMPLEMENTATION",
            "AS",
            "XML",
            "JSON",
            "DOT");

    public static StatementKind of(String sql) {
        int at = StatementText.skipBlanks(sql, 0);
        String first = word(sql, at);
        int plan = after(first, at, sql);
        if (!first.equals("EXPLAIN") || !word(sql, plan).equals("PLAN")) {
            return new StatementKind(first, at, false);
        }
        int next = after("PLAN", plan, sql);
        while (OF_EXPLAIN.contains(word(sql, next))) {
            next = after(word(sql, next), next, sql);
        }
        if (!word(sql, next).equals("FOR")) {
            return new StatementKind(first, at, false);
        }
        int explained = after("FOR", next, sql);
        return new StatementKind(word(sql, explained), explained, true);
    }

    private static int after(String word, int at, String sql) {
        return StatementText.skipBlanks(sql, at + word.length());
    }

    private static String word(String sql, int at) {
        return StatementText.wordAt(sql, at).toUpperCase(Locale.ROOT);
    }

    /** Whether rows are added. */
    public boolean isInsert() {
        return word.equals("INSERT") || isUpsert();
    }

    /** The engine parses UPSERT, and then takes it for an INSERT. */
    public boolean isUpsert() {
        return word.equals("UPSERT");
    }

    /** Whether rows that are there are changed or removed. */
    public boolean isChange() {
        return word.equals("UPDATE") || word.equals("DELETE");
    }
}
