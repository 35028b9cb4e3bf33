package io.sdds.client;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.FilterParser;
import java.nio.charset.StandardCharsets;

/**
 * Makes the filters of queries. Text is compared by its UTF-8 bytes.
 *
 * <pre>{@code
 * long cats = table.scan(where(value().contains("CAT").and(not(key().startsWith("U+1F6"))))).count();
 * }</pre>
 */
public final class Filters {
    private Filters() {}

    /** A part of a record, with the ways to compare it. */
    public static final class Part {
        private final String name;

        private Part(String name) {
            this.name = name;
        }

        /** The filter of records whose part has the text somewhere in it. */
        public Filter contains(String text) {
            return contains(utf8(text));
        }

        /** The filter of records whose part has these bytes somewhere in it. The array is copied. */
        public Filter contains(byte[] bytes) {
            return test("contains", bytes);
        }

        /** The filter of records whose part begins with the text. */
        public Filter startsWith(String text) {
            return startsWith(utf8(text));
        }

        /** The filter of records whose part begins with these bytes. The array is copied. */
        public Filter startsWith(byte[] bytes) {
            return test("starts_with", bytes);
        }

        /** The filter of records whose part is the text. */
        public Filter is(String text) {
            return is(utf8(text));
        }

        /** The filter of records whose part is these bytes. The array is copied. */
        public Filter is(byte[] bytes) {
            return test("=", bytes);
        }

        private Filter test(String function, byte[] bytes) {
            return new Filter(Expression.test(name, function, bytes.clone()));
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The key of a record, by its bytes. */
    public static Part key() {
        return new Part("_key");
    }

    /** The value of a record, by its bytes. */
    public static Part value() {
        return new Part("_value");
    }

    /** The filter itself, so that a query reads as a sentence: {@code table.scan(where(value().contains("CAT")))}. */
    public static Filter where(Filter filter) {
        return filter;
    }

    /** The filter that a record passes if it does not pass another. */
    public static Filter not(Filter filter) {
        return filter.negate();
    }

    /**
     * Reads a filter's text, such as {@code value contains 'CAT' and not key prefix 'U+1F6'}.
     *
     * <pre>
     * filter     = and { "or" and }
     * and        = not { "and" not }
     * not        = "not" not | "(" filter ")" | "true" | "false" | comparison
     * comparison = ( "key" | "value" ) ( "=" | "prefix" | "contains" ) literal
     * literal    = "'" text "'", a quote in it doubled | "x'" hexadecimal digits "'"
     * </pre>
     *
     * @throws IllegalArgumentException one line that names the position, counted from 1, and what was expected there
     */
    public static Filter parse(String text) {
        return new Filter(FilterParser.parse(text));
    }
}
