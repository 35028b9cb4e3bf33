package io.sdds.client.internal.query;

import io.sdds.client.internal.query.QueryCompiler.ResultColumn;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.Expression.Aggregate;
import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.Expression.Cast;
import io.sdds.client.internal.query.lang.Expression.Function;
import io.sdds.client.internal.query.lang.OrderItem;
import io.sdds.client.internal.query.lang.ProgramBuilder;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Output.Aggregation;
import io.sdds.core.query.Output.SortKey;
import io.sdds.core.query.Program;
import io.sdds.core.query.Typing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles a query with groups to two programs. The bricks evaluate the first one: the keys of the groups and the
 * states of the aggregates. The client evaluates the second one for each merged group: the columns of the result and
 * the order, in which keys and aggregates are columns. An average is a quotient there.
 */
final class GroupCompiler {
    private final ProgramBuilder parts;
    private final List<Expression> keys;
    private final List<ResultColumn> items;
    private final List<OrderItem> order;
    private final List<Aggregation> aggregations = new ArrayList<>();

    /** The number of each aggregate in {@link #aggregations}. */
    private final Map<Aggregate, Integer> states = new LinkedHashMap<>();

    /**
     * @param parts has the condition
     * @param keys expressions that group rows; empty: all rows are one group
     */
    GroupCompiler(ProgramBuilder parts, List<Expression> keys, List<ResultColumn> items, List<OrderItem> order) {
        this.parts = parts;
        this.keys = keys;
        this.items = items.stream()
                .map(item -> new ResultColumn(withoutAverages(item.expression()), item.name(), item.text()))
                .toList();
        this.order = order.stream()
                .map(item -> new OrderItem(withoutAverages(item.expression()), item.descending(), item.nullsFirst()))
                .toList();
    }

    private static Expression withoutAverages(Expression expression) {
        if (expression instanceof Aggregate average && average.function() == Function.AVG) {
            int at = average.at();
            return new Call(
                    "/",
                    List.of(
                            new Aggregate(Function.SUM, average.operand(), at),
                            new Aggregate(Function.COUNT, average.operand(), at)),
                    at);
        }
        return expression.map(GroupCompiler::withoutAverages);
    }

    /** @param condition number of the condition's instruction; -1: there is none */
    CompiledQuery compile(int condition, long limit) {
        List<Integer> keyNumbers = new ArrayList<>();
        keys.forEach(key -> keyNumbers.add(parts.add(QueryCompiler.GROUP_BY, key)));
        items.forEach(item -> addStates(item.text(), item.expression()));
        order.forEach(item -> addStates(QueryCompiler.ORDER_BY, item.expression()));
        Program program = parts.build(condition, new Output.Aggregate(keyNumbers, List.copyOf(aggregations)));

        ProgramBuilder last = new ProgramBuilder(scope(program));
        List<Integer> values = new ArrayList<>();
        order.forEach(item -> values.add(last.add(QueryCompiler.ORDER_BY, item.expression())));
        List<Integer> columns = new ArrayList<>();
        items.forEach(item -> columns.add(last.add(item.text(), item.expression())));
        RowColumns result = QueryCompiler.columns(items, columns, last);
        List<SortKey> sortKeys = QueryCompiler.sortKeys(order, values);
        values.addAll(columns);
        Program finish = last.build(-1, new Output.Project(values, Integer.MAX_VALUE));
        return new CompiledQuery(program, finish, sortKeys, result, limit);
    }

    /** Adds the states of the aggregates in an expression, each once. */
    private void addStates(String what, Expression expression) {
        if (expression instanceof Aggregate aggregate) {
            states.computeIfAbsent(aggregate, absent -> state(what, absent));
        } else if (expression instanceof Call call) {
            call.operands().forEach(operand -> addStates(what, operand));
        } else if (expression instanceof Cast cast) {
            addStates(what, cast.operand());
        }
    }

    private int state(String what, Aggregate aggregate) {
        Expression of = aggregate.operand();
        int operand = of == null ? -1 : parts.add(what, of);
        if (aggregate.function() == Function.SUM && operand != -1 && !Typing.isNumber(parts.type(operand))) {
            throw parts.error(aggregate, "expected a number to add up, found a value of type " + parts.type(operand));
        }
        Aggregation aggregation = new Aggregation(function(aggregate.function(), operand), operand);
        int known = aggregations.indexOf(aggregation);
        if (known >= 0) {
            return known;
        }
        aggregations.add(aggregation);
        return aggregations.size() - 1;
    }

    private static AggregateFunction function(Function function, int operand) {
        return switch (function) {
            case COUNT -> operand == -1 ? AggregateFunction.COUNT_ROWS : AggregateFunction.COUNT;
            case SUM -> AggregateFunction.SUM;
            case MIN -> AggregateFunction.MIN;
            case MAX -> AggregateFunction.MAX;
            case AVG -> throw new IllegalStateException("averages are quotients");
        };
    }

    private Scope scope(Program program) {
        Scope scope = Scope.ofTuples(program.tuple());
        for (int k = 0; k < keys.size(); k++) {
            scope.bind(keys.get(k), k);
        }
        states.forEach((aggregate, number) -> scope.bind(aggregate, keys.size() + number));
        return scope;
    }
}
