package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.ExpressionParser;
import java.util.List;

/**
 * A condition: the value of an expression is one of a list.
 *
 * @param expression its text
 * @param values of the classes of {@link io.sdds.client.Row}, none null
 * @param isExact whether no other value passes; else bricks get a Bloom filter
 */
public record Membership(String expression, List<?> values, boolean isExact) {
    public Membership {
        values = List.copyOf(values);
    }

    Expression condition() {
        return ExpressionParser.member(QueryCompiler.WHERE, expression, values, isExact);
    }
}
