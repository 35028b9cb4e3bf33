package io.sdds.sql.random;

import static io.sdds.sql.random.Part.joined;
import static io.sdds.sql.random.Part.node;
import static io.sdds.sql.random.Part.optional;

import io.sdds.sql.random.Part.Node;
import io.sdds.sql.random.Scope.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random queries: selects, sets of rows of several queries, and common table expressions. */
final class Queries {
    private static final String[] SETS = {
        " UNION ", " UNION ALL ", " INTERSECT ", " INTERSECT ALL ", " EXCEPT ", " EXCEPT ALL "
    };

    private final SplittableRandom random;
    private final Expressions expressions;
    private final Aggregates aggregates;
    private final Sources sources;

    Queries(SplittableRandom random, Tables tables, boolean hasParameters) {
        this.random = random;
        expressions = new Expressions(random, this, hasParameters);
        aggregates = new Aggregates(random, expressions);
        sources = new Sources(random, tables, this, expressions);
    }

    Expressions expressions() {
        return expressions;
    }

    /** A whole query, whose rows have one order if {@code isOrdered}. */
    Node whole(List<SqlType> types, boolean isOrdered) {
        Node with = random.nextInt(6) == 0 ? sources.with() : node(null);
        Node query = random.nextInt(5) == 0 ? set(types, 2, Scope.NONE) : select(types, 3, Scope.NONE);
        // The order stays when the statement is made shorter, because the comparison counts on it.
        Node order = isOrdered
                ? new Node(null, false, order(types, random.nextInt(2) == 0).parts())
                : node(null);
        return node(null, with, query, order);
    }

    List<SqlType> types() {
        return IntStream.range(0, random.nextInt(1, 5))
                .mapToObj(k -> random.nextInt(3) == 0
                        ? SqlType.INTEGER
                        : SqlType.values()[random.nextInt(SqlType.values().length)])
                .toList();
    }

    /** A subquery whose rows have these types. */
    Node ofTypes(List<SqlType> types, int depth, Scope outer) {
        if (depth > 0 && random.nextInt(10) == 0) {
            return set(types, depth - 1, outer);
        }
        Node select = select(types, depth, outer);
        return random.nextInt(12) == 0 ? node(types, select, order(types, true)) : select;
    }

    /** A subquery of which only matters whether it has rows. */
    Node any(int depth, Scope outer) {
        return random.nextBoolean()
                ? select(List.of(SqlType.INTEGER), depth, outer)
                : ofTypes(List.of(expressions.type(outer)), depth, outer);
    }

    /** A subquery in parentheses with one row at most. */
    Node scalar(SqlType type, int depth, Scope outer) {
        Sources.Source from = sources.from(depth, outer);
        Node where = where(depth, from.scope());
        if (SqlType.WITH_EXTREMES.contains(type) && random.nextInt(3) > 0) {
            Node value = type == SqlType.BIGINT && random.nextBoolean()
                    ? node(type, "COUNT(*)")
                    : aggregates.extreme(type, from.scope().own());
            return node(type, "(SELECT ", value, " FROM ", from.text(), where, ")");
        }
        return node(
                type,
                "(SELECT ",
                item(type, depth, from.scope()),
                " FROM ",
                from.text(),
                where,
                " ORDER BY 1",
                aggregates.direction(),
                " LIMIT 1)");
    }

    private Node set(List<SqlType> types, int depth, Scope outer) {
        Node query = part(types, depth, outer);
        for (int k = random.nextInt(1, 3); k > 0; k--) {
            query = node(types, query, SETS[random.nextInt(SETS.length)], part(types, depth, outer));
        }
        return query;
    }

    private Node part(List<SqlType> types, int depth, Scope outer) {
        Node select = select(types, depth, outer);
        return switch (random.nextInt(5)) {
            case 0 -> node(types, "(", select, order(types, true), ")");
            case 1 -> node(types, "(", select, ")");
            default -> select;
        };
    }

    /** An order by all columns, so that rows that it does not tell apart are equal. */
    Node order(List<SqlType> types, boolean hasLimit) {
        List<Node> columns = IntStream.rangeClosed(1, types.size())
                .mapToObj(k -> node(null, Integer.toString(k), aggregates.direction()))
                .toList();
        Node limit = hasLimit ? optional(limit()) : node(null);
        return optional(" ORDER BY ", joined(", ", columns), limit);
    }

    private String limit() {
        int rows = random.nextInt(12);
        return switch (random.nextInt(4)) {
            case 0 -> " LIMIT " + rows + " OFFSET " + random.nextInt(5);
            case 1 -> " OFFSET " + random.nextInt(5) + " ROWS FETCH NEXT " + (rows + 1) + " ROWS ONLY";
            default -> " LIMIT " + rows;
        };
    }

    private Node where(int depth, Scope scope) {
        return random.nextBoolean()
                ? node(null)
                : optional(" WHERE ", expressions.conditions().of(depth, scope));
    }

    private Node select(List<SqlType> types, int depth, Scope outer) {
        Sources.Source from = sources.from(depth, outer);
        Node where = where(depth, from.scope());
        if (random.nextInt(4) == 0) {
            return grouped(types, depth, from, where);
        }
        String distinct = random.nextInt(6) == 0 ? "DISTINCT " : "";
        Node items = random.nextInt(4) == 0
                ? itemsWithWindows(types, depth, from.scope())
                : items(types, depth, from.scope());
        return node(types, "SELECT " + distinct, items, " FROM ", from.text(), where);
    }

    /** Window functions where one of the type is drawn, and expressions of them. */
    private Node itemsWithWindows(List<SqlType> types, int depth, Scope scope) {
        List<Name> windows = aggregates.windows(6, scope.own());
        Scope both = scope.with(windows);
        Scope onlyWindows = new Scope(windows, List.of(), null);
        List<Node> items = new ArrayList<>();
        for (SqlType type : types) {
            Name window = onlyWindows.draw(type, random);
            Node item = window == null || random.nextInt(4) == 0 ? item(type, depth, both) : window.text();
            items.add(node(null, item, " AS c" + (items.size() + 1)));
        }
        return joined(", ", items);
    }

    private Node items(List<SqlType> types, int depth, Scope scope) {
        List<Node> items = new ArrayList<>();
        for (SqlType type : types) {
            items.add(node(null, item(type, depth, scope), " AS c" + (items.size() + 1)));
        }
        return joined(", ", items);
    }

    private Node item(SqlType type, int depth, Scope scope) {
        return random.nextBoolean() ? expressions.leaf(type, scope) : expressions.of(type, depth, scope);
    }

    private Node grouped(List<SqlType> types, int depth, Sources.Source from, Node where) {
        List<Name> keys = keys(from.scope().own());
        // Few people write a grouped subquery that selects columns of the outer query.
        Scope outer = random.nextInt(5) == 0 ? from.scope().outer() : null;
        Scope scope = new Scope(keys, List.of(), outer)
                .with(aggregates.groups(4, from.scope().own()));
        List<Node> texts = keys.stream().map(Name::text).toList();
        String sets = texts.isEmpty() ? "" : sets();
        Node by = texts.isEmpty() ? node(null) : node(null, " GROUP BY ", groups(sets, texts));
        if (!sets.isEmpty()) {
            scope = scope.with(
                    List.of(new Name(SqlType.INTEGER, node(SqlType.INTEGER, "GROUPING(", texts.get(0), ")"), false)));
        }
        Node having = random.nextInt(3) == 0
                ? optional(
                        " HAVING ",
                        expressions.conditions().of(Math.min(depth, 1), sets.isEmpty() ? scope : named(scope, keys)))
                : node(null);
        // Without groups, a query is one of aggregates because an aggregate is named.
        Node first = texts.isEmpty() && having.parts().isEmpty()
                ? withAggregate(types, depth, scope)
                : items(types, depth, scope);
        return node(types, "SELECT ", first, " FROM ", from.text(), where, by, having);
    }

    /**
     * Without keys that are expressions: PostgreSQL 15 decides a condition of an expression that it takes for a
     * constant, such as {@code COALESCE('x', b)}, before the grouping sets make it NULL.
     */
    private static Scope named(Scope scope, List<Name> keys) {
        List<Name> names = scope.names().stream()
                .filter(name -> name.isPlain() || !keys.contains(name))
                .toList();
        return new Scope(names, scope.keys(), scope.outer());
    }

    private Node withAggregate(List<SqlType> types, int depth, Scope scope) {
        Node items = items(types, depth, scope);
        SqlType last = types.get(types.size() - 1);
        List<Part> parts = new ArrayList<>(items.parts());
        parts.set(
                parts.size() - 1,
                node(null, "CASE WHEN COUNT(*) >= 0 THEN ", item(last, depth, scope), " END AS c" + types.size()));
        return new Node(null, false, List.copyOf(parts));
    }

    private List<Name> keys(Scope scope) {
        List<Name> keys = new ArrayList<>();
        for (int k = random.nextInt(4); k > 0 && !scope.names().isEmpty(); k--) {
            Name column = SqlType.drawn(scope.names(), random);
            Node computed = expressions.repeatable(column.type(), 1, scope);
            boolean isColumn = random.nextInt(3) > 0
                    || !computed.toString().contains(column.text().toString());
            Name key = isColumn ? column : new Name(column.type(), computed, false);
            if (keys.stream().noneMatch(other -> other.text().equals(key.text()))) {
                keys.add(key);
            }
        }
        return keys;
    }

    private String sets() {
        return switch (random.nextInt(9)) {
            case 0 -> "ROLLUP";
            case 1 -> "CUBE";
            case 2 -> "GROUPING SETS";
            default -> "";
        };
    }

    private Node groups(String sets, List<Node> keys) {
        if (!sets.equals("GROUPING SETS")) {
            return sets.isEmpty() ? joined(", ", keys) : node(null, sets + "(", joined(", ", keys), ")");
        }
        Node first = node(null, "(", joined(", ", keys), ")");
        Node second = node(null, "(", keys.get(keys.size() - 1), ")");
        return node(null, "GROUPING SETS (", first, ", ", second, random.nextBoolean() ? ", ()" : "", ")");
    }

    /** A query of some columns, and a condition that some of its rows meet. */
    Partition partition() {
        Sources.Source from = sources.from(1, Scope.NONE);
        List<Node> columns =
                from.scope().names().stream().limit(4).map(Name::text).toList();
        Node query = node(null, "SELECT ", joined(", ", columns), " FROM ", from.text());
        return new Partition(query, expressions.conditions().of(3, from.scope()));
    }

    /** A query without a condition, and a condition for it. */
    record Partition(Node query, Node condition) {}
}
