package io.sdds.client.internal.query.lang;

/**
 * A part of an order.
 *
 * @param nullsFirst as written; else as PostgreSQL has it: NULL is larger than each value
 */
public record OrderItem(Expression expression, boolean descending, boolean nullsFirst) {}
