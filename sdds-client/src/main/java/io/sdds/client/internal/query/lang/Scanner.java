package io.sdds.client.internal.query.lang;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts the text of an expression into words, names, literals and signs. */
final class Scanner {
    /** What a token is. */
    enum Kind {
        /** A word without quotes: a name, or a word of the grammar. */
        WORD,
        /** A name in double quotes; the content is without them. */
        NAME,
        /** A text in single quotes; the content is without them. */
        TEXT,
        /** {@code x'..'}; the content is between the quotes. */
        BYTES,
        NUMBER,
        SIGN,
        END
    }

    /**
     * A token.
     *
     * @param at index of its first character
     * @param end index behind its last character
     */
    record Token(Kind kind, String content, int at, int end) {
        boolean is(String wordOrSign) {
            return (kind == Kind.WORD || kind == Kind.SIGN) && content.equalsIgnoreCase(wordOrSign);
        }

        String lower() {
            return content.toLowerCase(Locale.ROOT);
        }

        String shown() {
            return switch (kind) {
                case END -> "the end";
                case TEXT -> "'" + content.replace("'", "''") + "'";
                case BYTES -> "x'" + content + "'";
                case NAME -> '"' + content + '"';
                case WORD, NUMBER, SIGN -> "'" + content + "'";
            };
        }
    }

    private static final List<String> LONG_SIGNS = List.of("<>", "!=", "<=", ">=", "||");

    private final String what;
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Scanner(String what, String text) {
        this.what = what;
        this.text = text;
    }

    /**
     * The tokens; the last one is the end.
     *
     * @param what for errors: which text this is
     */
    static List<Token> scan(String what, String text) {
        Scanner scanner = new Scanner(what, text);
        do {
            scanner.skipBlanks();
            scanner.scanToken();
        } while (scanner.tokens.get(scanner.tokens.size() - 1).kind() != Kind.END);
        return scanner.tokens;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private void scanToken() {
        int start = at;
        if (at == text.length()) {
            add(Kind.END, "", start);
            return;
        }
        char c = text.charAt(at);
        if (c == '"') {
            add(Kind.NAME, quoted('"', "name", start), start);
        } else if (c == '\'') {
            add(Kind.TEXT, quoted('\'', "text", start), start);
        } else if ((c == 'x' || c == 'X') && text.startsWith("'", at + 1)) {
            at++;
            add(Kind.BYTES, quoted('\'', "text", start), start);
        } else if (isDigit(at) || c == '.' && isDigit(at + 1)) {
            skipNumber();
            add(Kind.NUMBER, text.substring(start, at), start);
        } else if (isPartOfWord(at)) {
            while (isPartOfWord(at)) {
                at = text.offsetByCodePoints(at, 1);
            }
            add(Kind.WORD, text.substring(start, at), start);
        } else {
            boolean isLong = LONG_SIGNS.stream().anyMatch(sign -> text.startsWith(sign, start));
            at = isLong ? at + 2 : text.offsetByCodePoints(at, 1);
            add(Kind.SIGN, text.substring(start, at), start);
        }
    }

    private void add(Kind kind, String content, int start) {
        tokens.add(new Token(kind, content, start, at));
    }

    private boolean isPartOfWord(int index) {
        return index < text.length()
                && (Character.isLetterOrDigit(text.codePointAt(index))
                        || text.charAt(index) == '_'
                        || text.charAt(index) == '$');
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    /** Digits, a point, digits, and an exponent. A letter behind them is an error. */
    private void skipNumber() {
        int start = at;
        skipDigits();
        if (text.startsWith(".", at)) {
            at++;
            skipDigits();
        }
        if (text.startsWith("e", at) || text.startsWith("E", at)) {
            boolean isSigned = text.startsWith("+", at + 1) || text.startsWith("-", at + 1);
            int digits = at + (isSigned ? 2 : 1);
            if (isDigit(digits)) {
                at = digits;
                skipDigits();
            }
        }
        if (isPartOfWord(at)) {
            throw LanguageErrors.at(what, start, "no number begins like '" + text.substring(start, at + 1) + "'");
        }
    }

    private void skipDigits() {
        while (isDigit(at)) {
            at++;
        }
    }

    /** Reads what stands in quotes, with two quotes for one, and skips the closing quote. */
    private String quoted(char quote, String kind, int start) {
        at++;
        StringBuilder content = new StringBuilder();
        while (true) {
            int end = text.indexOf(quote, at);
            if (end < 0) {
                throw LanguageErrors.at(what, start, "the " + kind + " that begins here has no closing quote");
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
