package io.sdds.sql.random;

import static io.sdds.sql.random.Part.node;
import static io.sdds.sql.random.SqlType.BIGINT;
import static io.sdds.sql.random.SqlType.DATE;
import static io.sdds.sql.random.SqlType.DECIMAL;
import static io.sdds.sql.random.SqlType.DOUBLE;
import static io.sdds.sql.random.SqlType.INTEGER;
import static io.sdds.sql.random.SqlType.TIMESTAMP;
import static io.sdds.sql.random.SqlType.VARCHAR;

import io.sdds.sql.random.Part.Constant;
import io.sdds.sql.random.Part.Node;
import io.sdds.sql.random.Part.Style;
import java.util.SplittableRandom;

/** Random expressions of a type. None of them fails, and none depends on the order in which rows are read. */
final class Expressions {
    private final SplittableRandom random;
    private final Conditions conditions;
    private final Queries queries;

    /** Whether constants may be parameters. */
    private boolean hasParameters;

    /** Whether numbers may be at the edge of their types. */
    private boolean hasExtremes;

    Expressions(SplittableRandom random, Queries queries, boolean hasParameters) {
        this.random = random;
        this.queries = queries;
        this.hasParameters = hasParameters;
        conditions = new Conditions(random, this, queries);
    }

    /** From now on some numbers are at the edge of their types. */
    void drawExtremes() {
        hasExtremes = true;
    }

    Conditions conditions() {
        return conditions;
    }

    /** An expression that may be written twice, as that of a group is: it has no parameters. */
    Node repeatable(SqlType type, int depth, Scope scope) {
        boolean before = hasParameters;
        hasParameters = false;
        try {
            return of(type, depth, scope);
        } finally {
            hasParameters = before;
        }
    }

    Node of(SqlType type, int depth, Scope scope) {
        if (depth <= 0 || random.nextInt(3) == 0) {
            return leaf(type, scope);
        }
        int below = depth - 1;
        int drawn = random.nextInt(10);
        if (drawn == 0) {
            return coalesce(type, below, scope);
        } else if (drawn == 1) {
            return choice(type, below, scope);
        } else if (drawn == 2) {
            return node(type, "NULLIF(", of(type, below, scope), ", ", beside(type, scope), ")");
        } else if (drawn == 3 && depth > 1) {
            return queries.scalar(type, below, scope);
        }
        return switch (type) {
            case INTEGER -> integer(below, scope);
            case BIGINT -> bigint(below, scope);
            case DOUBLE -> real(below, scope);
            case DECIMAL -> decimal(below, scope);
            case VARCHAR -> text(below, scope);
            case BOOLEAN -> conditions.of(below, scope);
            case DATE -> date(below, scope);
            case TIMESTAMP -> timestamp(below, scope);
            case TIME, UUID_TYPE, VARBINARY -> leaf(type, scope);
        };
    }

    /** A name, or else a constant. */
    Node leaf(SqlType type, Scope scope) {
        Scope.Name name = random.nextInt(6) == 0 ? null : scope.draw(type, random);
        return name == null ? constant(type) : name.text();
    }

    /** A constant whose type does not depend on its neighbours. */
    Node constant(SqlType type) {
        return node(type, drawn(type, Style.CAST_PARAMETER));
    }

    /** A constant beside an expression of its type, which is never NULL without a type. */
    Node besideItsType(SqlType type) {
        return node(type, drawn(type, Style.PARAMETER));
    }

    private Constant drawn(SqlType type, Style style) {
        boolean isParameter = hasParameters && random.nextInt(3) == 0;
        boolean isExtreme = hasExtremes && SqlType.NUMBERS.contains(type) && random.nextInt(6) == 0;
        Object value = random.nextInt(15) == 0 ? null : isExtreme ? type.extreme(random) : type.value(random);
        return new Constant(type, value, isParameter && SqlType.fitsColumn(value) ? style : Style.LITERAL);
    }

    /** What a value of a type is compared with: sometimes one of another type. */
    Node compared(SqlType type, Scope scope) {
        return random.nextInt(5) == 0 ? ofOtherType(type.comparable(random), scope) : operand(type, scope);
    }

    /** Another value beside one of a type, so that the result has the type. */
    private Node beside(SqlType type, Scope scope) {
        return random.nextInt(5) == 0 ? ofOtherType(type.narrower(random), scope) : operand(type, scope);
    }

    /** A parameter says its type: beside another type it would have that one. */
    private Node ofOtherType(SqlType type, Scope scope) {
        return random.nextInt(3) == 0 ? leaf(type, scope) : constant(type);
    }

    /** What stands on the right of an operator: a constant or a name. */
    Node operand(SqlType type, Scope scope) {
        return random.nextInt(3) == 0 ? leaf(type, scope) : besideItsType(type);
    }

    private Node coalesce(SqlType type, int depth, Scope scope) {
        Node first = of(type, depth, scope);
        return random.nextInt(3) == 0
                ? node(type, "COALESCE(", first, ", ", of(type, depth, scope), ", ", leaf(type, scope), ")")
                : node(type, random.nextInt(4) == 0 ? extreme() : "COALESCE(", first, ", ", beside(type, scope), ")");
    }

    private String extreme() {
        return random.nextBoolean() ? "GREATEST(" : "LEAST(";
    }

    private Node choice(SqlType type, int depth, Scope scope) {
        Node otherwise = random.nextInt(4) == 0 ? node(null) : Part.optional(" ELSE ", of(type, depth, scope));
        if (random.nextInt(4) == 0) {
            SqlType of = type(scope);
            return node(
                    type,
                    "CASE ",
                    leaf(of, scope),
                    " WHEN ",
                    constant(of),
                    " THEN ",
                    of(type, depth, scope),
                    Part.optional(" WHEN ", constant(of), " THEN ", leaf(type, scope)),
                    otherwise,
                    " END");
        }
        return node(
                type,
                "CASE WHEN ",
                conditions.of(depth, scope),
                " THEN ",
                of(type, depth, scope),
                Part.optional(" WHEN ", conditions.of(0, scope), " THEN ", beside(type, scope)),
                otherwise,
                " END");
    }

    /** A type that the scope has names of, or any. */
    SqlType type(Scope scope) {
        return scope.types().isEmpty() || random.nextInt(10) == 0
                ? SqlType.values()[random.nextInt(SqlType.values().length)]
                : SqlType.drawn(scope.types(), random);
    }

    private Node integer(int depth, Scope scope) {
        return switch (random.nextInt(11)) {
            case 0 -> node(INTEGER, "CHAR_LENGTH(", of(VARCHAR, depth, scope), ")");
            case 1 -> node(INTEGER, "POSITION(", text(), " IN ", of(VARCHAR, depth, scope), ")");
            case 2 -> node(INTEGER, "CAST(EXTRACT(" + unit() + " FROM ", of(DATE, depth, scope), ") AS INTEGER)");
            case 3 -> node(INTEGER, "CAST(", of(DECIMAL, depth, scope), " AS INTEGER)");
            case 4 -> node(INTEGER, "CAST(", leaf(DOUBLE, scope), " AS INTEGER)");
            case 5 -> node(INTEGER, "MOD(", of(INTEGER, depth, scope), ", " + random.nextInt(2, 6) + ")");
            case 6 -> node(INTEGER, "(", of(INTEGER, depth, scope), " / " + random.nextInt(2, 6) + ")");
            case 7 -> node(INTEGER, "(", of(INTEGER, depth, scope), " / NULLIF(", leaf(INTEGER, scope), ", 0))");
            default -> arithmetic(INTEGER, depth, scope);
        };
    }

    private Node arithmetic(SqlType type, int depth, Scope scope) {
        Node first = of(type, depth, scope);
        return switch (random.nextInt(7)) {
            case 0 -> node(type, "ABS(", first, ")");
            case 1 -> node(type, "(- ", first, ")");
            case 2 -> node(type, "(", first, " * " + random.nextInt(2, 5) + ")");
            case 3 -> node(type, "(", first, " - ", beside(type, scope), ")");
            case 4 -> node(type, "(", first, " + ", of(type, depth, scope), ")");
            default -> node(type, "(", first, " + ", beside(type, scope), ")");
        };
    }

    private static final String[] UNITS = {"YEAR", "MONTH", "DAY"};

    private String unit() {
        return UNITS[random.nextInt(UNITS.length)];
    }

    private Node text() {
        return node(VARCHAR, new Constant(VARCHAR, VARCHAR.value(random), Style.LITERAL));
    }

    private Node bigint(int depth, Scope scope) {
        return switch (random.nextInt(4)) {
            case 0 -> node(BIGINT, "CAST(", of(INTEGER, depth, scope), " AS BIGINT)");
            case 1 -> node(BIGINT, "(", of(BIGINT, depth, scope), " + ", leaf(INTEGER, scope), ")");
            default -> arithmetic(BIGINT, depth, scope);
        };
    }

    private Node real(int depth, Scope scope) {
        return switch (random.nextInt(6)) {
            case 0 -> node(DOUBLE, "CAST(", of(INTEGER, depth, scope), " AS DOUBLE PRECISION)");
            case 1 -> node(DOUBLE, "CAST(", of(DECIMAL, depth, scope), " AS DOUBLE PRECISION)");
            case 2 -> node(DOUBLE, "(", of(DOUBLE, depth, scope), " / CAST(4 AS DOUBLE PRECISION))");
            case 3 -> node(DOUBLE, random.nextBoolean() ? "FLOOR(" : "CEIL(", of(DOUBLE, depth, scope), ")");
            default -> arithmetic(DOUBLE, depth, scope);
        };
    }

    private Node decimal(int depth, Scope scope) {
        return switch (random.nextInt(8)) {
            case 0 -> node(DECIMAL, "CAST(", of(INTEGER, depth, scope), " AS DECIMAL(12, 2))");
            case 1 -> node(DECIMAL, "ROUND(", of(DECIMAL, depth, scope), ", " + random.nextInt(2) + ")");
            case 2 -> node(DECIMAL, random.nextBoolean() ? "FLOOR(" : "CEIL(", of(DECIMAL, depth, scope), ")");
            case 3 -> node(DECIMAL, "CAST(", of(DECIMAL, depth, scope), " AS DECIMAL(10, 1))");
            case 4 -> node(DECIMAL, "ROUND(", of(DECIMAL, depth, scope), " / " + random.nextInt(2, 8) + ", 2)");
            default -> arithmetic(DECIMAL, depth, scope);
        };
    }

    private Node text(int depth, Scope scope) {
        Node first = of(VARCHAR, depth, scope);
        return switch (random.nextInt(18)) {
            case 12 -> node(VARCHAR, random.nextBoolean() ? "LEFT(" : "RIGHT(", first, ", " + random.nextInt(4) + ")");
            case 13 -> node(VARCHAR, random.nextBoolean() ? "REVERSE(" : "INITCAP(", first, ")");
            case 14 -> node(VARCHAR, "CONCAT(", first, ", ", operand(VARCHAR, scope), ")");
            case 0 -> node(VARCHAR, "UPPER(", first, ")");
            case 1 -> node(VARCHAR, "LOWER(", first, ")");
            case 2 -> node(VARCHAR, "TRIM(", first, ")");
            case 3 ->
                node(
                        VARCHAR,
                        "SUBSTRING(",
                        first,
                        " FROM " + random.nextInt(1, 4) + " FOR " + random.nextInt(0, 4) + ")");
            case 4 -> node(VARCHAR, "SUBSTRING(", first, " FROM " + random.nextInt(1, 4) + ")");
            case 5 -> node(VARCHAR, "REPLACE(", first, ", 'a', 'zz')");
            case 6 -> node(VARCHAR, "OVERLAY(", first, " PLACING 'q' FROM " + random.nextInt(1, 4) + ")");
            case 7 -> node(VARCHAR, "CAST(", first, " AS VARCHAR(" + random.nextInt(1, 4) + "))");
            case 8 -> node(VARCHAR, "CAST(", of(INTEGER, depth, scope), " AS VARCHAR)");
            case 9 -> node(VARCHAR, "CAST(CAST(", of(DECIMAL, depth, scope), " AS DECIMAL(12, 2)) AS VARCHAR)");
            case 10 -> node(VARCHAR, "CAST(", of(DATE, depth, scope), " AS VARCHAR)");
            case 11 ->
                node(VARCHAR, "TRIM(" + (random.nextBoolean() ? "LEADING" : "TRAILING") + " 'a' FROM ", first, ")");
            default -> node(VARCHAR, "(", first, " || ", operand(VARCHAR, scope), ")");
        };
    }

    private Node date(int depth, Scope scope) {
        return switch (random.nextInt(4)) {
            case 0 -> node(DATE, "CAST(", of(TIMESTAMP, depth, scope), " AS DATE)");
            case 1 ->
                node(DATE, "CAST(", of(DATE, depth, scope), " + INTERVAL '" + random.nextInt(1, 40) + "' DAY AS DATE)");
            case 2 ->
                node(
                        DATE,
                        "CAST(",
                        of(DATE, depth, scope),
                        " + INTERVAL '" + random.nextInt(1, 14) + "' MONTH AS DATE)");
            default -> node(DATE, "(", of(DATE, depth, scope), " + " + random.nextInt(1, 40) + ")");
        };
    }

    private Node timestamp(int depth, Scope scope) {
        return switch (random.nextInt(2)) {
            case 0 -> node(TIMESTAMP, "CAST(", of(DATE, depth, scope), " AS TIMESTAMP)");
            default ->
                node(TIMESTAMP, "(", of(TIMESTAMP, depth, scope), " + INTERVAL '" + random.nextInt(1, 40) + "' HOUR)");
        };
    }
}
