package io.sdds.client.internal.query.lang;

/** A value for a column, as in {@code visits = visits + 1}. */
public record Assignment(Expression.Name column, Expression value) {}
