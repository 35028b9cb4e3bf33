package io.sdds.sql.random;

import static io.sdds.sql.random.Part.joined;
import static io.sdds.sql.random.Part.node;

import io.sdds.sql.random.Part.Node;
import io.sdds.sql.random.Scope.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random aggregates and window functions of the rows of a scope. */
final class Aggregates {
    private final SplittableRandom random;
    private final Expressions expressions;

    Aggregates(SplittableRandom random, Expressions expressions) {
        this.random = random;
        this.expressions = expressions;
    }

    /** Aggregates of groups. */
    List<Name> groups(int count, Scope scope) {
        List<Name> names = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            Node call = call(scope, true);
            Node filter = random.nextInt(6) == 0
                    ? Part.optional(" FILTER (WHERE ", expressions.conditions().of(1, scope), ")")
                    : node(null);
            names.add(new Name(call.type(), rounded(node(call.type(), call, filter)), false));
        }
        return names;
    }

    /** Digits of an average beyond the second one differ between databases, and conditions would see them. */
    private static Node rounded(Node call) {
        return call.type() == SqlType.DECIMAL ? node(SqlType.DECIMAL, "ROUND(", call, ", 2)") : call;
    }

    /** An aggregate of any type. */
    Node call(Scope scope, boolean mayBeDistinct) {
        SqlType type = expressions.type(scope);
        int drawn = random.nextInt(6);
        String distinct = mayBeDistinct && random.nextInt(5) == 0 ? "DISTINCT " : "";
        if (drawn == 0) {
            return node(SqlType.BIGINT, "COUNT(*)");
        } else if (drawn == 1) {
            return node(SqlType.BIGINT, "COUNT(" + distinct, expressions.repeatable(type, 1, scope), ")");
        } else if (SqlType.NUMBERS.contains(type) && drawn < 5) {
            Node of = expressions.repeatable(type, 1, scope);
            return drawn == 2
                    ? node(average(type), "AVG(" + distinct, of, ")")
                    : node(sum(type), "SUM(" + distinct, of, ")");
        }
        if (type == SqlType.BOOLEAN) {
            return node(type, "EVERY(", expressions.repeatable(type, 1, scope), ")");
        }
        SqlType extreme = SqlType.WITH_EXTREMES.contains(type) ? type : SqlType.INTEGER;
        return extreme(extreme, scope);
    }

    /** The least or the greatest value of an expression. */
    Node extreme(SqlType type, Scope scope) {
        return node(type, random.nextBoolean() ? "MIN(" : "MAX(", expressions.repeatable(type, 1, scope), ")");
    }

    private static SqlType sum(SqlType type) {
        return switch (type) {
            case INTEGER -> SqlType.BIGINT;
            case BIGINT -> SqlType.DECIMAL;
            default -> type;
        };
    }

    private static SqlType average(SqlType type) {
        return type == SqlType.DOUBLE ? type : SqlType.DECIMAL;
    }

    /** Window functions. Those that depend on the order of equal rows are there only if the scope has keys. */
    List<Name> windows(int count, Scope scope) {
        List<Name> names = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            Node window = scope.keys().isEmpty() ? ofPeers(scope) : window(scope);
            names.add(new Name(window.type(), window, false));
        }
        return names;
    }

    private Node window(Scope scope) {
        SqlType type = expressions.type(scope);
        Node of = typed(expressions.repeatable(type, 1, scope));
        Node byKeys = node(null, partition(scope), order(scope), joined(", ", keys(scope)));
        return switch (random.nextInt(9)) {
            case 0 -> node(SqlType.BIGINT, "ROW_NUMBER() OVER (", byKeys, ")");
            case 1 -> node(SqlType.INTEGER, "NTILE(" + random.nextInt(1, 5) + ") OVER (", byKeys, ")");
            case 2 -> node(type, lagOrLead() + "(", of, ") OVER (", byKeys, ")");
            case 3 ->
                node(
                        type,
                        lagOrLead() + "(",
                        of,
                        ", " + random.nextInt(0, 4) + ", ",
                        expressions.repeatable(type, 0, scope),
                        ") OVER (",
                        byKeys,
                        ")");
            case 4 -> node(type, "NTH_VALUE(", of, ", " + random.nextInt(1, 4) + ") OVER (", byKeys, frame(), ")");
            case 5 ->
                node(type, random.nextBoolean() ? "FIRST_VALUE(" : "LAST_VALUE(", of, ") OVER (", byKeys, frame(), ")");
            case 6 -> over(call(scope, false), byKeys, frame());
            default -> ofPeers(scope);
        };
    }

    /** PostgreSQL does not know the type of a window function of a constant text. */
    private static Node typed(Node of) {
        return of.parts().get(0) instanceof Part.Constant
                ? node(of.type(), "CAST(", of, " AS " + of.type().declaration + ")")
                : of;
    }

    private static Node over(Node call, Object... window) {
        return rounded(node(call.type(), call, " OVER (", node(null, window), ")"));
    }

    private String lagOrLead() {
        return random.nextBoolean() ? "LAG" : "LEAD";
    }

    /** The keys have no kind, so that a shorter statement still has them: without them the order is not total. */
    private static List<Node> keys(Scope scope) {
        return scope.keys().stream()
                .map(key -> new Node(null, false, key.text().parts()))
                .toList();
    }

    /** Functions that answer the same for rows that the order does not tell apart. */
    private Node ofPeers(Scope scope) {
        Node by = expressions.repeatable(expressions.type(scope), 0, scope);
        Node order = node(null, partition(scope), "ORDER BY ", named(by, scope), direction());
        return switch (random.nextInt(7)) {
            case 0 -> node(SqlType.BIGINT, "RANK() OVER (", order, ")");
            case 1 -> node(SqlType.BIGINT, "DENSE_RANK() OVER (", order, ")");
            case 2 ->
                node(SqlType.DOUBLE, random.nextBoolean() ? "PERCENT_RANK()" : "CUME_DIST()", " OVER (", order, ")");
            case 3 -> over(call(scope, false), order);
            case 4 -> rangeOfValues(scope);
            case 5 -> over(call(scope, false), order, " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING");
            default -> over(call(scope, false), partition(scope));
        };
    }

    /** A constant is no order: PostgreSQL takes a number for a constant, too, but other databases for a column. */
    private static Node named(Node by, Scope scope) {
        return by.parts().get(0) instanceof Part.Constant && !scope.names().isEmpty()
                ? scope.names().get(0).text()
                : by;
    }

    private Node rangeOfValues(Scope scope) {
        SqlType type = random.nextBoolean() ? SqlType.INTEGER : SqlType.DECIMAL;
        Name of = scope.draw(type, random);
        if (of == null) {
            return over(call(scope, false), partition(scope));
        }
        String frame = random.nextInt(2) == 0
                ? random.nextInt(4) + " PRECEDING AND CURRENT ROW"
                : random.nextInt(1, 4) + " PRECEDING AND " + random.nextInt(4) + " FOLLOWING";
        return over(
                call(scope, false),
                partition(scope),
                "ORDER BY ",
                of.text(),
                random.nextBoolean() ? " DESC" : "",
                " RANGE BETWEEN " + frame);
    }

    private Node partition(Scope scope) {
        if (random.nextBoolean() || scope.names().isEmpty()) {
            return node(null);
        }
        return Part.optional(
                "PARTITION BY ", SqlType.drawn(scope.names(), random).text(), " ");
    }

    /** The beginning of an order that the keys end. */
    private Node order(Scope scope) {
        if (random.nextBoolean() || scope.names().isEmpty()) {
            return node(null, "ORDER BY ");
        }
        return node(
                null,
                "ORDER BY ",
                Part.optional(SqlType.drawn(scope.names(), random).text(), direction(), ", "));
    }

    String direction() {
        return switch (random.nextInt(6)) {
            case 0 -> " DESC";
            case 1 -> " NULLS FIRST";
            case 2 -> " DESC NULLS LAST";
            default -> "";
        };
    }

    private Node frame() {
        return switch (random.nextInt(7)) {
            case 0 -> Part.optional(" ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING");
            case 1 -> Part.optional(" ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING");
            case 2 -> Part.optional(" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING");
            case 3 -> Part.optional(" ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING");
            case 4 -> Part.optional(" ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING");
            default -> node(null);
        };
    }
}
