package io.sdds.client.internal;

import io.sdds.core.protocol.Filter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Reads the text of a filter by recursive descent; the grammar stands at {@link io.sdds.client.Filters#parse}. */
public final class FilterParser {
    private final String text;
    private int at;
    private int depth;

    public FilterParser(String text) {
        this.text = text;
    }

    public Filter parse() {
        Filter filter = disjunction();
        if (!peek().isEmpty()) {
            throw expected("'and', 'or' or the end");
        }
        return filter;
    }

    private Filter disjunction() {
        List<Filter> parts = new ArrayList<>();
        do {
            parts.add(conjunction());
        } while (accept("or"));
        return parts.size() == 1 ? parts.get(0) : new Filter.Or(parts);
    }

    private Filter conjunction() {
        List<Filter> parts = new ArrayList<>();
        do {
            parts.add(negation());
        } while (accept("and"));
        return parts.size() == 1 ? parts.get(0) : new Filter.And(parts);
    }

    private Filter negation() {
        if (++depth > Filter.DEPTH_MAX) {
            throw new IllegalArgumentException("filter, position " + (at + 1) + ": deeper than " + Filter.DEPTH_MAX);
        }
        Filter filter = unguarded();
        depth--;
        return filter;
    }

    private Filter unguarded() {
        if (accept("not")) {
            return new Filter.Not(negation());
        }
        if (accept("(")) {
            Filter inner = disjunction();
            if (!accept(")")) {
                throw expected("')'");
            }
            return inner;
        }
        if (accept("true")) {
            return Filter.everything();
        }
        return accept("false") ? new Filter.Or(List.of()) : comparison();
    }

    private Filter comparison() {
        Filter.Field field;
        if (accept("key")) {
            field = Filter.Field.KEY;
        } else if (accept("value")) {
            field = Filter.Field.VALUE;
        } else {
            throw expected("'key', 'value', 'not' or '('");
        }
        return new Filter.Match(field, test(), literal());
    }

    private Filter.Test test() {
        if (accept("=")) {
            return Filter.Test.EQUALS;
        }
        if (accept("prefix")) {
            return Filter.Test.PREFIX;
        }
        if (accept("contains")) {
            return Filter.Test.CONTAINS;
        }
        throw expected("'=', 'prefix' or 'contains'");
    }

    private byte[] literal() {
        skipBlanks();
        boolean hex = text.startsWith("x'", at) || text.startsWith("X'", at);
        if (!hex && !text.startsWith("'", at)) {
            throw expected("a text in single quotes");
        }
        int start = at;
        at += hex ? 2 : 1;
        String content = quoted(start);
        if (!hex) {
            return content.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().parseHex(content);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "filter, position " + (start + 1) + ": expected pairs of hexadecimal digits", e);
        }
    }

    /** Reads the text up to the closing quote, and skips the quote. */
    private String quoted(int start) {
        StringBuilder content = new StringBuilder();
        while (true) {
            int quote = text.indexOf('\'', at);
            if (quote < 0) {
                throw new IllegalArgumentException(
                        "filter, position " + (start + 1) + ": the text that begins here has no closing quote");
            }
            content.append(text, at, quote);
            at = quote + 1;
            if (!text.startsWith("'", at)) {
                return content.toString();
            }
            content.append('\'');
            at++;
        }
    }

    /** Skips a word if the word is next. */
    private boolean accept(String word) {
        String next = peek();
        if (!next.toLowerCase(Locale.ROOT).equals(word)) {
            return false;
        }
        at += next.length();
        return true;
    }

    /** The next word or sign; empty at the end. */
    private String peek() {
        skipBlanks();
        int end = at;
        while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
            end++;
        }
        return end == at && end < text.length() ? text.substring(at, at + 1) : text.substring(at, end);
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException expected(String what) {
        String found = peek();
        return new IllegalArgumentException("filter, position " + (at + 1) + ": expected " + what + ", found "
                + (found.isEmpty() ? "the end" : "'" + found + "'"));
    }
}
