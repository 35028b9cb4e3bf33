package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Scanner.Kind;
import io.sdds.client.internal.query.lang.Scanner.Token;
import java.util.List;

/** Goes through the tokens of a text. */
final class TokenReader {
    private final String what;
    private final List<Token> tokens;
    private int next;

    TokenReader(String what, String text) {
        this.what = what;
        this.tokens = Scanner.scan(what, text);
    }

    /** The next token, which stays the next one. */
    Token peek() {
        return tokens.get(next);
    }

    /** The next token. The end is not passed. */
    Token take() {
        Token token = tokens.get(next);
        next += token.kind() == Kind.END ? 0 : 1;
        return token;
    }

    /** Index behind the last token that was taken. */
    int end() {
        return next == 0 ? 0 : tokens.get(next - 1).end();
    }

    /** Takes a word or a sign if it is next. */
    boolean accept(String wordOrSign) {
        boolean isNext = peek().is(wordOrSign);
        next += isNext ? 1 : 0;
        return isNext;
    }

    /**
     * Takes a word or a sign.
     *
     * @param wanted for the error: all that could stand here
     */
    void expect(String wordOrSign, String wanted) {
        if (!accept(wordOrSign)) {
            throw expected(wanted, peek());
        }
    }

    void expectEnd(String wanted) {
        if (peek().kind() != Kind.END) {
            throw expected(wanted, peek());
        }
    }

    IllegalArgumentException expected(String wanted, Token found) {
        return LanguageErrors.at(what, found.at(), "expected " + wanted + ", found " + found.shown());
    }
}
