package io.sdds.core.row;

import io.sdds.core.row.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts a text into words, names, literals and signs. */
final class TextScanner {
    private static final List<String> LONG_SIGNS = List.of("<>", "!=", "<=", ">=", "||");

    private final String what;
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private TextScanner(String what, String text) {
        this.what = what;
        this.text = text;
    }

    /**
     * The tokens; the last one is the end.
     *
     * @param what for errors: which text this is
     */
    static List<Token> scan(String what, String text) {
        TextScanner scanner = new TextScanner(what, text);
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
        } else if (isDigitAt(at) || c == '.' && isDigitAt(at + 1)) {
            skipNumber();
            add(Kind.NUMBER, text.substring(start, at), start);
        } else if (isWordAt(at)) {
            while (isWordAt(at)) {
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

    /** Whether a text is one word, so that it needs no quotes as a name. */
    static boolean isWord(String text) {
        return !text.isEmpty() && !isDigit(text.charAt(0)) && text.codePoints().allMatch(TextScanner::isPartOfWord);
    }

    private static boolean isPartOfWord(int codePoint) {
        return Character.isLetterOrDigit(codePoint) || codePoint == '_' || codePoint == '$';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private boolean isWordAt(int index) {
        return index < text.length() && isPartOfWord(text.codePointAt(index));
    }

    private boolean isDigitAt(int index) {
        return index < text.length() && isDigit(text.charAt(index));
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
            if (isDigitAt(digits)) {
                at = digits;
                skipDigits();
            }
        }
        if (isWordAt(at)) {
            throw TokenReader.error(what, start, "no number begins like '" + text.substring(start, at + 1) + "'");
        }
    }

    private void skipDigits() {
        while (isDigitAt(at)) {
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
                throw TokenReader.error(what, start, "the " + kind + " that begins here has no closing quote");
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
