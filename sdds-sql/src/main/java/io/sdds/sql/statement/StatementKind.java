package io.sdds.sql.statement;

import java.util.Locale;

/**
 * What a statement does, by its first word. Parts of the driver have to know it before the statement is parsed, or
 * where the engine does not tell it.
 *
 * @param word the first word in upper case, behind {@code EXPLAIN PLAN FOR} if that is there; empty: no word is there
 */
public record StatementKind(String word, boolean isExplained) {
    public static StatementKind of(String sql) {
        int at = StatementText.skipBlanks(sql, 0);
        String first = word(sql, at);
        if (!first.equals("EXPLAIN")) {
            return new StatementKind(first, false);
        }
        for (String expected : new String[] {"EXPLAIN", "PLAN", "FOR"}) {
            if (!word(sql, at).equals(expected)) {
                return new StatementKind(first, false);
            }
            at = StatementText.skipBlanks(sql, at + expected.length());
        }
        return new StatementKind(word(sql, at), true);
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

    /** Whether the statement may have written rows before it failed. */
    public boolean isWrite() {
        return !isExplained && (isInsert() || isChange());
    }
}
