package io.sdds.sql.statement;

/**
 * Goes through the words, names, texts, numbers and signs of a statement. Blanks and comments are passed over.
 *
 * <p>Most of what a statement is about is decided from the tree that the parser makes of it. Tokens are for the rest:
 * what the parser does not read (definitions of tables, limits that keep it from too deep a recursion, words that its
 * grammar lacks), and for messages about texts that the parser has refused. No token is an object of its own, because
 * an INSERT may have millions of them.
 */
public final class Tokens {
    private final String sql;
    private final String inWords;
    private int begin;
    private int end;

    /** Begins before the first token. */
    public Tokens(String sql) {
        this(sql, "");
    }

    /** @param inWords signs that may also be in a word, behind its first letter */
    Tokens(String sql, String inWords) {
        this.sql = sql;
        this.inWords = inWords;
    }

    /** Begins at the first word of a statement, of an explained one at that behind EXPLAIN PLAN ... FOR. */
    static Tokens ofStatement(String sql) {
        Tokens tokens = new Tokens(sql);
        tokens.next();
        if (tokens.is("EXPLAIN")) {
            while (tokens.next() && !tokens.is("FOR")) {}
            tokens.next();
        }
        return tokens;
    }

    /** Goes to the next token. Returns false at the end, where the token is empty. */
    public boolean next() {
        begin = behindBlanks(end);
        end = begin == sql.length() ? begin : tokenEnd();
        return begin < end;
    }

    /** Goes to the token that begins at an index. */
    void moveTo(int index) {
        end = index;
        next();
    }

    /** The index of the first character of the token; the length of the text at its end. */
    public int begin() {
        return begin;
    }

    /** The index behind the token. */
    public int end() {
        return end;
    }

    /** The token as it is written. */
    public String text() {
        return sql.substring(begin, end);
    }

    /** The first character; 0 at the end. */
    char first() {
        return begin < end ? sql.charAt(begin) : 0;
    }

    /** Whether the token is a word or sign, in any case. */
    public boolean is(String word) {
        return end - begin == word.length() && sql.regionMatches(true, begin, word, 0, word.length());
    }

    boolean isWord() {
        return begin < end && isLetter(first());
    }

    /** What has no end: a text, a name in quotes or a comment, which then goes on to the end; empty: it has one. */
    String unclosed() {
        return switch (first()) {
            case '\'' -> quotedEnd('\'') > 0 ? "" : "text";
            case '"' -> quotedEnd('"') > 0 ? "" : "name";
            case '/' -> end - begin > 1 ? "comment" : "";
            default -> "";
        };
    }

    private int behindBlanks(int from) {
        int at = from;
        while (at < sql.length()) {
            int behind = Character.isWhitespace(sql.charAt(at)) ? at + 1 : behindComment(at);
            if (behind == at) {
                return at;
            }
            at = behind;
        }
        return at;
    }

    /** The index behind a comment; the same index: none begins there that has an end. */
    private int behindComment(int at) {
        if (sql.startsWith("--", at)) {
            int line = sql.indexOf('\n', at);
            return line < 0 ? sql.length() : line + 1;
        }
        int closed = sql.startsWith("/*", at) ? sql.indexOf("*/", at + 2) : -1;
        return closed < 0 ? at : closed + 2;
    }

    private int tokenEnd() {
        char c = sql.charAt(begin);
        if (c == '\'' || c == '"') {
            int closed = quotedEnd(c);
            return closed > 0 ? closed : sql.length();
        }
        if (sql.startsWith("/*", begin)) { // a comment that is not closed
            return sql.length();
        }
        int at = begin + 1;
        if (isLetter(c)) {
            while (at < sql.length() && isInWord(sql.charAt(at))) {
                at++;
            }
        } else if (isDigit(c)) {
            while (at < sql.length() && (isDigit(sql.charAt(at)) || sql.charAt(at) == '.')) {
                at++;
            }
        } else if (sql.startsWith("||", begin)) {
            at++;
        }
        return at;
    }

    /** The index behind the closing quote, two of which stand for one that closes nothing; 0: there is none. */
    private int quotedEnd(char quote) {
        int at = sql.indexOf(quote, begin + 1);
        while (at >= 0 && at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
            at = sql.indexOf(quote, at + 2);
        }
        return at + 1;
    }

    private static boolean isLetter(char c) {
        return Character.isLetter(c) || c == '_' || Character.isSurrogate(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private boolean isInWord(char c) {
        return isLetter(c) || Character.isDigit(c) || c == '$' || inWords.indexOf(c) >= 0;
    }
}
