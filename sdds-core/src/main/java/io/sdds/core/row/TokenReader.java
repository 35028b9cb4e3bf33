package io.sdds.core.row;

import io.sdds.core.row.Token.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the tokens of a schema or an expression. Errors are {@link IllegalArgumentException}: one line that
 * names the text and the position, from 1 on.
 */
public final class TokenReader {
    private final String what;
    private final List<Token> tokens;
    private int next;

    /** @param what for errors: which text this is */
    public TokenReader(String what, String text) {
        this.what = what;
        this.tokens = TextScanner.scan(what, text);
    }

    /** The next token, which stays the next one. */
    public Token peek() {
        return tokens.get(next);
    }

    /** The next token. The end is not passed. */
    public Token take() {
        Token token = tokens.get(next);
        next += token.kind() == Kind.END ? 0 : 1;
        return token;
    }

    /** Index behind the last token that was taken. */
    public int end() {
        return next == 0 ? 0 : tokens.get(next - 1).end();
    }

    /** Takes a word or a sign if it is next. */
    public boolean accept(String wordOrSign) {
        boolean isNext = peek().is(wordOrSign);
        next += isNext ? 1 : 0;
        return isNext;
    }

    /** Takes a word or a sign, the only one that can stand here. */
    public void expect(String wordOrSign) {
        expect(wordOrSign, "'" + wordOrSign + "'");
    }

    /**
     * Takes a word or a sign.
     *
     * @param wanted for the error: all that could stand here
     */
    public void expect(String wordOrSign, String wanted) {
        if (!accept(wordOrSign)) {
            throw expected(wanted, peek());
        }
    }

    /** Refuses any token but the end. */
    public void expectEnd(String wanted) {
        if (peek().kind() != Kind.END) {
            throw expected(wanted, peek());
        }
    }

    /** The error that another token is wanted than the one found. */
    public IllegalArgumentException expected(String wanted, Token found) {
        return error(found.at(), "expected " + wanted + ", found " + found.shown());
    }

    /** The error of a problem at an index of the text. */
    public IllegalArgumentException error(int index, @Nullable String problem) {
        return error(what, index, problem);
    }

    /** The error of a problem at an index of a text that is named. */
    public static IllegalArgumentException error(String what, int index, @Nullable String problem) {
        return new IllegalArgumentException(what + ", position " + (index + 1) + ": " + problem);
    }
}
