package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.client.internal.query.lang.KeyConditions;
import io.sdds.client.internal.query.lang.OrderItem;
import io.sdds.client.internal.query.lang.ProgramBuilder;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.client.internal.query.lang.SelectItem;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.SortKey;
import io.sdds.core.query.Program;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compiles queries. All methods throw NoProgramException with one line that names the text, the position in it and what
 * is wrong.
 */
final class QueryCompiler {
    static final String WHERE = "where";
    static final String SELECT = "select";
    static final String GROUP_BY = "group by";
    static final String AGGREGATE = "aggregate";
    static final String ORDER_BY = "order by";

    private QueryCompiler() {}

    /**
     * A column of the result.
     *
     * @param text which text the expression stands in
     */
    record ResultColumn(Expression expression, String name, String text) {}

    /**
     * A query for records, whose columns are the bytes of the key and of the value.
     *
     * @param filter null: none
     * @param withValues whether there are values
     */
    static CompiledQuery records(
            Schema schema, @Nullable Expression filter, List<Expression> where, boolean withValues) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        List<Expression> conditions = conditions(filter, where);
        int condition = condition(builder, conditions);
        List<String> names = withValues ? List.of("_key", "_value") : List.of("_key");
        List<Integer> columns = names.stream()
                .map(name -> builder.add(SELECT, new Name(name, false, 0)))
                .toList();
        Program program = builder.build(condition, new Output.Project(columns, Integer.MAX_VALUE));
        return new CompiledQuery(program, null, List.of(), new RowColumns(names, program.tuple()), Long.MAX_VALUE)
                .withKeys(KeyConditions.bounds(schema, conditions));
    }

    /**
     * A query for rows.
     *
     * @param filter null: none
     */
    static CompiledQuery rows(Schema schema, @Nullable Expression filter, RowSpec spec) {
        GroupNames groups = new GroupNames(schema, spec.groupBy());
        List<ResultColumn> items = items(schema, spec).stream()
                .map(item -> new ResultColumn(groups.resolved(item.expression()), item.name(), item.text()))
                .toList();
        List<OrderItem> order = order(spec, items).stream()
                .map(item -> new OrderItem(groups.resolved(item.expression()), item.descending(), item.nullsFirst()))
                .toList();
        boolean hasGroups = !spec.groupBy().isEmpty()
                || Stream.concat(
                                items.stream().map(ResultColumn::expression),
                                order.stream().map(OrderItem::expression))
                        .anyMatch(item -> item.has(Expression.Aggregate.class));
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        List<Expression> conditions = conditions(filter, spec.where());
        int condition = condition(builder, conditions);
        KeyBounds keys = KeyConditions.bounds(schema, conditions);
        if (hasGroups) {
            return new GroupCompiler(builder, groups.keys(items), items, order)
                    .compile(condition, spec.limit())
                    .withKeys(keys);
        }
        List<Integer> values = new ArrayList<>();
        order.forEach(item -> values.add(builder.add(ORDER_BY, item.expression())));
        List<Integer> columns = new ArrayList<>();
        items.forEach(item -> columns.add(builder.add(item.text(), item.expression())));
        RowColumns result = columns(items, columns, builder);
        List<SortKey> sortKeys = sortKeys(order, values);
        Program program = builder.build(condition, output(sortKeys, columns, spec.limit()));
        return new CompiledQuery(program, null, sortKeys, result, spec.limit(), keys);
    }

    private static Output output(List<SortKey> order, List<Integer> columns, long limit) {
        long rows = Math.max(1, limit);
        if (order.isEmpty()) {
            return new Output.Project(columns, (int) Math.min(Integer.MAX_VALUE, rows));
        }
        if (rows <= Program.TOP_ROWS_MAX) {
            return new Output.Top(order, columns, (int) rows);
        }
        List<Integer> all = new ArrayList<>();
        order.forEach(key -> all.add(key.value()));
        all.addAll(columns);
        return new Output.Project(all, Integer.MAX_VALUE);
    }

    static RowColumns columns(List<ResultColumn> items, List<Integer> numbers, ProgramBuilder builder) {
        return new RowColumns(
                items.stream().map(ResultColumn::name).toList(),
                numbers.stream().map(builder::type).toList());
    }

    static List<SortKey> sortKeys(List<OrderItem> order, List<Integer> values) {
        List<SortKey> keys = new ArrayList<>();
        for (int k = 0; k < order.size(); k++) {
            keys.add(new SortKey(
                    values.get(k), order.get(k).descending(), order.get(k).nullsFirst()));
        }
        return keys;
    }

    /** The columns of the result. */
    private static List<ResultColumn> items(Schema schema, RowSpec spec) {
        List<ResultColumn> items = new ArrayList<>();
        if (!spec.select().isEmpty()) {
            items.addAll(columns(SELECT, spec.select()));
        } else if (!spec.groupBy().isEmpty()) {
            items.addAll(columns(GROUP_BY, spec.groupBy()));
        } else if (spec.aggregate().isEmpty()) {
            items.addAll(allColumns(schema));
        }
        items.addAll(columns(AGGREGATE, spec.aggregate()));
        return items;
    }

    private static List<ResultColumn> columns(String what, List<SelectItem> items) {
        return items.stream()
                .map(item -> new ResultColumn(item.expression(), item.name(), what))
                .toList();
    }

    private static List<ResultColumn> allColumns(Schema schema) {
        List<String> names = schema.exists()
                ? schema.liveColumns().stream().map(Column::name).toList()
                : List.of("key", "value");
        return names.stream()
                .map(name -> new ResultColumn(new Name(name, true, 0), name, SELECT))
                .toList();
    }

    /** The order, where a name may be that of a column of the result. */
    private static List<OrderItem> order(RowSpec spec, List<ResultColumn> items) {
        return spec.orderBy().stream()
                .map(item -> new OrderItem(resolved(item.expression(), items), item.descending(), item.nullsFirst()))
                .toList();
    }

    /** What a name means as that of a column of the result; the expression itself if it is no such name. */
    static Expression resolved(Expression expression, List<ResultColumn> items) {
        if (!(expression instanceof Name name)) {
            return expression;
        }
        return items.stream()
                .filter(item -> name.quoted()
                        ? item.name().equals(name.name())
                        : item.name().equalsIgnoreCase(name.name()))
                .map(ResultColumn::expression)
                .findFirst()
                .orElse(expression);
    }

    // ---- the condition

    /**
     * Bounds of the keys of the records that pass a filter, ascending.
     *
     * @param filter null: none
     */
    static KeyBounds keys(Schema schema, @Nullable Expression filter) {
        return filter == null ? KeyBounds.ALL : KeyConditions.bounds(schema, conditions(filter, List.of()));
    }

    /** All conditions that records must meet. */
    static List<Expression> conditions(@Nullable Expression filter, List<Expression> where) {
        List<Expression> conditions = new ArrayList<>();
        if (filter != null) {
            conditions.add(filter);
        }
        conditions.addAll(where);
        return conditions;
    }

    /** The number of the instruction of the conditions; -1: there is none. */
    private static int condition(ProgramBuilder builder, List<Expression> conditions) {
        if (conditions.isEmpty()) {
            return -1;
        }
        return builder.addCondition(WHERE, Expression.joined("and", conditions));
    }
}
