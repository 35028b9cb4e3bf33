package io.sdds.core.row;

import java.util.Locale;

/**
 * A token of a schema or of an expression.
 *
 * @param content of a name or a text without its quotes; of bytes what stands between the quotes
 * @param at index of its first character
 * @param end index behind its last character
 */
public record Token(Kind kind, String content, int at, int end) {
    /** What a token is. */
    public enum Kind {
        /** A word without quotes: a name, a type, or a word of the grammar. */
        WORD,
        /** A name in double quotes. */
        NAME,
        /** A text in single quotes. */
        TEXT,
        /** {@code x'..'}. */
        BYTES,
        NUMBER,
        SIGN,
        END
    }

    /** Whether the token is this word or sign. */
    public boolean is(String wordOrSign) {
        return (kind == Kind.WORD || kind == Kind.SIGN) && content.equalsIgnoreCase(wordOrSign);
    }

    /** The content in lower case. */
    public String lower() {
        return content.toLowerCase(Locale.ROOT);
    }

    /** The token as error messages show it. */
    public String shown() {
        return switch (kind) {
            case END -> "the end";
            case TEXT -> "the text '" + content.replace("'", "''") + "'";
            case BYTES -> "x'" + content + "'";
            case NAME -> '"' + content + '"';
            case WORD, NUMBER, SIGN -> "'" + content + "'";
        };
    }
}
