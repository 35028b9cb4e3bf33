package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.core.row.Token;
import io.sdds.core.row.TokenReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads the text of a filter by recursive descent; the grammar stands at {@link io.sdds.client.Filters#parse}. */
public final class FilterParser {
    private static final String FILTER = "filter";
    private static final int DEPTH_MAX = 16;

    private final TokenReader tokens;
    private int depth;

    private FilterParser(String text) {
        this.tokens = new TokenReader(FILTER, text);
    }

    /**
     * The condition that a text says.
     *
     * @throws IllegalArgumentException one line that names the position and what was expected there
     */
    public static Expression parse(String text) {
        FilterParser parser = new FilterParser(text);
        Expression filter = parser.disjunction();
        parser.tokens.expectEnd("'and', 'or' or the end");
        return filter;
    }

    private Expression disjunction() {
        List<Expression> parts = new ArrayList<>();
        do {
            parts.add(conjunction());
        } while (tokens.accept("or"));
        return Expression.joined("or", parts);
    }

    private Expression conjunction() {
        List<Expression> parts = new ArrayList<>();
        do {
            parts.add(negation());
        } while (tokens.accept("and"));
        return Expression.joined("and", parts);
    }

    private Expression negation() {
        if (++depth > DEPTH_MAX) {
            throw tokens.error(tokens.peek().at(), "deeper than " + DEPTH_MAX);
        }
        Expression filter = unguarded();
        depth--;
        return filter;
    }

    private Expression unguarded() {
        if (tokens.accept("not")) {
            return new Call("not", List.of(negation()), 0);
        }
        if (tokens.accept("(")) {
            Expression inner = disjunction();
            tokens.expect(")");
            return inner;
        }
        if (tokens.accept("true")) {
            return Literals.bool(true, 0);
        }
        return tokens.accept("false") ? Literals.bool(false, 0) : test();
    }

    private Expression test() {
        String part = oneOf("'key', 'value', 'not' or '('", "key", "value");
        String word = oneOf("'=', 'prefix' or 'contains'", "=", "prefix", "contains");
        return Expression.test("_" + part, word.equals("prefix") ? "starts_with" : word, literal());
    }

    /** Takes one of some words and signs. */
    private String oneOf(String wanted, String... words) {
        for (String word : words) {
            if (tokens.accept(word)) {
                return word;
            }
        }
        throw tokens.expected(wanted, tokens.peek());
    }

    private byte[] literal() {
        Token token = tokens.take();
        return switch (token.kind()) {
            case TEXT -> token.content().getBytes(StandardCharsets.UTF_8);
            case BYTES -> Objects.requireNonNull(Literals.bytes(FILTER, token).value());
            default -> throw tokens.expected("a text in single quotes", token);
        };
    }
}
