package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.Expression.Literal;
import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.core.protocol.Filter;
import io.sdds.core.row.ValueType;
import java.util.List;

/** Filters as expressions, so that they combine with conditions given as text. */
final class FilterExpression {
    private FilterExpression() {}

    /** The condition that the records that pass the filter meet. */
    static Expression of(Filter filter) {
        if (filter instanceof Filter.And and) {
            return joined("and", and.parts().stream().map(FilterExpression::of).toList());
        }
        if (filter instanceof Filter.Or or) {
            return joined("or", or.parts().stream().map(FilterExpression::of).toList());
        }
        if (filter instanceof Filter.Not not) {
            return new Call("not", List.of(of(not.part())), 0);
        }
        Filter.Match match = (Filter.Match) filter;
        String function = switch (match.test()) {
            case EQUALS -> "=";
            case PREFIX -> "starts_with";
            case CONTAINS -> "contains";
        };
        Expression part = new Name(match.field() == Filter.Field.KEY ? "_key" : "_value", false, 0);
        return new Call(function, List.of(part, new Literal(ValueType.VARBINARY, match.operand(), 0)), 0);
    }

    /** Conditions with AND or OR between them; of none TRUE or FALSE. */
    static Expression joined(String word, List<Expression> conditions) {
        return switch (conditions.size()) {
            case 0 -> new Literal(ValueType.BOOLEAN, new byte[] {(byte) (word.equals("and") ? 1 : 0)}, 0);
            case 1 -> conditions.get(0);
            default -> new Call(word, conditions, 0);
        };
    }
}
