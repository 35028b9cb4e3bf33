package io.sdds.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.sql.SqlCluster;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random conditions: programs of bricks and the engine at the client find the same rows, and each row meets a
 * condition, its negation, or neither because the condition is NULL (ternary logic partitioning). So it is with the
 * rows of joins, and sums of the three parts make the sum of the whole.
 */
class PushdownPropertyTest {
    private static final int QUERIES = 60;
    private static final int ROWS = 200;
    private static final int DEPTH = 3;
    private static final String[] TEXTS = {"'a'", "'ab'", "'B%'", "'é'", "''", "'b_c'"};

    private final SplittableRandom random = Seeds.random("PushdownPropertyTest");

    @Test
    void bricksAndClientFindTheSameRows() throws SQLException {
        try (SqlCluster sql = new SqlCluster();
                Connection plain = sql.connect(";pushdown=false")) {
            fill(sql);
            for (int k = 0; k < QUERIES; k++) {
                String condition = condition(DEPTH);
                String query = "SELECT id, a, s FROM t WHERE " + condition;
                List<String> shipped = SqlCluster.sorted(sql.connection, query);
                assertThat(shipped).as(query).isEqualTo(SqlCluster.sorted(plain, query));
                List<String> parts = new ArrayList<>(shipped);
                parts.addAll(SqlCluster.sorted(sql.connection, "SELECT id, a, s FROM t WHERE NOT (" + condition + ")"));
                parts.addAll(
                        SqlCluster.sorted(sql.connection, "SELECT id, a, s FROM t WHERE (" + condition + ") IS NULL"));
                assertThat(parts).as("partition of %s", condition).hasSize(ROWS).doesNotHaveDuplicates();
                if (k % 3 == 0) {
                    sameGroups(sql.connection, plain, condition);
                }
                if (k % 10 == 0) {
                    joinsArePartitioned(sql.connection, plain, condition);
                    sumsArePartitioned(sql, condition);
                }
            }
        }
    }

    private void sameGroups(Connection shipping, Connection plain, String condition) throws SQLException {
        String groups = "SELECT b, COUNT(*), SUM(a), MIN(s), MAX(d), AVG(a), COUNT(a) FROM t WHERE " + condition
                + " GROUP BY b";
        assertThat(SqlCluster.sorted(shipping, groups)).as(groups).isEqualTo(SqlCluster.sorted(plain, groups));
        String first = "SELECT s, id FROM t WHERE " + condition + " ORDER BY a " + (random.nextBoolean() ? "DESC" : "")
                + ", id LIMIT " + random.nextInt(20);
        assertThat(SqlCluster.rows(shipping, first)).as(first).isEqualTo(SqlCluster.rows(plain, first));
    }

    private void joinsArePartitioned(Connection shipping, Connection plain, String condition) throws SQLException {
        String join = "SELECT id, k, g FROM t JOIN u ON b = k WHERE ";
        List<String> parts = new ArrayList<>();
        for (String part : parts(condition)) {
            List<String> shipped = SqlCluster.sorted(shipping, join + part);
            assertThat(shipped).as(join + part).isEqualTo(SqlCluster.sorted(plain, join + part));
            parts.addAll(shipped);
        }
        parts.sort(null);
        assertThat(parts)
                .as("joins by %s", condition)
                .isNotEmpty()
                .isEqualTo(SqlCluster.sorted(shipping, join + "TRUE"));
    }

    private static void sumsArePartitioned(SqlCluster sql, String condition) throws SQLException {
        String sums = "SELECT COUNT(*), COALESCE(SUM(a), 0), COALESCE(SUM(d), 0) FROM t WHERE ";
        List<BigDecimal> added = List.of(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);
        for (String part : parts(condition)) {
            List<BigDecimal> of = numbers(sql.rows(sums + part));
            List<BigDecimal> before = added;
            added = IntStream.range(0, of.size())
                    .mapToObj(k -> before.get(k).add(of.get(k)))
                    .toList();
        }
        assertThat(added)
                .as("sums by %s", condition)
                .usingElementComparator(BigDecimal::compareTo)
                .isEqualTo(numbers(sql.rows(sums + "TRUE")));
    }

    private static List<BigDecimal> numbers(List<String> rows) {
        return Arrays.stream(rows.get(0).split(", ")).map(BigDecimal::new).toList();
    }

    private static List<String> parts(String condition) {
        return List.of(condition, "NOT (" + condition + ")", "(" + condition + ") IS NULL");
    }

    private void fill(SqlCluster sql) throws SQLException {
        sql.update(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b BIGINT, d DECIMAL(8,2), s VARCHAR(10), f BOOLEAN,"
                        + " w TIMESTAMP) WITH (kind = '" + (random.nextBoolean() ? "range" : "hash") + "')");
        StringJoiner rows = new StringJoiner(", ", "INSERT INTO t VALUES ", "");
        for (int id = 0; id < ROWS; id++) {
            rows.add("(" + id + ", " + orNull(Integer.toString(random.nextInt(-5, 20))) + ", "
                    + orNull(Integer.toString(random.nextInt(4))) + ", " + orNull(random.nextInt(-3, 10) + ".25") + ", "
                    + orNull("'" + text() + "'") + ", " + orNull(Boolean.toString(random.nextBoolean())) + ", "
                    + orNull("TIMESTAMP '2020-01-0" + random.nextInt(1, 4) + " 00:00:00'") + ")");
        }
        assertThat(sql.update(rows.toString())).isEqualTo(ROWS);
        sql.update("CREATE TABLE u (k BIGINT PRIMARY KEY, g INTEGER)");
        sql.update("INSERT INTO u VALUES (0, 10), (1, NULL), (2, 12), (7, 13)");
    }

    private String orNull(String value) {
        return random.nextInt(5) == 0 ? "NULL" : value;
    }

    private String text() {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        return text.substring(1, text.length() - 1);
    }

    // ---- conditions

    private String condition(int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return leaf();
        }
        return switch (random.nextInt(4)) {
            case 0 -> "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
            case 1 -> "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
            case 2 -> "NOT (" + condition(depth - 1) + ")";
            default -> "(" + condition(depth - 1) + ") IS NOT TRUE";
        };
    }

    private String leaf() {
        return switch (random.nextInt(10)) {
            case 0 -> number() + comparison() + number();
            case 1 -> "s" + comparison() + TEXTS[random.nextInt(TEXTS.length)];
            case 2 -> "a IN (1, " + random.nextInt(20) + ", NULL)";
            case 3 -> "s LIKE " + TEXTS[random.nextInt(TEXTS.length)];
            case 4 -> "f";
            case 5 -> number() + " BETWEEN " + number() + " AND " + number();
            case 6 -> "w" + comparison() + "TIMESTAMP '2020-01-02 00:00:00'";
            case 7 -> "CASE WHEN f THEN a > 3 ELSE s IS NULL END";
            case 8 -> "id" + comparison() + random.nextInt(ROWS);
            default -> "POSITION('b' IN s) + CHAR_LENGTH(UPPER(s))" + comparison() + "3";
        };
    }

    private String comparison() {
        return new String[] {" = ", " <> ", " < ", " <= ", " > ", " >= "}[random.nextInt(6)];
    }

    private String number() {
        return new String[] {
                    "a", "b", "d", "(a + b)", "(d * 2)", "(- a)", "7", "2.5", "CAST(a AS BIGINT)", "COALESCE(a, 3)"
                }
                [random.nextInt(10)];
    }
}
