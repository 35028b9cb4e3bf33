package io.sdds.client;

import io.sdds.client.internal.FilterParser;
import io.sdds.core.protocol.Filter.Field;
import io.sdds.core.protocol.Filter.Match;
import io.sdds.core.protocol.Filter.Test;
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
        private final Field field;

        private Part(Field field) {
            this.field = field;
        }

        /** The filter of records whose part has the text somewhere in it. */
        public Filter contains(String text) {
            return contains(utf8(text));
        }

        /** The filter of records whose part has these bytes somewhere in it. The array is copied. */
        public Filter contains(byte[] bytes) {
            return match(Test.CONTAINS, bytes);
        }

        /** The filter of records whose part begins with the text. */
        public Filter startsWith(String text) {
            return startsWith(utf8(text));
        }

        /** The filter of records whose part begins with these bytes. The array is copied. */
        public Filter startsWith(byte[] bytes) {
            return match(Test.PREFIX, bytes);
        }

        /** The filter of records whose part is the text. */
        public Filter is(String text) {
            return is(utf8(text));
        }

        /** The filter of records whose part is these bytes. The array is copied. */
        public Filter is(byte[] bytes) {
            return match(Test.EQUALS, bytes);
        }

        private Filter match(Test test, byte[] bytes) {
            return new Filter(new Match(field, test, bytes.clone()));
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The key of a record, by its bytes. */
    public static Part key() {
        return new Part(Field.KEY);
    }

    /** The value of a record, by its bytes. */
    public static Part value() {
        return new Part(Field.VALUE);
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
        return new Filter(new FilterParser(text).parse());
    }
}
