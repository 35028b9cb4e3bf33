package io.sdds.core.row;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts the text of a schema into words, names, literals and signs. */
final class TextScanner {
    /** What a token is. */
    enum Kind {
        /** A word without quotes: a name, a type, or a word of the grammar. */
        WORD,
        /** A name in double quotes; {@code text} is without them. */
        NAME,
        /** A text in single quotes; {@code text} is without them. */
        TEXT,
        /** {@code x'..'}; {@code text} has the digits. */
        BYTES,
        NUMBER,
        SIGN,
        END
    }

    /** @param at index of the first character of the token */
    record Token(Kind kind, String text, int at) {
        boolean is(String word) {
            return (kind == Kind.WORD || kind == Kind.SIGN) && text.equalsIgnoreCase(word);
        }

        String shown() {
            return switch (kind) {
                case END -> "the end";
                case TEXT -> "the text '" + text + "'";
                case BYTES -> "x'" + text + "'";
                default -> "'" + text + "'";
            };
        }
    }

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private TextScanner(String text) {
        this.text = text;
    }

    /** The tokens; the last is the end. */
    static List<Token> scan(String text) {
        TextScanner scanner = new TextScanner(text);
        while (scanner.scanNext()) {}
        return scanner.tokens;
    }

    private boolean scanNext() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            add(Kind.END, "", at);
            return false;
        }
        int start = at;
        char c = text.charAt(at);
        if (c == '"') {
            add(Kind.NAME, quoted('"'), start);
        } else if (c == '\'') {
            add(Kind.TEXT, quoted('\''), start);
        } else if ((c == 'x' || c == 'X') && text.startsWith("'", at + 1)) {
            at++;
            add(Kind.BYTES, quoted('\'').toLowerCase(Locale.ROOT), start);
        } else if (isDigit(at) || c == '.' && isDigit(at + 1)) {
            add(Kind.NUMBER, number(), start);
        } else if (Character.isUnicodeIdentifierStart(c) || c == '_') {
            while (at < text.length() && isPartOfWord(text.charAt(at))) {
                at++;
            }
            add(Kind.WORD, text.substring(start, at), start);
        } else {
            at = text.offsetByCodePoints(at, 1);
            add(Kind.SIGN, text.substring(start, at), start);
        }
        return true;
    }

    private void add(Kind kind, String content, int start) {
        tokens.add(new Token(kind, content, start));
    }

    static boolean isPartOfWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private String number() {
        int start = at;
        skipDigits();
        if (text.startsWith(".", at)) {
            at++;
            skipDigits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            boolean signed = text.startsWith("+", at + 1) || text.startsWith("-", at + 1);
            at += signed ? 2 : 1;
            skipDigits();
        }
        return text.substring(start, at);
    }

    private void skipDigits() {
        while (isDigit(at)) {
            at++;
        }
    }

    /** Reads a text in quotes, with two quotes for one, and skips the closing quote. */
    private String quoted(char quote) {
        int start = at++;
        StringBuilder content = new StringBuilder();
        while (true) {
            int end = text.indexOf(quote, at);
            if (end < 0) {
                throw SchemaText.error(start, "what begins here has no closing quote");
            }
            content.append(text, at, end);
            at = end + 1;
            if (at == text.length() || text.charAt(at) != quote) {
                return content.toString();
            }
            content.append(quote);
            at++;
        }
    }
}
