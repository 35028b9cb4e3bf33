package io.sdds.sql.random;

import static io.sdds.sql.random.Part.node;

import io.sdds.sql.random.Part.Node;
import io.sdds.sql.random.Tables.Table;
import java.util.List;
import java.util.SplittableRandom;

/** Random queries that have an error for some row, which no condition hides. */
final class Failing {
    /** Of the column {@code a.id}, whose values begin with 1. */
    private static final List<String> EXPRESSIONS = List.of(
            "a.id / (a.id - 1)",
            "MOD(a.id, a.id - 1)",
            "CAST(a.id AS DECIMAL(12, 2)) / (a.id - 1)",
            "CAST(a.id AS DOUBLE PRECISION) / (a.id - 1)",
            "a.id + 2147483647",
            "a.id * 2000000000 * 2",
            "CAST(a.id AS BIGINT) + 9223372036854775807",
            "(-2147483647) - a.id - 1",
            "CAST('x' || CAST(a.id AS VARCHAR) AS INTEGER)",
            "CAST(CAST(a.id AS DOUBLE PRECISION) * 3000000000 AS INTEGER)",
            "CAST(CAST(a.id AS BIGINT) * 3000000000 AS INTEGER)",
            "CAST(12345678901234.5 * a.id AS DECIMAL(12, 2))",
            "CAST('2024-02-3' || CAST(a.id AS VARCHAR) AS DATE)",
            "SQRT(0 - CAST(a.id AS DOUBLE PRECISION))",
            "(SELECT b.id FROM t9 b WHERE b.id >= a.id)",
            "CAST(SUBSTRING('abc' FROM a.id) AS BOOLEAN)");

    private final SplittableRandom random;
    private final Tables tables;

    Failing(SplittableRandom random, Tables tables) {
        this.random = random;
        this.tables = tables;
    }

    Node draw() {
        Table table = tables.all().get(random.nextInt(2, Tables.COUNT));
        String expression = SqlType.drawn(EXPRESSIONS, random);
        String from = " FROM " + table.name() + " a";
        return switch (random.nextInt(5)) {
            case 0 -> node(null, "SELECT COUNT(*)" + from + " WHERE CAST(" + expression + " AS VARCHAR) = '7'");
            case 1 -> node(null, "SELECT MAX(CAST(" + expression + " AS VARCHAR)) AS c1" + from);
            case 2 -> node(null, "SELECT " + expression + " AS c1, COUNT(*)" + from + " GROUP BY " + expression);
            case 3 -> node(null, "SELECT a.id" + from + " ORDER BY " + expression + " LIMIT 3");
            default -> node(null, "SELECT a.id, " + expression + " AS c1" + from);
        };
    }
}
