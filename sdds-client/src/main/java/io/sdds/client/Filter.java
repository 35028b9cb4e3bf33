package io.sdds.client;

/**
 * Selects the records of a query by an expression over a record's key and value. The bricks evaluate the filter next to
 * the records. Immutable; {@link Filters} makes filters.
 *
 * <pre>{@code
 * Filter cats = Filters.value().contains("CAT").and(Filters.key().startsWith("U+1F6").negate());
 * long count = table.scan(cats).count();
 * }</pre>
 */
public final class Filter {
    private final io.sdds.core.protocol.Filter expression;

    Filter(io.sdds.core.protocol.Filter expression) {
        this.expression = expression;
    }

    /** The filter that every record passes. */
    public static Filter everything() {
        return new Filter(io.sdds.core.protocol.Filter.everything());
    }

    /** The filter that a record passes if it passes both this one and another. */
    public Filter and(Filter other) {
        return new Filter(expression.and(other.expression));
    }

    /** The filter that a record passes if it passes this one or another. */
    public Filter or(Filter other) {
        return new Filter(expression.or(other.expression));
    }

    /** The filter that a record passes if it does not pass this one. */
    public Filter negate() {
        return new Filter(expression.negate());
    }

    /**
     * The filter as requests carry it.
     *
     * @throws IllegalArgumentException when it is too large
     */
    byte[] encoded() {
        return expression.encode();
    }

    /** Whether the other object is a filter of the same expression. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Filter filter && expression.equals(filter.expression);
    }

    /** A hash code that fits {@link #equals}. */
    @Override
    public int hashCode() {
        return expression.hashCode();
    }

    /** The filter as text that {@link Filters#parse} reads. */
    @Override
    public String toString() {
        return expression.toString();
    }
}
