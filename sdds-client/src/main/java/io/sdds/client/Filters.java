package io.sdds.client;

import io.sdds.core.protocol.Filter;
import java.nio.charset.StandardCharsets;

/**
 * Filters of scans, as expressions: {@code where(value().contains("CAT").and(key().startsWith("U+1F6").negate()))}. Text is compared by its UTF-8
 * bytes.
 */
public final class Filters {
    private Filters() {}

    /** A part of a record, to be compared. */
    public static final class Part {
        private final Filter.Field field;

        private Part(Filter.Field field) {
            this.field = field;
        }

        public Filter contains(String text) {
            return contains(utf8(text));
        }

        public Filter contains(byte[] bytes) {
            return match(Filter.Test.CONTAINS, bytes);
        }

        public Filter startsWith(String text) {
            return startsWith(utf8(text));
        }

        public Filter startsWith(byte[] bytes) {
            return match(Filter.Test.PREFIX, bytes);
        }

        public Filter is(String text) {
            return is(utf8(text));
        }

        public Filter is(byte[] bytes) {
            return match(Filter.Test.EQUALS, bytes);
        }

        private Filter match(Filter.Test test, byte[] bytes) {
            return new Filter.Match(field, test, bytes.clone());
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The key's bytes. */
    public static Part key() {
        return new Part(Filter.Field.KEY);
    }

    /** The value's bytes. */
    public static Part value() {
        return new Part(Filter.Field.VALUE);
    }

    /** Reads as a sentence: {@code table.scan(where(value().contains("CAT")))}. */
    public static Filter where(Filter filter) {
        return filter;
    }

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
        return new FilterParser(text).parse();
    }
}
