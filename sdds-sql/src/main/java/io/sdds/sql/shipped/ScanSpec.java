package io.sdds.sql.shipped;

import io.sdds.client.internal.query.RowSpec;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.OrderItem;
import io.sdds.client.internal.query.lang.SelectItem;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * What a scan asks of the bricks.
 *
 * @param conditions all must be true; over the columns of the table
 * @param where the same conditions in the language of bricks
 * @param values expressions over the columns of the table that are the result; null: the result is groups
 * @param outputs the columns of the result in the language of bricks
 * @param groups the expressions of groups, which are the first columns of the result; null: the result is no groups
 * @param order of the result
 * @param limit rows of the result at most; null: all
 * @param lookup the keys of records that are read whole, without a program; null: bricks evaluate all that is above
 */
public record ScanSpec(
        List<RexNode> conditions,
        List<Expression> where,
        @Nullable List<RexNode> values,
        List<Expression> outputs,
        @Nullable List<Expression> groups,
        List<RelFieldCollation> order,
        @Nullable ScanLimit limit,
        @Nullable KeyLookup lookup) {

    /** The number of rows. */
    public static final Expression COUNT =
            new Expression.Aggregate(Expression.Function.COUNT, null, Expression.NOWHERE);

    /** The whole records of keys. */
    public static ScanSpec of(KeyLookup keys) {
        return new ScanSpec(List.of(), List.of(), null, List.of(), null, List.of(), null, keys);
    }

    /** The rows that a condition leaves, without columns. */
    public static ScanSpec where(List<Expression> where) {
        List<Expression> nothing = List.of(Expression.constant(ValueType.INTEGER, 1));
        return new ScanSpec(List.of(), where, List.of(), nothing, null, List.of(), null, null);
    }

    public boolean isGrouped() {
        return groups != null;
    }

    /** Whether the result is the number of all records, which partitions know. */
    public boolean isSize() {
        boolean isOneGroup = groups != null && groups.isEmpty() && where.isEmpty() && limit == null;
        return isOneGroup && outputs.size() == 1 && outputs.get(0).equals(COUNT);
    }

    /** Whether nothing more can be folded into it. */
    public boolean isComplete() {
        return limit != null || !order.isEmpty() || lookup != null;
    }

    public ScanSpec withConditions(List<RexNode> further, List<Expression> shipped) {
        return new ScanSpec(
                joined(conditions, further), joined(where, shipped), values, outputs, groups, order, limit, null);
    }

    /** Without some conditions. */
    public ScanSpec without(Set<Integer> positions) {
        List<RexNode> others = new ArrayList<>();
        List<Expression> shipped = new ArrayList<>();
        for (int k = 0; k < conditions.size(); k++) {
            if (!positions.contains(k)) {
                others.add(conditions.get(k));
                shipped.add(where.get(k));
            }
        }
        return new ScanSpec(others, shipped, values, outputs, groups, order, limit, lookup);
    }

    public ScanSpec withOutputs(List<RexNode> nodes, List<Expression> shipped) {
        return new ScanSpec(conditions, where, nodes, shipped, null, order, limit, null);
    }

    public ScanSpec withGroups(List<Expression> keys, List<Expression> columns) {
        return new ScanSpec(conditions, where, null, columns, keys, order, limit, null);
    }

    public ScanSpec withOrder(List<RelFieldCollation> by, @Nullable ScanLimit rows) {
        return new ScanSpec(conditions, where, values, outputs, groups, by, rows, null);
    }

    private static <T> List<T> joined(List<T> some, List<T> others) {
        List<T> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    // ---- the query

    /** The query of the client, with parameters and without the limit. */
    public RowSpec query() {
        return new RowSpec(
                where,
                named(outputs),
                groups == null ? List.of() : named(groups),
                List.of(),
                order.stream().map(ScanSpec::item).toList(),
                Long.MAX_VALUE);
    }

    /** Expressions with the names of columns of the result, by which an order names them. */
    public static List<SelectItem> named(List<Expression> expressions) {
        List<SelectItem> items = new ArrayList<>();
        expressions.forEach(each -> items.add(new SelectItem(each, output(items.size()))));
        return items;
    }

    private static String output(int index) {
        return "c" + index;
    }

    private static OrderItem item(RelFieldCollation by) {
        boolean isDescending = by.direction.isDescending();
        boolean nullsFirst = switch (by.nullDirection) {
            case FIRST -> true;
            case LAST -> false;
            case UNSPECIFIED -> isDescending;
        };
        Expression output = new Expression.Name(output(by.getFieldIndex()), false, Expression.NOWHERE);
        return new OrderItem(output, isDescending, nullsFirst);
    }

    /** Adds what EXPLAIN shows. */
    public Explanation explained(Explanation explained) {
        if (lookup != null) {
            return explained.with("keys", lookup);
        }
        return explained
                .with("where", shown(where, " and "))
                .with("groupBy", groups == null ? null : shown(groups, ", "))
                .with(
                        "select",
                        named(outputs).stream()
                                .map(item -> item.expression().text(true) + " as " + item.name())
                                .collect(Collectors.joining(", ")))
                .with(
                        "orderBy",
                        order.isEmpty()
                                ? null
                                : order.stream().map(ScanSpec::shown).collect(Collectors.joining(", ")))
                .with("limit", limit);
    }

    /** Expressions as EXPLAIN shows them; null: there are none. */
    public static @Nullable String shown(List<Expression> expressions, String between) {
        return expressions.isEmpty()
                ? null
                : expressions.stream().map(each -> each.text(true)).collect(Collectors.joining(between));
    }

    private static String shown(RelFieldCollation by) {
        OrderItem item = item(by);
        return item.expression().text(true)
                + (item.descending() ? " desc" : "")
                + (item.nullsFirst() ? " nulls first" : " nulls last");
    }
}
