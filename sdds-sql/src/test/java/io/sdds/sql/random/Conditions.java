package io.sdds.sql.random;

import static io.sdds.sql.random.Part.joined;
import static io.sdds.sql.random.Part.node;
import static io.sdds.sql.random.SqlType.BOOLEAN;
import static io.sdds.sql.random.SqlType.VARCHAR;

import io.sdds.sql.random.Part.Constant;
import io.sdds.sql.random.Part.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random conditions, with subqueries and row values. */
final class Conditions {
    private static final String[] COMPARISONS = {" = ", " = ", " <> ", " < ", " <= ", " > ", " >= "};
    private static final String[] TRUTHS = {
        " IS TRUE", " IS FALSE", " IS UNKNOWN", " IS NOT TRUE", " IS NOT FALSE", " IS NOT UNKNOWN"
    };

    private static final int LONG_LIST = 150;

    private final SplittableRandom random;
    private final Expressions expressions;
    private final Queries queries;

    Conditions(SplittableRandom random, Expressions expressions, Queries queries) {
        this.random = random;
        this.expressions = expressions;
        this.queries = queries;
    }

    Node of(int depth, Scope scope) {
        if (depth <= 0) {
            return simple(0, scope);
        }
        int below = depth - 1;
        return switch (random.nextInt(12)) {
            case 0, 1 -> node(BOOLEAN, "(", of(below, scope), " AND ", of(below, scope), ")");
            case 2, 3 -> node(BOOLEAN, "(", of(below, scope), " OR ", of(below, scope), ")");
            case 4 -> node(BOOLEAN, "(NOT ", of(below, scope), ")");
            case 5 -> node(BOOLEAN, "(", of(below, scope), TRUTHS[random.nextInt(TRUTHS.length)], ")");
            case 6 -> ofRows(scope);
            case 7, 8, 9 -> depth > 1 ? ofQuery(below, scope) : simple(below, scope);
            default -> simple(below, scope);
        };
    }

    private Node simple(int depth, Scope scope) {
        SqlType type = expressions.type(scope);
        return switch (random.nextInt(10)) {
            case 0 ->
                node(
                        BOOLEAN,
                        "(",
                        expressions.of(type, depth, scope),
                        random.nextBoolean() ? " IS NULL)" : " IS NOT NULL)");
            case 1 -> like(depth, scope);
            case 2 -> between(type, depth, scope);
            case 3 -> list(type, depth, scope);
            case 4 ->
                node(
                        BOOLEAN,
                        "(",
                        expressions.of(type, depth, scope),
                        random.nextBoolean() ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ",
                        expressions.leaf(type, scope),
                        ")");
            case 5 -> expressions.leaf(BOOLEAN, scope);
            default ->
                node(
                        BOOLEAN,
                        "(",
                        expressions.of(type, depth, scope),
                        comparison(),
                        expressions.compared(type, scope),
                        ")");
        };
    }

    private String comparison() {
        return COMPARISONS[random.nextInt(COMPARISONS.length)];
    }

    private Node like(int depth, Scope scope) {
        return node(
                BOOLEAN,
                "(",
                expressions.of(VARCHAR, depth, scope),
                random.nextInt(3) == 0 ? " NOT LIKE " : " LIKE ",
                new Constant(VARCHAR, SqlType.pattern(random), Part.Style.LITERAL),
                ")");
    }

    private Node between(SqlType type, int depth, Scope scope) {
        return node(
                BOOLEAN,
                "(",
                expressions.of(type, depth, scope),
                random.nextInt(3) == 0 ? " NOT BETWEEN " : " BETWEEN ",
                expressions.compared(type, scope),
                " AND ",
                expressions.compared(type, scope),
                ")");
    }

    private Node list(SqlType type, int depth, Scope scope) {
        List<Node> values = new ArrayList<>();
        for (int k = random.nextInt(40) == 0 ? LONG_LIST : random.nextInt(1, 5); k > 0; k--) {
            values.add(expressions.compared(type, scope));
        }
        return node(BOOLEAN, "(", expressions.of(type, depth, scope), in(), "(", joined(", ", values), "))");
    }

    private String in() {
        return random.nextInt(3) == 0 ? " NOT IN " : " IN ";
    }

    /** A comparison of row values. */
    private Node ofRows(Scope scope) {
        List<SqlType> types = types(scope);
        Node left = row(types, scope);
        return switch (random.nextInt(4)) {
            case 0 -> node(BOOLEAN, "(", left, in(), "(", row(types, scope), ", ", row(types, scope), "))");
            case 1 -> node(BOOLEAN, "(", left, in(), "(", queries.ofTypes(types, 1, scope), "))");
            case 2 -> node(BOOLEAN, "(", left, " <> ", row(types, scope), ")");
            default -> node(BOOLEAN, "(", left, random.nextInt(3) == 0 ? comparison() : " = ", row(types, scope), ")");
        };
    }

    private List<SqlType> types(Scope scope) {
        return List.of(expressions.type(scope), expressions.type(scope));
    }

    private Node row(List<SqlType> types, Scope scope) {
        return node(
                null,
                "(",
                joined(
                        ", ",
                        types.stream()
                                .map(type -> expressions.leaf(type, scope))
                                .toList()),
                ")");
    }

    private Node ofQuery(int depth, Scope scope) {
        SqlType type = expressions.type(scope);
        Node left = expressions.leaf(type, scope);
        return switch (random.nextInt(6)) {
            case 0 -> node(BOOLEAN, "EXISTS (", queries.any(depth, scope), ")");
            case 1 -> node(BOOLEAN, "(NOT EXISTS (", queries.any(depth, scope), "))");
            case 2 ->
                node(
                        BOOLEAN,
                        "(",
                        left,
                        comparison(),
                        random.nextBoolean() ? "ANY (" : "ALL (",
                        queries.ofTypes(List.of(type), depth, scope),
                        "))");
            case 3 -> node(BOOLEAN, "(", left, comparison(), queries.scalar(type, depth, scope), ")");
            default -> node(BOOLEAN, "(", left, in(), "(", queries.ofTypes(List.of(type), depth, scope), "))");
        };
    }
}
