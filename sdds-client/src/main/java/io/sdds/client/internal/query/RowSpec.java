package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.ExpressionParser;
import io.sdds.client.internal.query.lang.OrderItem;
import io.sdds.client.internal.query.lang.SelectItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a query of rows asks for. The methods that take a text throw IllegalArgumentException with one line that names
 * the text, the position in it and what is wrong.
 *
 * @param where conditions, which must all be true
 * @param select the columns of the result; empty: those of {@code groupBy} and {@code aggregate}, or all columns
 * @param groupBy empty: none
 * @param aggregate further columns of the result
 * @param orderBy empty: none
 * @param limit most rows
 */
public record RowSpec(
        List<Expression> where,
        List<SelectItem> select,
        List<SelectItem> groupBy,
        List<SelectItem> aggregate,
        List<OrderItem> orderBy,
        long limit) {
    public RowSpec {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit);
        }
    }

    /** All columns of the rows that meet some conditions. */
    public static RowSpec of(List<Expression> where, long limit) {
        return new RowSpec(where, List.of(), List.of(), List.of(), List.of(), limit);
    }

    public RowSpec withCondition(String text) {
        return withCondition(BoundText.of(text));
    }

    public RowSpec withCondition(BoundText text) {
        return withCondition(ExpressionParser.expression(QueryCompiler.WHERE, text));
    }

    public RowSpec withCondition(Expression condition) {
        List<Expression> more = new ArrayList<>(where);
        more.add(condition);
        return new RowSpec(List.copyOf(more), select, groupBy, aggregate, orderBy, limit);
    }

    /** As {@link Expression#isIn}. */
    public RowSpec withMembers(String text, List<?> values, boolean isExact) {
        return withCondition(Expression.isIn(ExpressionParser.expression(QueryCompiler.WHERE, text), values, isExact));
    }

    public RowSpec withSelect(String text) {
        List<SelectItem> items = ExpressionParser.selectList(QueryCompiler.SELECT, text);
        return new RowSpec(where, items, groupBy, aggregate, orderBy, limit);
    }

    public RowSpec withGroupBy(String text) {
        List<SelectItem> items = ExpressionParser.selectList(QueryCompiler.GROUP_BY, text);
        return new RowSpec(where, select, items, aggregate, orderBy, limit);
    }

    public RowSpec withAggregate(String text) {
        List<SelectItem> items = ExpressionParser.selectList(QueryCompiler.AGGREGATE, text);
        return new RowSpec(where, select, groupBy, items, orderBy, limit);
    }

    public RowSpec withOrderBy(String text) {
        List<OrderItem> items = ExpressionParser.orderList(QueryCompiler.ORDER_BY, text);
        return new RowSpec(where, select, groupBy, aggregate, items, limit);
    }

    public RowSpec withLimit(long rows) {
        return new RowSpec(where, select, groupBy, aggregate, orderBy, rows);
    }

    /** The same query with values in the places of parameters, of which its order has none. */
    public RowSpec with(Function<Expression.Parameter, Expression> values) {
        return new RowSpec(
                where.stream().map(condition -> condition.with(values)).toList(),
                with(select, values),
                with(groupBy, values),
                with(aggregate, values),
                orderBy,
                limit);
    }

    private static List<SelectItem> with(List<SelectItem> items, Function<Expression.Parameter, Expression> values) {
        return items.stream()
                .map(item -> new SelectItem(item.expression().with(values), item.name()))
                .toList();
    }
}
