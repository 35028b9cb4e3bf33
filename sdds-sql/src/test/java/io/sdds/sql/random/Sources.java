package io.sdds.sql.random;

import static io.sdds.sql.random.Part.joined;
import static io.sdds.sql.random.Part.node;
import static io.sdds.sql.random.Part.optional;

import io.sdds.sql.random.Part.Node;
import io.sdds.sql.random.Scope.Name;
import io.sdds.sql.random.Tables.Column;
import io.sdds.sql.random.Tables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What stands behind FROM: tables, subqueries, common table expressions, and joins of all kinds. */
final class Sources {
    /** Stands for the kind of a source: a join gives way to one of its sides. */
    private static final String SOURCE = "source";

    private final SplittableRandom random;
    private final Tables tables;
    private final Queries queries;
    private final Expressions expressions;
    private final List<Common> common = new ArrayList<>();
    private int aliases;

    /** A source with what it gives names to. */
    record Source(Node text, Scope scope) {}

    /** A common table expression. */
    private record Common(String name, List<SqlType> types) {}

    Sources(SplittableRandom random, Tables tables, Queries queries, Expressions expressions) {
        this.random = random;
        this.tables = tables;
        this.queries = queries;
        this.expressions = expressions;
    }

    /** Common table expressions, of which the later ones may read the earlier ones. */
    Node with() {
        List<Node> all = new ArrayList<>();
        boolean isRecursive = random.nextInt(6) == 0;
        if (isRecursive) {
            all.add(node(null, "w1 (c1) AS (SELECT 1 UNION ALL SELECT c1 + 1 FROM w1 WHERE c1 < 6)"));
            common.add(new Common("w1", List.of(SqlType.INTEGER)));
        }
        for (int k = random.nextInt(1, 3); k > 0; k--) {
            List<SqlType> types = queries.types();
            String name = "w" + (common.size() + 1);
            Node query = queries.ofTypes(types, 1, Scope.NONE);
            all.add(node(null, name, columns(types), " AS (", query, ")"));
            common.add(new Common(name, types));
        }
        return optional(isRecursive ? "WITH RECURSIVE " : "WITH ", joined(", ", all), " ");
    }

    private static String columns(List<SqlType> types) {
        return " (" + String.join(", ", names(types)) + ")";
    }

    private static List<String> names(List<SqlType> types) {
        return IntStream.rangeClosed(1, types.size()).mapToObj(k -> "c" + k).toList();
    }

    Source from(int depth, Scope outer) {
        Source first = source(depth, outer);
        if (depth <= 0 || random.nextInt(2) == 0) {
            return first;
        }
        if (random.nextInt(12) == 0) {
            return using(outer);
        }
        boolean hasThird = depth > 1 && random.nextInt(4) == 0;
        Source both = join(first, depth, outer, hasThird ? " CROSS JOIN " : ", ");
        return hasThird ? byEquality(both, source(0, outer), "") : both;
    }

    private Source source(int depth, Scope outer) {
        if (!common.isEmpty() && random.nextInt(3) == 0) {
            return ofCommon(outer);
        }
        if (depth > 1 && random.nextInt(6) == 0) {
            List<SqlType> types = queries.types();
            return derived("", queries.ofTypes(types, depth - 2, Scope.NONE), types, outer);
        }
        return random.nextInt(25) == 0 ? values(outer) : table(outer);
    }

    private String alias() {
        return "a" + ++aliases;
    }

    private Source table(Scope outer) {
        // Large tables are drawn more often.
        Table table = tables.all().get(Math.max(random.nextInt(Tables.COUNT), random.nextInt(Tables.COUNT)));
        String alias = alias();
        List<Name> names = columns(alias, table.columns());
        return new Source(node(SOURCE, table.name() + " " + alias), new Scope(names, List.of(names.get(0)), outer));
    }

    private static List<Name> columns(String alias, List<Column> columns) {
        return columns.stream()
                .map(column -> Name.plain(column.type(), alias + "." + column.name()))
                .toList();
    }

    private Source derived(String before, Node query, List<SqlType> types, Scope outer) {
        String alias = alias();
        return new Source(
                node(SOURCE, before + "(", query, ") AS " + alias + columns(types)), scope(alias, types, outer));
    }

    private static Scope scope(String alias, List<SqlType> types, Scope outer) {
        List<String> columns = names(types);
        List<Name> names = IntStream.range(0, types.size())
                .mapToObj(k -> Name.plain(types.get(k), alias + "." + columns.get(k)))
                .toList();
        return new Scope(names, List.of(), outer);
    }

    private Source ofCommon(Scope outer) {
        Common of = SqlType.drawn(common, random);
        String alias = alias();
        return new Source(node(SOURCE, of.name + " " + alias), scope(alias, of.types, outer));
    }

    private Source values(Scope outer) {
        List<SqlType> types = List.of(SqlType.INTEGER, SqlType.VARCHAR);
        List<Node> rows = new ArrayList<>();
        for (int k = random.nextInt(1, 4); k > 0; k--) {
            rows.add(node(
                    null,
                    "(",
                    expressions.repeatable(types.get(0), 0, Scope.NONE),
                    ", ",
                    expressions.repeatable(types.get(1), 0, Scope.NONE),
                    ")"));
        }
        return derived("", node(null, "VALUES ", joined(", ", rows)), types, outer);
    }

    private Source join(Source left, int depth, Scope outer, String cross) {
        int drawn = random.nextInt(12);
        if (drawn == 0) {
            List<SqlType> types = queries.types();
            Node query = queries.ofTypes(types, 1, left.scope());
            Source right = derived("LATERAL ", query, types, outer);
            return both(left, cross, right, node(null));
        }
        Source right = source(depth - 1, outer);
        return switch (drawn) {
            case 1 -> both(left, " CROSS JOIN ", right, node(null));
            case 2 -> both(left, cross, right, node(null));
            case 3 -> byEquality(left, right, " FULL");
            case 4, 5 -> byEquality(left, right, random.nextBoolean() ? " RIGHT" : " LEFT");
            case 6, 7 -> byCondition(left, right, random.nextBoolean() ? " RIGHT" : " LEFT", depth);
            case 8 -> byCondition(left, right, "", depth);
            default -> byEquality(left, right, "");
        };
    }

    private static Source both(Source left, String join, Source right, Node on) {
        return new Source(node(SOURCE, left.text, join, right.text, on), left.scope.and(right.scope));
    }

    private Source byEquality(Source left, Source right, String kind) {
        Name one = SqlType.drawn(left.scope.names(), random);
        Name other = right.scope.own().draw(one.type(), random);
        if (other == null) {
            one = left.scope.own().draw(SqlType.INTEGER, random);
            other = right.scope.own().draw(SqlType.INTEGER, random);
        }
        if (one == null || other == null) {
            return both(left, " CROSS JOIN ", right, node(null));
        }
        Node equality = node(SqlType.BOOLEAN, "(", one.text(), " = ", other.text(), ")");
        Node more = random.nextInt(4) == 0 && !kind.equals(" FULL")
                ? optional(
                        " AND ", expressions.conditions().of(1, left.scope.own().and(right.scope.own())))
                : node(null);
        return both(left, kind + " JOIN ", right, node(null, " ON ", equality, more));
    }

    private Source byCondition(Source left, Source right, String kind, int depth) {
        Node condition =
                expressions.conditions().of(Math.min(1, depth), left.scope.own().and(right.scope.own()));
        return both(left, kind + " JOIN ", right, node(null, " ON ", condition));
    }

    /** A join by columns of one name. Their values have no alias before their names. */
    private Source using(Scope outer) {
        Table left = SqlType.drawn(tables.all(), random);
        Table right = SqlType.drawn(tables.all(), random);
        String one = alias();
        String other = alias();
        List<Column> shared =
                left.columns().stream().filter(right.columns()::contains).toList();
        boolean isNatural = random.nextInt(4) == 0;
        List<Column> by = isNatural ? shared : List.of(SqlType.drawn(shared, random));
        String[] kinds = {" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "};
        String join = (isNatural ? " NATURAL" : "") + kinds[random.nextInt(kinds.length)];
        String using = isNatural ? "" : " USING (" + by.get(0).name() + ")";
        List<Name> names = new ArrayList<>();
        by.forEach(column -> names.add(new Name(column.type(), node(column.type(), column.name()), false)));
        names.addAll(columns(one, without(left.columns(), by)));
        names.addAll(columns(other, without(right.columns(), by)));
        Node text = node(null, left.name() + " " + one + join + right.name() + " " + other + using);
        return new Source(text, new Scope(List.copyOf(names), List.of(), outer));
    }

    private static List<Column> without(List<Column> columns, List<Column> by) {
        return columns.stream().filter(column -> !by.contains(column)).toList();
    }
}
