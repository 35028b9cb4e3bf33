package io.sdds.client.internal.query.lang;

/**
 * A column of a result.
 *
 * @param name after {@code as}, else the name of the column, else the text of the expression
 */
public record SelectItem(Expression expression, String name) {}
